#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace asg::lab {

// A tensor on the wire: the bytes "ASGT", the length of the header as u32, the header (a JSON object, filled up with
// spaces to a multiple of 4, which the length counts), the numbers as f32. All little-endian, so that a page can look
// at the numbers where they lie.
std::string tensor_frame(std::string_view header, std::span<const float> values);

struct TensorFrame {
  std::string header;  // without the spaces at its end
  std::vector<float> values;
};

// The inverse. Throws bad_json where the bytes are no such frame.
TensorFrame read_tensor_frame(std::string_view bytes);

}  // namespace asg::lab
