#include "asg/compile/explain.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/core.h>

#include "asg/asg.h"
#include "asg/compile/profile.h"
#include "asg/core/platform.h"
#include "commands.h"
#include "compute_options.h"
#include "console.h"
#include "explain_json.h"
#include "load_model.h"
#include "sizes.h"

namespace asg::app {
namespace {

struct ExplainOptions {
  std::string file;
  std::vector<std::string> sizes;
  bool train = false;
  std::string loss = "loss";
  std::string optimizer = "adam";
  ComputeOptions compute;
  std::vector<std::string> off;
  bool pass_graphs = false;
  bool kernels = false;
  std::string svg;
  std::string json;
};

void section(const std::string& text) { fmt::print("\n{}\n", painted(text, Paint::bold)); }

double milliseconds(double seconds) { return seconds * 1e3; }

// ---- Passes and stages

// "  1253 →    900 nodes"
std::string change_text(const PassReport& pass) {
  constexpr std::string_view kBytes = "bytes ";
  const bool bytes = pass.unit.starts_with(kBytes);
  const auto count = [&](std::size_t number) {
    return bytes ? bytes_text(static_cast<std::int64_t>(number)) : std::to_string(number);
  };
  return fmt::format("{:>8} → {:>8} {:<12}", count(pass.before), count(pass.after),
                     bytes ? pass.unit.substr(kBytes.size()) : pass.unit);
}

void print_passes(const Explanation& explanation) {
  section("compile");
  for (const PassReport& pass : explanation.passes) {
    if (!pass.ran) {
      fmt::print("  {:<16} off\n", pass.name);
      continue;
    }
    fmt::print("  {:<16} {} {:>10.2f} ms\n", pass.name, change_text(pass), milliseconds(pass.seconds));
    for (const std::string& note : pass.notes) fmt::print("      {}\n", note);
  }
  for (const StageTime& stage : explanation.stages) {
    fmt::print("  {:<16} {:>43.2f} ms\n", stage.name, milliseconds(stage.seconds));
  }
  fmt::print("  {:<16} {:>43.2f} ms\n", "together", milliseconds(explanation.compile_seconds()));
}

// ---- Steps

void print_kinds(const Program& program) {
  struct Sum {
    int steps = 0;
    StepCost cost;
  };
  std::map<StepKind, Sum> kinds;
  for (const Step& step : program.steps) {
    Sum& sum = kinds[kind_of(step)];
    const StepCost cost = cost_of(program, step);
    ++sum.steps;
    sum.cost.flops += cost.flops;
    sum.cost.bytes_read += cost.bytes_read;
    sum.cost.bytes_written += cost.bytes_written;
  }
  section(fmt::format("{} steps by kind", program.steps.size()));
  fmt::print("  {:<14} {:>6} {:>12} {:>12} {:>12}\n", "", "steps", "MFLOP", "read", "written");
  for (const auto& [kind, sum] : kinds) {
    fmt::print("  {:<14} {:>6} {:>12.3f} {:>12} {:>12}\n", name_of(kind), sum.steps, sum.cost.flops * 1e-6,
               bytes_text(sum.cost.bytes_read), bytes_text(sum.cost.bytes_written));
  }
}

void print_steps(const Explanation& explanation) {
  const Program& program = explanation.program;
  section("steps, and the nodes that each computes");
  fmt::print("  {:>4} {:<12} {:<30} {:>10} {:>10}  {}\n", "", "kind", "space", "read", "written", "ops");
  for (std::size_t number = 0; number < program.steps.size(); ++number) {
    const Step& step = program.steps[number];
    const StepCost cost = cost_of(program, step);
    std::string title = title_of(program, step);
    if (!step.nodes.empty()) title += " in " + layer_of(program.graph.node(step.nodes.back()));
    if (step.commits) title += ", when all is finite";
    if (explanation.ways[number] == "reference kernel") title += ", by a reference kernel";
    fmt::print("  {:>4} {:<12} {:<30} {:>10} {:>10}  {}\n", number, name_of(kind_of(step)), space_text(step),
               bytes_text(cost.bytes_read), bytes_text(cost.bytes_written), title);
  }
}

void print_unfused(const Program& program) {
  std::vector<UnfusedPair> pairs = program.unfused;
  const auto bytes_of_pair = [&](const UnfusedPair& pair) { return bytes_between(program, pair); };
  std::sort(pairs.begin(), pairs.end(), [&](const UnfusedPair& a, const UnfusedPair& b) {
    return std::tuple(-bytes_of_pair(a), a.to, a.from) < std::tuple(-bytes_of_pair(b), b.to, b.from);
  });
  section(fmt::format("{} pairs of neighbouring kernels left unfused", pairs.size()));
  for (const UnfusedPair& pair : pairs) {
    fmt::print("  {:>4} → {:<4} {:>10}  {}\n", pair.from, pair.to, bytes_text(bytes_of_pair(pair)), pair.reason);
  }
}

void print_kernels(const Program& program) {
  section("kernels");
  for (std::size_t number = 0; number < program.steps.size(); ++number) {
    const Step& step = program.steps[number];
    if (step.kernel == nullptr) continue;
    fmt::print("step {}{}: {}\n", number, step.node != nullptr ? ", after " + step.node->op->name : "",
               title_of(program, step));
    for (const NodeId id : step.nodes) fmt::print("  # {}\n", program.graph.node(id).path());
    fmt::print("{}\n", to_text(*step.kernel));
  }
}

// ---- Memory

void print_memory(const Explanation& explanation) {
  constexpr std::size_t kMostBuffers = 6;
  const MemoryPlan& plan = explanation.plan;
  const Program& program = explanation.program;
  section("memory");
  fmt::print("  arena        {:>10}  for {} buffers\n", bytes_text(plan.arena_bytes), plan.lifetimes.size());
  fmt::print("  lower bound  {:>10}  alive at once at most\n", bytes_text(plan.live_bytes));
  fmt::print("  waste        {:>8.1f} %\n", explanation.waste() * 100);
  fmt::print("  variables    {:>10}\n", bytes_text(explanation.variable_bytes()));
  fmt::print("  scratch      {:>10}  of calls\n", bytes_text(explanation.scratch_bytes));
  const std::vector<std::int64_t> alive = explanation.alive_by_step();
  if (alive.empty()) return;
  const auto peak = static_cast<int>(std::max_element(alive.begin(), alive.end()) - alive.begin());
  std::vector<Lifetime> there;
  for (const Lifetime& life : plan.lifetimes) {
    if (life.first <= peak && peak <= life.last) there.push_back(life);
  }
  std::sort(there.begin(), there.end(), [](const Lifetime& a, const Lifetime& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.buffer < b.buffer;
  });
  fmt::print("  the most is alive in step {}, with {} buffers:\n", peak, there.size());
  for (std::size_t k = 0; k < std::min(there.size(), kMostBuffers); ++k) {
    const Step& maker = program.steps[static_cast<std::size_t>(there[k].first)];
    fmt::print("    {:>10}  steps {} to {}: {}\n", bytes_text(there[k].bytes), there[k].first, there[k].last,
               title_of(program, maker));
  }
}

// ---- The command

Graph graph_to_explain(const Graph& model, const ExplainOptions& options) {
  if (!options.train) return model;
  return train::make_step(model, options.loss, optim::optimizer_named(options.optimizer)).graph;
}

void run(const ExplainOptions& options) {
  const Graph model = load_model(options.file);
  SymbolLengthsByName lengths = parse_lengths(model, options.sizes);
  const std::vector<std::string> assumed = complete_lengths(model, lengths);
  const std::unique_ptr<Backend> backend = make_backend(options.compute);
  CompileOptions compile{.mode = options.train ? Mode::train : Mode::eval, .passes = {.off = options.off}};
  if (options.pass_graphs) {
    compile.passes.after = [](std::string_view pass, const Graph& graph) {
      section(fmt::format("graph after {}", pass));
      fmt::print("{}", to_text(graph));
    };
  }
  const auto executable = backend->compile(graph_to_explain(model, options), compile);
  const auto explanation = executable->explain(sizes_with(model, lengths));
  if (explanation == nullptr) {
    fail(ErrorCode::not_implemented, "an explanation of '" + model.name() + "' on '" + options.compute.device + "'",
         "a device that compiles, and a model whose lengths do not depend on data",
         "the interpreter runs graphs as they are; `asg inspect` tells what is in them");
  }
  const std::string sizes = lengths_text(lengths, assumed);
  fmt::print("{} of {}{}{}\n", options.train ? "training step" : "inference", painted(model.name(), Paint::bold),
             sizes.empty() ? "" : " with ", sizes);
  print_passes(*explanation);
  print_kinds(explanation->program);
  print_steps(*explanation);
  if (options.kernels) print_kernels(explanation->program);
  print_unfused(explanation->program);
  print_memory(*explanation);
  if (!options.svg.empty()) platform::write_file_atomically(options.svg, lifetimes_svg(*explanation));
  if (!options.json.empty()) platform::write_file_atomically(options.json, explanation_json(*explanation, lengths));
}

}  // namespace

void add_explain(CLI::App& app, int& /*outcome*/) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand(
      "explain", "Tell how a model is compiled: passes, fused kernels and what was not fused, memory");
  command->add_option("file", options->file, "A model in JSON or ONNX")->required();
  command
      ->add_option("--size", options->sizes, "Length of a symbol, as in --size batch=8 (may be repeated); else it is 1")
      ->allow_extra_args(false);
  CLI::Option* train =
      command->add_flag("--train", options->train, "The whole training step: loss, gradient and optimiser");
  command->add_option("--loss", options->loss, "Output that the training minimises")
      ->needs(train)
      ->capture_default_str();
  command->add_option("--optimizer", options->optimizer, "How parameters follow their gradients")
      ->check(CLI::IsMember(optim::optimizer_names()))
      ->needs(train)
      ->capture_default_str();
  add_compute_options(*command, options->compute);
  command->add_option("--off", options->off, "Name of a pass to be left out (may be repeated)")
      ->allow_extra_args(false);
  command->add_flag("--pass-graphs", options->pass_graphs, "Also the graph after each pass");
  command->add_flag("--kernels", options->kernels, "Also the text of each fused kernel");
  command->add_option("--svg", options->svg, "File for a picture of the memory: which buffer lies where, and when");
  command->add_option("--json", options->json, "File for all of it as JSON");
  command->callback([options] { run(*options); });
}

}  // namespace asg::app
