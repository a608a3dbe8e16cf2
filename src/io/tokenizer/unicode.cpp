#include "unicode.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <utf8proc.h>

#include "asg/core/error.h"
#include "utf8.h"

namespace asg::io {
namespace {

constexpr char32_t kNextLine = 0x85;
constexpr char32_t kZeroWidthNonJoiner = 0x200C;
constexpr char32_t kZeroWidthJoiner = 0x200D;
constexpr char32_t kCapitalIWithDot = 0x130;
constexpr std::string_view kSmallIWithDot = "i\xCC\x87";

Traits traits_of_category(utf8proc_category_t category) {
  switch (category) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT:
      return kLetter | kUpperLike | kWord;
    case UTF8PROC_CATEGORY_LL:
      return kLetter | kLowerLike | kWord;
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
      return kLetter | kUpperLike | kLowerLike | kWord;
    case UTF8PROC_CATEGORY_MN:
      return kMark | kNonspacing | kUpperLike | kLowerLike | kWord;
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
      return kMark | kUpperLike | kLowerLike | kWord;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
      return kNumber | kWord;
    case UTF8PROC_CATEGORY_NO:
      return kNumber;
    case UTF8PROC_CATEGORY_PC:
      return kPunctuation | kWord;
    case UTF8PROC_CATEGORY_PD:
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PI:
    case UTF8PROC_CATEGORY_PF:
    case UTF8PROC_CATEGORY_PO:
      return kPunctuation;
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return kSpace;
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CO:
      return kControl;
    default:
      return 0;
  }
}

std::array<Traits, 128> ascii_traits() {
  std::array<Traits, 128> traits = {};
  for (char32_t code = 0; code < traits.size(); ++code) traits[code] = traits_by_table(code);
  return traits;
}

using Codes = std::vector<utf8proc_int32_t>;

int combining_class(utf8proc_int32_t code) { return utf8proc_get_property(code)->combining_class; }

// Marks on one base stand in the order of their classes, and as they were where these are equal. The library's own
// ordering takes quadratic time for thousands of marks in a row.
void order_marks(Codes& codes) {
  std::vector<std::pair<std::uint64_t, utf8proc_int32_t>> marks;  // by class and place
  for (std::size_t at = 0; at < codes.size();) {
    marks.clear();
    for (std::size_t end = at; end < codes.size() && combining_class(codes[end]) != 0; ++end) {
      marks.emplace_back(static_cast<std::uint64_t>(combining_class(codes[end])) << 32 | (end - at), codes[end]);
    }
    if (marks.size() > 1) std::sort(marks.begin(), marks.end());
    for (const auto& [order, code] : marks) codes[at++] = code;
    if (marks.empty()) ++at;
  }
}

class Normaliser {
 public:
  explicit Normaliser(NormalForm form)
      : compose_(form == NormalForm::nfc || form == NormalForm::nfkc), options_(UTF8PROC_STABLE) {
    const bool compatible = form == NormalForm::nfkc || form == NormalForm::nfkd;
    options_ = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | (compose_ ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE) |
                                              (compatible ? UTF8PROC_COMPAT : 0));
  }

  std::string of(std::string_view text) {
    out_.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
      const Decoded next = decode_at(text, at);
      // Nothing before an ASCII character or a bad byte has to do with what follows.
      if (next.code < 0x80 || next.code == kNoCharacter) flush();
      if (next.code == kNoCharacter) {
        out_ += text.substr(at, next.bytes);
      } else {
        run_.push_back(static_cast<utf8proc_int32_t>(next.code));
      }
      at += next.bytes;
    }
    flush();
    return std::move(out_);
  }

 private:
  void flush() {
    if (run_.size() > 1 || (run_.size() == 1 && run_[0] >= 0x80)) normalise();
    for (const utf8proc_int32_t code : run_) append_utf8(out_, static_cast<char32_t>(code));
    run_.clear();
  }

  void normalise() {
    constexpr std::size_t kLongest = 32;  // no character has more parts than 18
    std::array<utf8proc_int32_t, kLongest> parts = {};
    decomposed_.clear();
    for (const utf8proc_int32_t code : run_) {
      int boundary = 0;
      const utf8proc_ssize_t count = utf8proc_decompose_char(code, parts.data(), kLongest, options_, &boundary);
      internal_check(count >= 0 && count <= static_cast<utf8proc_ssize_t>(kLongest), "a character with too many parts");
      decomposed_.insert(decomposed_.end(), parts.begin(), parts.begin() + count);
    }
    order_marks(decomposed_);
    if (compose_) {
      const utf8proc_ssize_t count =
          utf8proc_normalize_utf32(decomposed_.data(), static_cast<utf8proc_ssize_t>(decomposed_.size()), options_);
      internal_check(count >= 0, "characters that cannot be composed");
      decomposed_.resize(static_cast<std::size_t>(count));
    }
    run_.swap(decomposed_);
  }

  bool compose_;
  utf8proc_option_t options_;
  std::string out_;
  Codes run_;
  Codes decomposed_;
};

}  // namespace

const std::array<Traits, 128> kAsciiTraits = ascii_traits();

Traits traits_by_table(char32_t code) {
  if (code == kNoCharacter) return 0;
  Traits traits = traits_of_category(utf8proc_category(static_cast<utf8proc_int32_t>(code)));
  if ((code >= '\t' && code <= '\r') || code == kNextLine) traits |= kSpace;
  if (code == kZeroWidthJoiner || code == kZeroWidthNonJoiner) traits |= kWord;
  return traits;
}

void append_lower_case(std::string& out, char32_t code) {
  // The one character whose lower case is two.
  if (code == kCapitalIWithDot) {
    out += kSmallIWithDot;
  } else {
    append_utf8(out, static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code))));
  }
}

std::string normal_form(std::string_view text, NormalForm form) { return Normaliser(form).of(text); }

}  // namespace asg::io
