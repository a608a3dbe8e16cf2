#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>

#include <fmt/core.h>

#include "asg/asg.h"
#include "asg/core/platform.h"
#include "asg/io/npy.h"
#include "commands.h"
#include "compute_options.h"
#include "console.h"
#include "load_model.h"
#include "make_folder.h"
#include "profile_report.h"
#include "run_inputs.h"
#include "sizes.h"

namespace asg::app {
namespace {

struct RunOptions {
  std::string file;
  std::vector<std::string> inputs;
  std::vector<std::string> sizes;
  std::int64_t runs = 1;
  std::uint64_t seed = 1;
  ComputeOptions compute;
  bool profile = false;
  bool bf16 = false;
  std::string trace;
  std::string output;
};

struct Statistics {
  double least = 0;
  double most = 0;
  double mean = 0;
  double deviation = 0;
  std::int64_t not_finite = 0;
};

// Of the finite numbers.
Statistics statistics_of(const Array& array) {
  const Array wide = array.cast(DType::f64).dense();
  Statistics result;
  std::int64_t count = 0;
  double squares = 0;
  for (const double value : wide.data<double>()) {
    if (!std::isfinite(value)) {
      ++result.not_finite;
      continue;
    }
    result.least = count == 0 ? value : std::min(result.least, value);
    result.most = count == 0 ? value : std::max(result.most, value);
    ++count;
    const double before = value - result.mean;
    result.mean += before / static_cast<double>(count);
    squares += before * (value - result.mean);
  }
  if (count > 0) result.deviation = std::sqrt(squares / static_cast<double>(count));
  return result;
}

void print_output(const std::string& name, const Array& array) {
  const Statistics is = statistics_of(array);
  fmt::print("  {:<24} {:<20} min {:<12.6g} max {:<12.6g} mean {:<12.6g} deviation {:<12.6g}", name,
             array.type_string(), is.least, is.most, is.mean, is.deviation);
  if (is.not_finite > 0) fmt::print(" {}", painted(fmt::format("{} not finite", is.not_finite), Paint::red));
  fmt::print("\n");
}

void write_outputs(const NamedArrays& outputs, const std::string& folder) {
  make_folder(folder, "--output");
  for (const auto& [name, array] : outputs) {
    std::string file = name;
    std::replace(file.begin(), file.end(), '/', '_');
    const bool widened = array.dtype() == DType::bf16;  // which NumPy does not have
    platform::write_file_atomically((std::filesystem::path(folder) / (file + ".npy")).string(),
                                    io::to_npy(widened ? array.cast(DType::f32) : array));
  }
  fmt::print("{} outputs written to {}\n", outputs.size(), folder);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void tell_profile(const Executable& executable, const RunOptions& options) {
  const auto profile = executable.profile();
  if (profile == nullptr) {
    fail(ErrorCode::not_implemented, "a profile on '" + options.compute.device + "'",
         "a device that compiles, and a model whose lengths do not depend on data",
         "run it on 'cpu', or without --profile");
  }
  fmt::print("\n");
  print_profile(*profile, stdout);
  write_trace(*profile, options.trace, stdout);
}

void run(const RunOptions& options) {
  const Graph model = load_model(options.file);
  SymbolLengthsByName lengths = parse_lengths(model, options.sizes);
  const NamedArrays inputs = make_inputs(model, options.inputs, lengths, options.seed);
  const std::unique_ptr<Backend> backend = make_backend(options.compute);
  const auto executable =
      backend->compile(train::make_inference(model).graph, {.mode = Mode::eval, .bf16 = options.bf16});
  for (const VarId id : executable->graph().variable_ids()) {
    executable->write(id, initial_value(executable->graph().variable(id), options.seed));
  }
  // The first run compiles and is not counted.
  StepResult result = executable->run(inputs);
  executable->set_profiling(options.profile);
  std::vector<double> times;
  for (std::int64_t number = 0; number < options.runs; ++number) {
    const auto start = std::chrono::steady_clock::now();
    result = executable->run(inputs);
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  const std::string sizes = lengths_text(lengths, {});
  fmt::print("{}{}{}: {:.3f} ms, the median of {} after a first one\n", painted(model.name(), Paint::bold),
             sizes.empty() ? "" : " with ", sizes, median(times), options.runs);
  for (const auto& [name, array] : result.outputs) print_output(name, array);
  if (!options.output.empty()) write_outputs(result.outputs, options.output);
  if (options.profile) tell_profile(*executable, options);
}

}  // namespace

void add_run(CLI::App& app, int& /*outcome*/) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Run a model on given or random inputs, and tell where the time goes");
  command->add_option("file", options->file, "A model in JSON or ONNX")->required();
  command
      ->add_option(
          "--input", options->inputs,
          "A value: x=FILE.npy, x=random, or x=random:N for integers below N (may be repeated); `random` alone "
          "for all that are not named")
      ->allow_extra_args(false);
  command
      ->add_option("--size", options->sizes,
                   "Length of a symbol, as in --size batch=8 (may be repeated); else as the files say, or 1")
      ->allow_extra_args(false);
  command->add_option("--runs", options->runs, "How often, after a first run that is not counted")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Of random inputs and of parameters without values")
      ->capture_default_str();
  add_compute_options(*command, options->compute);
  command->add_flag("--bf16", options->bf16,
                    "Let products round their operands to bf16 where the processor is faster so");
  CLI::Option* profile =
      command->add_option("--profile", options->trace, "Time every step; with a file, also write a trace for Perfetto")
          ->expected(0, 1)
          ->type_name("[FILE]");
  command->add_option("--output", options->output, "Folder for the outputs, each as a .npy file");
  command->callback([options, profile] {
    options->profile = profile->count() > 0;
    run(*options);
  });
}

}  // namespace asg::app
