#pragma once

#include <cstdint>

#include "ops/support/windows.h"

// A convolution as a product of matrices: "patches" have one row for each channel and tap, and one column for each of
// the output positions from `first` to before `last`. Rows are dense and stand last - first apart.
namespace asg::cpu {

struct PatchRange {
  std::int64_t channels = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// Copies what the windows see; padding becomes zero. `pixels` is the plane of the first channel.
void read_patches(const ops::Windows& windows, const PatchRange& range, const float* pixels, float* patches);
void read_patches(const ops::Windows& windows, const PatchRange& range, const double* pixels, double* patches);
// Adds patches back to where they were read from.
void add_patches(const ops::Windows& windows, const PatchRange& range, const float* patches, float* pixels);
void add_patches(const ops::Windows& windows, const PatchRange& range, const double* patches, double* pixels);

// Whether the patches of all positions are the pixels themselves: windows of one element at every place.
bool patches_are_pixels(const ops::Windows& windows);

}  // namespace asg::cpu
