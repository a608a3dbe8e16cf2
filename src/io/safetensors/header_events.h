#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "header.h"

namespace asg::io {

// Takes the header apart as the JSON parser reports it. No tree is built, so a header costs little more memory than the
// tensors that it names, and nesting is refused where it begins. The form:
//   {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, …, "__metadata__": {"key": "text", …}}
class HeaderEvents {
 public:
  explicit HeaderEvents(const std::string& path) : path_(path) {}

  void text(std::string& value);
  void number(std::uint64_t value);
  [[noreturn]] void other(const char* what);  // null, true, 1.5, −1
  void key(std::string& name);
  void open_object();
  void open_array();
  void close();

  std::vector<TensorInfo> tensors;
  TextByName metadata;

 private:
  enum class State : std::uint8_t { document, top, tensor, shape, offsets, metadata };
  enum Field : unsigned { dtype_field = 1, shape_field = 2, offsets_field = 4, all_fields = 7 };

  [[noreturn]] void refuse(std::string given, std::string needed) const;
  std::string place() const;

  const std::string& path_;
  State state_ = State::document;
  std::string key_;  // the present one, of the innermost object
  Field field_ = dtype_field;
  unsigned seen_ = 0;  // fields of the present tensor
  bool has_metadata_ = false;
  std::vector<std::uint64_t> offsets_;
};

}  // namespace asg::io
