#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "unicode.h"

namespace asg::io {

// One change of the text before it is cut.
struct NormaliseStep {
  enum class Kind : std::uint8_t {
    bert,           // the four below, each if it is set
    lower_case,     //
    strip_accents,  // drops all marks; a normal form goes before it
    form,           //
    prepend,        // `to` before a text that is not empty
    replace,        // each `from` becomes `to`
  };
  Kind kind = Kind::bert;
  // Of BERT: drop control characters and make all white space blank; blanks around Chinese characters; decompose and
  // drop nonspacing marks; lower case.
  bool clean = true;
  bool chinese = true;
  bool accents = true;
  bool lower = true;
  NormalForm normal_form = NormalForm::nfc;
  std::string from = {};
  std::string to = {};

  friend bool operator==(const NormaliseStep&, const NormaliseStep&) = default;
};

std::string normalise(std::span<const NormaliseStep> steps, std::string_view text);

}  // namespace asg::io
