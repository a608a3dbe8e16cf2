#include "lab_session.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "asg/core/error.h"
#include "asg/core/limits.h"
#include "asg/core/platform.h"
#include "asg/lab/workspace.h"
#include "asg/recipe/recipe.h"
#include "asg/recipe/toml.h"
#include "asg/version.h"
#include "digits_model.h"
#include "lab_zoo.h"
#include "run_folder.h"
#include "run_lock.h"

namespace asg::app {
namespace {

using LabJson = nlohmann::json;

// Whether somebody sits before this machine.
bool has_desktop() { return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr; }

// The address goes to the program as one argument, past any shell.
void show_in_browser(const std::string& url) {
  const pid_t child = fork();
  if (child != 0) return;
  setsid();
  execlp("xdg-open", "xdg-open", url.c_str(), nullptr);
  _exit(1);
}

std::string text_or_nothing(const LabJson& object, const char* field) {
  const auto found = object.find(field);
  if (found == object.end()) return "";
  if (!found->is_string()) fail(ErrorCode::bad_command, std::string("the field '") + field + "'", "a text");
  return found->get<std::string>();
}

// A name from the page that must not be taken for a file, nor for more than a name.
std::string plain_name(const LabJson& object, const char* field, const char* needed) {
  std::string name = text_or_nothing(object, field);
  const auto is_plain = [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '-' || letter == '_';
  };
  if (!std::all_of(name.begin(), name.end(), is_plain)) {
    fail(ErrorCode::bad_command, std::string("'") + name + "' as " + field, needed);
  }
  return name;
}

lab::Opened open_request(const std::string& workspace, std::string_view text) {
  const LabJson request = LabJson::parse(text, nullptr, false);
  const auto source = request.is_object() ? request.find("source") : request.end();
  if (source == request.end() || !source->is_object()) {
    fail(ErrorCode::bad_command, "'open' without a source",
         R"({"do":"open","source":{"zoo":"lenet"},"data":"digits"})");
  }
  const std::string data = plain_name(request, "data", "a name of `asg data list`");
  const std::string zoo = plain_name(*source, "zoo", "a name of `asg zoo`");
  if (!zoo.empty()) {  // and no file of that name
    lab::Opened opened = open_training("", data, {"model.zoo=" + recipe::toml_text(zoo)});
    opened.label = zoo;
    return opened;
  }
  for (const char* kind : {"json", "run", "recipe"}) {
    const std::string name = text_or_nothing(*source, kind);
    if (!name.empty()) return open_training(lab::file_below(workspace, name), data, {});
  }
  fail(ErrorCode::bad_command, "a source that is not known", "one of: zoo, json, run, recipe");
}

bool is_recipe(const std::filesystem::path& file) {
  if (file.extension() == ".toml") return true;
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(file, unknown);
  if (file.extension() != ".json" || unknown || bytes > static_cast<std::uintmax_t>(limit_of(Limit::json_bytes))) {
    return false;
  }
  const LabJson content = LabJson::parse(platform::read_file(file.string()), nullptr, false);
  return content.is_object() && content.contains("data") && !content.contains("nodes");
}

}  // namespace

namespace {

// A training that nobody described has no end, unless a change gives it one: people pause it when they have seen
// enough.
void leave_open(recipe::Recipe& recipe, const std::vector<std::string>& changes) {
  const auto sets_end = [](const std::string& change) {
    return change.starts_with("course.epochs") || change.starts_with("course.steps");
  };
  if (std::any_of(changes.begin(), changes.end(), sets_end)) return;
  recipe.course.epochs = 0;
  recipe.course.steps = 0;
}

// Of the file that a person may have named. One that the system does not even look for is no name of the zoo either.
std::filesystem::file_type type_of(const std::string& what) {
  std::error_code problem;
  const std::filesystem::file_type type = std::filesystem::status(what, problem).type();
  if (type != std::filesystem::file_type::none) return type;
  fail(ErrorCode::io_error, "\"" + what + "\": " + problem.message(),
       "a recipe, a model in JSON or ONNX, a name of the zoo, or the folder of a run",
       "check the path; `asg zoo` lists the names");
}

// Whoever looks at the folder of a run keeps nobody from training there. The first step and the first checkpoint are
// another thing: they need the folder for this training alone.
void claim_with_first_step(train::TrainingSpec& spec, const std::string& folder) {
  if (folder.empty()) return;
  const auto lock = std::make_shared<std::unique_ptr<RunLock>>();
  const auto claim = [lock, folder, resume = spec.resume] {
    if (*lock) return;
    auto claimed = std::make_unique<RunLock>(folder, "--set folder=NAME");
    if (!resume)
      check_holds_no_run(folder, "open that folder to resume its run, or name another with --set folder=NAME");
    remove_leftovers(folder);
    *lock = std::move(claimed);
  };
  spec.before_save = claim;
  spec.batch = [claim, batch = std::move(spec.batch)](std::int64_t step) {
    claim();
    return batch(step);
  };
}

}  // namespace

lab::Opened open_training(const std::string& what, const std::string& data, const std::vector<std::string>& changes) {
  namespace fs = std::filesystem;
  const fs::file_type type = type_of(what);
  recipe::Recipe recipe;
  bool resume = false;
  std::function<Graph()> otherwise;
  std::vector<std::string> all = changes;
  if (!data.empty()) all.push_back("data.name=" + recipe::toml_text(data));
  if (what.empty()) {
    recipe = recipe::read_recipe(kDigitsRecipe, recipe::Format::toml, all);
    leave_open(recipe, all);
    otherwise = digits_model;
  } else if (type == fs::file_type::directory) {
    recipe = recipe::load_kept_recipe(what, all);
    resume = true;
  } else if (type != fs::file_type::not_found && is_recipe(what)) {
    recipe = recipe::load_recipe(what, all);
  } else if (type != fs::file_type::not_found) {
    all.push_back("model.file=" + recipe::toml_text(what));
    recipe = recipe::read_recipe(kDigitsRecipe, recipe::Format::toml, all);
    leave_open(recipe, all);
  } else {
    const std::vector<std::string> suggested = changes_for_zoo(what, !data.empty(), changes);
    all.insert(all.begin(), suggested.begin(), suggested.end());  // what somebody asks for comes later, and counts
    recipe = recipe::read_recipe(kDigitsRecipe, recipe::Format::toml, all);
    leave_open(recipe, all);
  }
  if (!what.empty()) recipe.name = fs::path(what).stem().string();
  recipe::Prepared prepared = recipe::prepare(recipe, otherwise);
  prepared.spec.resume = resume;
  claim_with_first_step(prepared.spec, recipe.folder);
  return {recipe.name, std::move(prepared.spec)};
}

namespace {

// What is wrong with a name of this server, as it stands in Host; "" where nothing is.
std::string wrong_host(const std::string& name) {
  const auto fits = [](unsigned char letter) {
    return std::isalnum(letter) != 0 || std::string_view(".-_:[]").find(static_cast<char>(letter)) != std::string::npos;
  };
  if (!name.empty() && std::all_of(name.begin(), name.end(), fits)) return "";
  return "'" + name + "' is no name of a server; needed is a name, or a name and a port, such as localhost:9000";
}

}  // namespace

void add_lab_options(CLI::App& command, LabOptions& options, const std::string& prefix) {
  command.add_option(prefix + "port", options.server.port, "Port to listen at; 0: a free one")->capture_default_str();
  command.add_option(prefix + "host", options.server.host, "Address to listen at")->capture_default_str();
  command
      .add_option(prefix + "hosts", options.server.hosts,
                  "Further names by which browsers may know this server, for tunnels and names of machines: "
                  "lab.example.org, localhost:9000")
      ->delimiter(',')
      ->check(CLI::Validator(wrong_host, ""))
      ->type_name("NAME,...");
  command.add_option(prefix + "lang", options.language, "Language in which the page begins")
      ->check(CLI::IsMember({"en", "ru"}))
      ->capture_default_str();
  command.add_option(prefix + "workspace", options.workspace, "Folder below which files named by the page lie")
      ->capture_default_str();
  command.add_flag_callback(
      prefix + "no-open", [&options] { options.open_browser = false; }, "Do not show the page in a browser");
  command.add_option(prefix + "trainings", options.trainings, "Trainings and branches at a time")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_flag(prefix + "read-only", options.server.read_only, "Nobody may change anything");
}

lab::HubOptions hub_options(const LabOptions& options) {
  lab::HubOptions result;
  result.version = kVersion;
  result.language = options.language;
  result.workspace = options.workspace;
  result.most_trainings = options.trainings;
  result.open = [workspace = options.workspace](std::string_view request) { return open_request(workspace, request); };
  return result;
}

void announce(const lab::Lab& lab, const LabOptions& options) {
  fmt::print("  Model Lab   {}\n  to look     {}\n", lab.server().url(), lab.server().viewer_url());
  std::fflush(stdout);
  if (options.open_browser && has_desktop()) show_in_browser(lab.server().url());
}

}  // namespace asg::app
