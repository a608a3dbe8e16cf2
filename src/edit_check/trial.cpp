#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>

#include "asg/edit_check/edit_check.h"
#include "edit_check/judge.h"
#include "edit_check/random_command.h"
#include "edit_check/random_message.h"

namespace asg::edit_check {
namespace {

// A folder of its own, gone with the object.
class TrialFolder {
 public:
  TrialFolder() {
    static std::atomic<int> count = 0;
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    path_ = std::filesystem::temp_directory_path() /
            ("asg-edits-" + std::to_string(now) + "-" + std::to_string(count.fetch_add(1)));
  }
  ~TrialFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TrialFolder(const TrialFolder&) = delete;
  TrialFolder& operator=(const TrialFolder&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

Trial conclude_trial(Judge& judge, Trial trial) {
  judge.conclude();
  trial.failures = judge.take_failures();
  trial.edits = judge.edits();
  trial.accepted = judge.accepted();
  trial.coverage = judge.coverage();
  return trial;
}

constexpr std::array<const char*, 4> kPolicies = {"overlap", "preserve", "", "fresh"};  // "": none is named

// Every kind of command with every policy comes in turn, beside what is drawn: one edit, then undo and redo.
std::vector<std::string> lines_in_turn(Dice& dice, const Graph& graph, std::uint64_t number) {
  const std::string line =
      edit_line(dice, graph, (number / kPolicies.size()) % kCommandKinds, kPolicies[number % kPolicies.size()]);
  if (line.empty()) return {};
  std::vector<std::string> lines = {line, R"({"do":"undo"})"};
  if (dice.one_in(2)) lines.emplace_back(R"({"do":"redo"})");
  if (dice.one_in(2)) lines.emplace_back(R"({"do":"step"})");
  if (dice.one_in(3)) lines.emplace_back(R"({"do":"undo"})");
  return lines;
}

Setup setup_of(std::uint64_t seed, std::uint64_t number) {
  const std::vector<std::string>& models = model_names();
  const std::vector<std::string>& optimizers = optimizer_names();
  // Every model meets every optimizer, since their numbers have no common divisor or the turn is shifted.
  return {models[number % models.size()], optimizers[(number + number / models.size()) % optimizers.size()],
          seed * 1000003 + number};
}

}  // namespace

const std::vector<std::string>& command_names() {
  static const std::vector<std::string> kNames = []<std::size_t... kKinds>(std::index_sequence<kKinds...>) {
    return std::vector<std::string>{
        std::string(asg::name_of(Command(std::variant_alternative_t<kKinds, Command>{})))...};
  }(std::make_index_sequence<kCommandKinds>{});
  return kNames;
}

const std::vector<Promise>& all_promises() {
  static const std::vector<Promise> kAll = {Promise::one_verdict, Promise::keeps_running, Promise::refusal,
                                            Promise::twin,        Promise::undo,          Promise::learned,
                                            Promise::undo_all,    Promise::return_to,     Promise::preserve,
                                            Promise::unasked,     Promise::checkpoint};
  return kAll;
}

std::string_view name_of(Promise promise) {
  constexpr std::array<std::string_view, 11> kNames = {"one_verdict", "keeps_running", "refusal",   "twin",
                                                       "undo",        "learned",       "undo_all",  "return_to",
                                                       "preserve",    "unasked",       "checkpoint"};
  return kNames[static_cast<std::size_t>(promise)];
}

Trial run_trial(std::uint64_t seed, std::uint64_t number, const TrialOptions& options) {
  Trial trial{.number = number, .setup = setup_of(seed, number)};
  const TrialFolder folder;
  Dice dice(seed, combine(7, number));
  Judge judge(trial.setup, folder.path());
  const bool trains = !dice.one_in(4);  // in the others undoing everything restores all values
  const auto say = [&](const std::string& line) {
    if (!judge.goes_on()) return;
    if (options.before_line) options.before_line(trial.setup, line);
    trial.lines.push_back(line);
    judge.say(line, static_cast<int>(trial.lines.size() % 3));
  };
  if (trains && dice.one_in(2)) say(R"({"do":"run","steps":2})");
  say(R"({"do":"snapshot","label":"first"})");
  std::uint64_t turn = number * 5;
  while (static_cast<int>(trial.lines.size()) < options.messages && judge.goes_on()) {
    if (!judge.session().is_running() && dice.one_in(6)) {
      for (const std::string& line : lines_in_turn(dice, judge.now()->graph, turn++)) {
        if (trains || said_by(line).kind != "run") say(line);
      }
      continue;
    }
    const std::string line = random_line(dice, *judge.now(), judge.session().is_running());
    if (!trains && said_by(line).kind == "run") continue;
    say(line);
  }
  return conclude_trial(judge, std::move(trial));
}

Trial run_all_commands(const Setup& setup) {
  constexpr int kDraws = 3;
  Trial trial{.setup = setup};
  const TrialFolder folder;
  Dice dice(setup.seed, combine(8, setup.model));
  Judge judge(setup, folder.path());
  const auto say = [&](const std::string& line) {
    if (!judge.goes_on()) return;
    trial.lines.push_back(line);
    judge.say(line, 0);
  };
  say(R"({"do":"snapshot","label":"first"})");
  for (std::size_t kind = 0; kind < kCommandKinds; ++kind) {
    for (std::size_t policy = 0; policy < kPolicies.size(); ++policy) {
      for (int draw = 0; draw < kDraws && judge.goes_on(); ++draw) {
        const std::string line = edit_line(dice, judge.now()->graph, kind, kPolicies[policy]);
        if (line.empty()) continue;
        const std::int64_t accepted = judge.accepted();
        say(line);
        if (judge.accepted() == accepted) continue;
        say(R"({"do":"undo"})");
        say(R"({"do":"redo"})");
        if (policy == kind % kPolicies.size()) say(R"({"do":"run","steps":1})");
        say(R"({"do":"undo"})");
        break;
      }
    }
  }
  return conclude_trial(judge, std::move(trial));
}

Trial replay(const Setup& setup, const std::vector<std::string>& lines, const TrialOptions& options) {
  Trial trial{.setup = setup, .lines = lines};
  const TrialFolder folder;
  Judge judge(setup, folder.path());
  for (std::size_t k = 0; k < lines.size() && judge.goes_on(); ++k) {
    if (options.before_line) options.before_line(setup, lines[k]);
    judge.say(lines[k], static_cast<int>((k + 1) % 3));
  }
  return conclude_trial(judge, std::move(trial));
}

}  // namespace asg::edit_check
