#include "asg/core/error.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>
#include <utility>

namespace asg {
namespace {

struct CodeText {
  std::string_view name;
  std::string_view summary;
};

constexpr CodeText kCodeTexts[] = {
#define ASG_CODE(code, summary) {#code, summary},
    ASG_ERROR_CODES(ASG_CODE)
#undef ASG_CODE
};

constexpr ErrorCode kCodes[] = {
#define ASG_CODE(code, summary) ErrorCode::code,
    ASG_ERROR_CODES(ASG_CODE)
#undef ASG_CODE
};

// A JSON pointer is a place in a file: nothing was built there.
bool is_json_pointer(std::string_view where) { return where.substr(0, 1) == "/"; }

std::string place_of(const ErrorDetail& detail) {
  if (detail.node.empty() && detail.where.empty()) return "";
  if (detail.where.empty()) return " (in " + detail.node + ")";
  if (detail.node.empty()) return " (at " + detail.where + ")";
  return " (in " + detail.node + (is_json_pointer(detail.where) ? ", at " : ", built at ") + detail.where + ")";
}

std::string text_of(const ErrorDetail& detail) {
  std::string text(name_of(detail.code));
  text += ": ";
  if (detail.given.empty()) {
    text += summary_of(detail.code);
  } else {
    text += detail.given;
  }
  text += place_of(detail);
  if (!detail.needed.empty()) text += "\n  needed: " + detail.needed;
  if (!detail.mend.empty()) text += "\n  to mend: " + detail.mend;
  return text;
}

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return lower;
}

// Insertions, deletions, replacements and swaps of neighbours that turn `from` into `to`.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before(to.size() + 1);
  std::vector<std::size_t> last(to.size() + 1);
  std::vector<std::size_t> now(to.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t row = 1; row <= from.size(); ++row) {
    now[0] = row;
    for (std::size_t column = 1; column <= to.size(); ++column) {
      const std::size_t replaced = last[column - 1] + (from[row - 1] == to[column - 1] ? 0 : 1);
      now[column] = std::min({replaced, last[column] + 1, now[column - 1] + 1});
      if (row > 1 && column > 1 && from[row - 1] == to[column - 2] && from[row - 2] == to[column - 1]) {
        now[column] = std::min(now[column], before[column - 2] + 1);
      }
    }
    before.swap(last);
    last.swap(now);
  }
  return last[to.size()];
}

}  // namespace

std::string_view name_of(ErrorCode code) { return kCodeTexts[static_cast<std::size_t>(code)].name; }
std::string_view summary_of(ErrorCode code) { return kCodeTexts[static_cast<std::size_t>(code)].summary; }
std::span<const ErrorCode> all_error_codes() { return kCodes; }

bool operator==(const ErrorDetail& a, const ErrorDetail& b) {
  return a.code == b.code && a.given == b.given && a.needed == b.needed && a.mend == b.mend && a.node == b.node &&
         a.where == b.where;
}

UserError::UserError(ErrorDetail detail) : detail_(std::move(detail)), text_(text_of(detail_)) {}

UserError UserError::with_node(std::string node) const {
  ErrorDetail detail = detail_;
  if (detail.node.empty()) detail.node = std::move(node);
  return UserError(std::move(detail));
}

UserError UserError::with_where(std::string where) const {
  ErrorDetail detail = detail_;
  if (detail.where.empty()) detail.where = std::move(where);
  return UserError(std::move(detail));
}

InternalError::InternalError(std::string message, SourceLocation where)
    : text_("internal error: " + std::move(message)) {
  if (where.known()) text_ += " (at " + where.to_string() + ")";
  text_ += "\n  this is a mistake in ASG, not in your program; please report it";
}

void fail(ErrorCode code, std::string given, std::string needed, std::string mend) {
  throw UserError({code, std::move(given), std::move(needed), std::move(mend), "", ""});
}

void fail_internal(std::string message, SourceLocation where) { throw InternalError(std::move(message), where); }

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  constexpr std::size_t kLongestName = 256;  // keeps the cost small for whatever stands in a file
  if (name.empty() || name.size() > kLongestName) return "";
  const std::string wanted = in_lower_case(name);
  const std::size_t allowed = std::min(std::max<std::size_t>(1, name.size() / 3), name.size() - 1);
  std::size_t best_distance = allowed + 1;
  std::string_view best;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(candidate.size(), name.size());
    const std::size_t shorter = std::min(candidate.size(), name.size());
    if (longer - shorter >= best_distance) continue;  // the distance is at least this
    const std::size_t distance = edit_distance(wanted, in_lower_case(candidate));
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = candidate;
  }
  return std::string(best);
}

}  // namespace asg
