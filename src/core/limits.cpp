#include "asg/core/limits.h"

#include <array>
#include <atomic>
#include <utility>

#include "asg/core/error.h"

namespace asg {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kGiB = std::int64_t{1} << 30;

constexpr std::array<LimitInfo, 9> kLimits = {{
    {Limit::file_bytes, "--max-file-bytes", 4 * kGiB, true, "bytes of a file that is read into memory"},
    {Limit::unpacked_bytes, "--max-unpacked-bytes", kGiB, true, "bytes that a compressed file unpacks to"},
    {Limit::json_bytes, "--max-json-bytes", 128 * kMiB, true,
     "bytes of a JSON or TOML text that is read as a whole: settings, recipes, tokenizers, indexes"},
    {Limit::depth, "--max-depth", 256, false, "nesting of the values in JSON and TOML"},
    {Limit::nodes, "--max-nodes", 1'000'000, false, "nodes of a model in a file, subgraphs and functions included"},
    {Limit::ids, "--max-ids", 20'000'000, false, "the ids of the nodes and variables of a model in a JSON file"},
    {Limit::elements, "--max-elements", std::int64_t{1} << 29, false,
     "elements of a tensor in a JSON model, and of what a loop stacks"},
    {Limit::pixels, "--max-pixels", std::int64_t{1} << 26, false, "pixels of an image"},
    {Limit::trips, "--max-trips", 1'000'000, false, "iterations of a Loop"},
}};

std::array<std::atomic<std::int64_t>, kLimits.size()>& limits_in_use() {
  static auto* const values = [] {
    auto* made = new std::array<std::atomic<std::int64_t>, kLimits.size()>;
    for (std::size_t k = 0; k < kLimits.size(); ++k) (*made)[k] = kLimits[k].fallback;
    return made;
  }();
  return *values;
}

}  // namespace

std::span<const LimitInfo> all_limits() { return kLimits; }

const LimitInfo& info_of(Limit limit) { return kLimits[static_cast<std::size_t>(limit)]; }

std::int64_t limit_of(Limit limit) { return limits_in_use()[static_cast<std::size_t>(limit)]; }

void set_limit(Limit limit, std::int64_t most) {
  if (most < 1) {
    fail(ErrorCode::bad_attribute, "a limit of " + std::to_string(most) + " for " + std::string(info_of(limit).option),
         "a number of at least 1");
  }
  limits_in_use()[static_cast<std::size_t>(limit)] = most;
}

std::string amount_text(const LimitInfo& info, std::int64_t amount) {
  if (!info.in_bytes) return std::to_string(amount);
  for (const auto& [unit, name] : {std::pair{kGiB, " GiB"}, std::pair{kMiB, " MiB"}}) {
    if (amount >= unit && amount % unit == 0) return std::to_string(amount / unit) + name;
  }
  return std::to_string(amount) + " bytes";
}

void fail_limit(Limit limit, std::string given) { fail_limit(limit, std::move(given), limit_of(limit)); }

void fail_limit(Limit limit, std::string given, std::int64_t most) {
  const LimitInfo& info = info_of(limit);
  fail(ErrorCode::limit_exceeded, std::move(given), "at most " + amount_text(info, most),
       "raise the limit with " + std::string(info.option) + " if you trust the file");
}

}  // namespace asg
