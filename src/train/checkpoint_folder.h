#pragma once

#include <string>

#include "asg/train/checkpoint.h"
#include "checkpoint_manifest.h"

// One checkpoint: a folder with files. See docs/checkpoints.md.
namespace asg::train {

// Writes all files into an empty folder, flushed to the disk, the manifest last. Throws io_error, bad_json, bad_name.
void write_checkpoint(const std::string& folder, const CheckpointData& data);

// The manifest, when it and the files that it names are there in their sizes. Elements are not read. Throws io_error.
Manifest read_manifest(const std::string& folder);
// Compares the checksums of all files. Throws io_error for a file that is not as it was written.
void check_contents(const std::string& folder, const Manifest& manifest);
// Of a folder that was checked: what fails here is no damage but a program that does not fit.
CheckpointData read_checkpoint(const std::string& folder, const Manifest& manifest);

}  // namespace asg::train
