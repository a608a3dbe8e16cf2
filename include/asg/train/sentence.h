#pragma once

#include <string>

namespace asg::train {

// A text in the two languages of the product, made while the program runs.
struct Sentence {
  std::string en;
  std::string ru;

  bool empty() const { return en.empty(); }
  friend bool operator==(const Sentence&, const Sentence&) = default;
};

}  // namespace asg::train
