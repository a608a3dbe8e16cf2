#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "asg/train/engine.h"

// The randomised test of edits: a tiny training gets random messages, valid and malformed, paused and running, and
// after each of them what was promised is checked. docs/edit-check.md describes it.
namespace asg::edit_check {

// What is trained in a trial.
struct Setup {
  std::string model;      // one of `model_names`
  std::string optimizer;  // one of `optimizer_names`
  std::uint64_t seed = 1;
};
const std::vector<std::string>& model_names();      // "mlp", "transformer", …
const std::vector<std::string>& optimizer_names();  // "sgd", "adamw + ema + accumulate 2", …

Graph make_model(std::string_view name);  // throws bad_command
// As a recipe in TOML, for `asg train`. `model`: the file of the model; "": the recipe names none.
std::string recipe_of(const Setup& setup, const std::string& model, const std::string& folder);
train::TrainingSpec make_spec(const Setup& setup, const std::string& folder);

// ---- What must hold

enum class Promise : std::uint8_t {
  one_verdict,    // every message gets exactly one verdict, soon; no other exception than UserError
  keeps_running,  // no training fails, stops or pauses by a message; every accepted change can make steps
  refusal,        // what is refused, and what only asks, changes nothing: model, journal, values, snapshot numbers
  twin,           // a training that gets the accepted messages alone has the same losses, bit for bit
  undo,           // undo right after a change restores model, values and optimizer state bit for bit; redo likewise
  learned,        // undo after steps keeps what was learned, and removed values return as they were
  undo_all,       // undoing everything gives the first model; its values too, where no step ran
  return_to,      // a snapshot restores model and state bit for bit
  preserve,       // an accepted `preserve` keeps the outputs in eval mode on the last batch
  unasked,        // without a policy, no value that has a place after the edit is lost
  checkpoint      // a checkpoint or a branch has the same bits and the same next loss
};
const std::vector<Promise>& all_promises();
std::string_view name_of(Promise promise);  // "one_verdict"

struct Failure {
  Promise promise;
  std::size_t line = 0;  // of the script, from 0; its length: found at the end
  std::string detail;
};

const std::vector<std::string>& command_names();  // of edits, in the order of the variant

// How often something was said, for a look at what a check covers.
using Coverage = std::map<std::string, std::int64_t>;

struct Trial {
  std::uint64_t number = 0;
  Setup setup;
  std::vector<std::string> lines;  // messages, each in JSON
  std::vector<Failure> failures;   // of each promise the first
  std::int64_t edits = 0;          // edits, undos and redos that were sent
  std::int64_t accepted = 0;       // of these
  Coverage coverage;               // "set_config overlap accepted" …
};

struct TrialOptions {
  int messages = 24;
  // Gets each line before it is sent, so that a line that ends the process is known.
  std::function<void(const Setup& setup, const std::string& line)> before_line = {};
};

// The same trial for the same seed and number.
Trial run_trial(std::uint64_t seed, std::uint64_t number, const TrialOptions& options = {});
// Every kind of command with every policy and with none, each taken back and applied again.
Trial run_all_commands(const Setup& setup);
// A script again, with the same checks.
Trial replay(const Setup& setup, const std::vector<std::string>& lines, const TrialOptions& options = {});
// A short script that breaks the same promise.
std::vector<std::string> reduce(const Setup& setup, std::vector<std::string> lines, Promise promise);

// Writes model.json, recipe.toml and script.jsonl into a folder, for `asg train --script`. Returns the command.
std::string write_replay(const std::string& folder, const Setup& setup, const std::vector<std::string>& lines);

// ---- Memory

struct Growth {
  std::int64_t edits = 0;   // that were accepted
  std::int64_t before = 0;  // resident bytes after the first step
  std::int64_t after = 0;   // resident bytes at the end
};
// Edits one small model that often, with a step after each.
Growth measure_growth(std::int64_t edits);

}  // namespace asg::edit_check
