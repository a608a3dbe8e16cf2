#include <filesystem>

#include <fmt/core.h>

#include "asg/asg.h"
#include "asg/core/platform.h"
#include "commands.h"
#include "load_model.h"

namespace asg::app {
namespace {

struct ConvertOptions {
  std::string in;
  std::string out;
  std::string to;
};

std::string form_of(const ConvertOptions& options) {
  if (!options.to.empty()) return options.to;
  const std::string extension = std::filesystem::path(options.out).extension().string();
  if (extension == ".json") return "json";
  if (extension == ".dot" || extension == ".gv") return "graphviz";
  if (extension == ".txt" || extension == ".text") return "text";
  fail(ErrorCode::bad_command, "the file name '" + options.out + "'", "an extension of .json, .txt, .dot or .gv",
       "say the form with --to json, --to text or --to graphviz");
}

void run(const ConvertOptions& options) {
  const std::string form = form_of(options);
  const Graph graph = load_model(options.in);
  const std::string content = form == "json" ? to_json(graph) : form == "text" ? to_text(graph) : to_graphviz(graph);
  if (options.out == "-") {
    fmt::print("{}", content);
  } else {
    platform::write_file_atomically(options.out, content);
  }
}

}  // namespace

void add_convert(CLI::App& app, int& /*outcome*/) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = app.add_subcommand("convert", "Write a model in another form: text, JSON or GraphViz");
  command->add_option("in", options->in, "A model in JSON or ONNX")->required();
  command->add_option("out", options->out, "File to write, or - for the terminal (needs --to)")->required();
  command->add_option("--to", options->to, "Form; without it the extension of the file decides")
      ->check(CLI::IsMember({"text", "json", "graphviz"}));
  command->callback([options] { run(*options); });
}

}  // namespace asg::app
