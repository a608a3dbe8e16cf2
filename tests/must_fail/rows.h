#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "asg/core/error.h"

namespace asg::test {

// A mistake of a user, made through the public interface, and what the user is told.
struct MustFail {
  ErrorCode code;
  std::string name;  // of the row, unique
  std::function<void()> mistake;
  std::string given;
  std::string needed;
  std::string mend = "";

  friend std::ostream& operator<<(std::ostream& out, const MustFail& row) { return out << row.name; }
};

// One table for each part of the system.
std::vector<MustFail> core_rows();
std::vector<MustFail> card_rows();
std::vector<MustFail> graph_rows();
std::vector<MustFail> json_rows();
std::vector<MustFail> edit_rows();
std::vector<MustFail> autograd_rows();
std::vector<MustFail> backend_rows();
std::vector<MustFail> train_rows();
std::vector<MustFail> io_rows();
std::vector<MustFail> compile_rows();

}  // namespace asg::test
