#include <algorithm>

#include <fmt/core.h>

#include "asg/asg.h"
#include "asg/core/platform.h"
#include "asg/graph/catalogue.h"
#include "commands.h"
#include "console.h"

namespace asg::app {
namespace {

struct OpsOptions {
  std::string name;
  std::string lang = "en";
  bool json = false;
};

// By category, a line per op: its name and the first sentence of what it does.
void list(const std::vector<const OpCard*>& ops, Lang lang) {
  constexpr std::size_t kOpColumn = 26;
  std::vector<const OpCard*> sorted = ops;
  std::sort(sorted.begin(), sorted.end(), [](const OpCard* a, const OpCard* b) {
    return std::pair(a->category, std::string_view(a->name)) < std::pair(b->category, std::string_view(b->name));
  });
  std::optional<Category> shown;
  for (const OpCard* op : sorted) {
    if (shown != op->category) {
      fmt::print("{}{}\n", shown ? "\n" : "", painted(in_language(words_of(op->category), lang), Paint::bold));
      shown = op->category;
    }
    const std::string_view what = in_language(op->words.what, lang);
    const std::size_t end = what.find(". ");
    const std::string_view sentence = end == std::string_view::npos ? what : what.substr(0, end + 1);
    fmt::print("  {:<{}} {}\n", op->name, kOpColumn, sentence);
  }
}

void run(const OpsOptions& options) {
  const Lang lang = *parse_lang(options.lang);
  std::vector<const OpCard*> ops = Registry::global().all();
  if (!options.name.empty()) ops = {&Registry::global().get(options.name)};
  if (options.json) {
    fmt::print("{}", catalogue_json(ops));
  } else if (options.name.empty()) {
    list(ops, lang);
  } else {
    fmt::print("{}", describe(*ops.front(), lang, std::min(platform::terminal_width(), 120)));
  }
}

}  // namespace

void add_ops(CLI::App& app, int& /*outcome*/) {
  auto options = std::make_shared<OpsOptions>();
  CLI::App* command = app.add_subcommand("ops", "List all ops and layers, or tell everything about one");
  command->add_option("name", options->name, "Name of an op, such as Softmax or nn.Linear");
  command->add_flag("--json", options->json, "As JSON, with everything that the cards say");
  command->add_option("--lang", options->lang, "Language of the words")
      ->check(CLI::IsMember({"en", "ru"}))
      ->capture_default_str();
  command->callback([options] { run(*options); });
}

}  // namespace asg::app
