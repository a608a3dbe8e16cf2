#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "asg/core/array.h"
#include "asg/data/dataset.h"

namespace asg::data {

// Reads the IDX format of MNIST: two zero bytes, a code of the dtype, the rank, the sizes and the elements, big-endian.
// Strict: a file that is too short, too long or of another form is refused with io_error.
Array read_idx(std::span<const std::byte> bytes);
Array read_idx_file(const std::string& path);  // plain or gzip

// Features of one file with labels (as i64) of another. Throws as make_dataset does.
Dataset read_idx_pair(std::string name, const std::string& features_path, const std::string& labels_path,
                      std::int64_t classes);

}  // namespace asg::data
