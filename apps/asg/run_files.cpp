#include "run_files.h"

#include <filesystem>
#include <utility>

#include "asg/core/log.h"
#include "asg/core/platform.h"
#include "run_folder.h"

namespace asg::app {
namespace {

std::vector<std::unique_ptr<train::Logger>> file_loggers(const recipe::Recipe& recipe,
                                                         const train::LogFileOptions& how) {
  std::vector<std::unique_ptr<train::Logger>> loggers;
  if (recipe.log.jsonl || recipe.log.plot) {
    loggers.push_back(train::json_lines_logger(recipe::log_file(recipe.folder), how));
  }
  if (recipe.log.csv) loggers.push_back(train::csv_logger(recipe.folder + "/log.csv", how));
  if (recipe.log.tensorboard) loggers.push_back(train::tensorboard_logger(recipe.folder + "/tensorboard", how));
  return loggers;
}

// Opening a log empties it, so that all are looked at first.
void check_places(const recipe::Recipe& recipe) {
  const auto check = [](const std::string& path, bool is_folder) {
    std::error_code ignored;
    const auto found = std::filesystem::status(path, ignored).type();
    const bool fits =
        is_folder ? found == std::filesystem::file_type::directory : found == std::filesystem::file_type::regular;
    if (fits || found == std::filesystem::file_type::not_found) return;
    fail(ErrorCode::io_error, "\"" + path + "\", which is no " + (is_folder ? "folder" : "file"),
         "a place for the log of the training", "move it away, or choose another --folder");
  };
  if (recipe.log.jsonl || recipe.log.plot) check(recipe::log_file(recipe.folder), false);
  if (recipe.log.csv) check(recipe.folder + "/log.csv", false);
  if (recipe.log.tensorboard) check(recipe.folder + "/tensorboard", true);
}

// Checkpoints know tokens by number: by another tokeniser they would read and write another language.
void check_same_tokenizer(const std::string& folder, const std::string& tokenizer) {
  const std::string file = recipe::tokenizer_file(folder);
  if (tokenizer.empty() || !std::filesystem::exists(file) || platform::read_file(file) == tokenizer) return;
  fail(ErrorCode::bad_attribute, "a text with another tokeniser than \"" + file + "\", by which the training began",
       "the tokeniser of the training that goes on",
       "give the text of before, or keep its tokeniser with --set data.tokens=" + file +
           ", or begin anew in another folder");
}

}  // namespace

RunFiles::RunFiles(const recipe::Recipe& recipe, const recipe::Prepared& prepared, GivenRecipe given, bool overwrite)
    : recipe_(recipe),
      given_(std::move(given)),
      tokenizer_(prepared.tokenizer),
      total_(prepared.spec.course.last_step().value_or(0)),
      resume_(prepared.spec.resume),
      overwrite_(overwrite) {
  if (recipe_.folder.empty()) return;
  lock_.emplace(recipe_.folder, "--folder");
  if (!resume_ && !overwrite_) {
    check_holds_no_run(
        recipe_.folder,
        "resume it with --resume, begin anew in its place with --overwrite, or name another folder with --folder");
  }
  remove_leftovers(recipe_.folder);
  if (resume_) check_same_tokenizer(recipe_.folder, tokenizer_);
}

void RunFiles::begin() {
  if (recipe_.folder.empty()) return;
  if (resume_ && !resumed_after_) {
    log(LogLevel::warning, "there is no checkpoint in \"" + recipe::checkpoint_folder(recipe_.folder) +
                               "\" to resume from: the training begins anew");
  }
  check_places(recipe_);
  if (overwrite_) remove_checkpoints(recipe_.folder);
  files_ = train::fan_out(
      file_loggers(recipe_, {.resume_after = resumed_after_, .resumed_from = resumed_from_, .clock = {}}));
  // `asg generate` asks for the tokeniser.
  if (!tokenizer_.empty()) platform::write_file_atomically(recipe::tokenizer_file(recipe_.folder), tokenizer_);
  recipe::keep_recipe(recipe_.folder, given_.text, given_.format, given_.changes);
  log_.emplace(*files_, total_, recipe_.log.every);
  for (const train::Event& event : std::exchange(early_, {})) log_->write(event);
}

void RunFiles::take(const train::Event& event) {
  if (recipe_.folder.empty()) return;
  if (log_) return log_->write(event);
  // A checkpoint that is damaged may have been passed over: only the training knows which one it took.
  if (const auto* loaded = std::get_if<train::events::CheckpointLoaded>(&event)) {
    resumed_after_ = loaded->step;
    resumed_from_ = loaded->path;
  }
  early_.push_back(event);
}

void RunFiles::sync() {
  if (files_) files_->flush();
}

std::optional<std::string> RunFiles::finish() {
  if (!log_) return std::nullopt;
  files_->flush();
  if (!recipe_.log.plot) return std::nullopt;
  std::string picture = recipe_.folder + "/loss.svg";
  try {
    if (train::plot_log(recipe::log_file(recipe_.folder), picture, recipe_.name)) return picture;
  } catch (const UserError& error) {
    log(LogLevel::warning, std::string("the loss is not plotted: ") + error.what());
  }
  return std::nullopt;
}

}  // namespace asg::app
