#pragma once

#include <cstdint>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

#include "backend/cpu/library/convolution.h"

namespace asg::cpu {

// A convolution for one picture, of which equal parts of the channels of the result (or of the groups) are computed
// apart where the batch alone does not keep enough threads busy. Offsets count elements.
struct ConvolutionParts {
  ConvolutionParts(const ConvolutionSpec& spec, std::int64_t wanted);

  std::int64_t count = 1;
  ops::Convolution one;  // the geometry of a part of one picture
  // From one part to the next, in the planes of a picture and in the weights.
  std::int64_t x_step = 0;
  std::int64_t w_step = 0;
  std::int64_t y_step = 0;
  std::int64_t channels = 0;  // of the result, in one part

  // Dense tensors of one part; weights may be a part of longer rows.
  dnnl::memory::desc x;
  dnnl::memory::desc w;
  dnnl::memory::desc y;
  dnnl::memory::dims strides;
  dnnl::memory::dims dilations;
  dnnl::memory::dims pads;
  dnnl::memory::dims pads_after;

  std::vector<std::int64_t> key;  // equal where all descriptions are, and the kind is
};

}  // namespace asg::cpu
