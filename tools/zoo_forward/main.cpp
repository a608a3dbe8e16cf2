// Runs a model of the zoo on weights in somebody else's format, for tools/peers/zoo:
//   asg_zoo_forward MODEL FORMAT FOLDER eval|train [setting=value...]
// FOLDER holds weights/<tensor>.npy and input.npy; logits.npy is written there, and in training mode
// after/<tensor>.npy, the weights as the step leaves them. Fails unless every tensor has its place and every variable
// its tensor.
#include <cstdio>
#include <exception>
#include <filesystem>

#include "asg/asg.h"
#include "asg/core/platform.h"
#include "asg/io/npy.h"
#include "asg/zoo/weights.h"

namespace {

using namespace asg;
namespace fs = std::filesystem;

struct Job {
  std::string model;
  std::string format;
  fs::path folder;
  bool training = false;
  Attrs settings = {{"loss", false}};
};

Job job_of(int argc, char** argv) {
  constexpr int kFirstSetting = 5;
  if (argc < kFirstSetting) {
    fail(ErrorCode::bad_command, "too few words", "MODEL FORMAT FOLDER eval|train [setting=value...]");
  }
  Job job{.model = argv[1], .format = argv[2], .folder = argv[3], .training = std::string_view(argv[4]) == "train"};
  for (int at = kFirstSetting; at < argc; ++at) {
    const std::string text = argv[at];
    const std::string name = text.substr(0, text.find('='));
    const AttrSpec* spec = zoo::find(job.model).find_setting(name);
    if (spec == nullptr) fail(ErrorCode::unknown_attribute, "setting '" + name + "'", "one that the model has");
    job.settings.set(name, zoo::parse_setting(*spec, text.substr(name.size() + 1)));
  }
  return job;
}

void run(const Job& job) {
  const Graph model = zoo::build(job.model, job.settings);
  const auto format = zoo::parse_weight_format(job.format);
  const zoo::WeightMap* map = format ? zoo::find_weight_map(zoo::find(job.model).family, *format) : nullptr;
  if (map == nullptr) fail(ErrorCode::bad_command, job.format + " weights of " + job.model, "a format with a map");
  const io::Safetensors file = io::Safetensors::open((job.folder / "model.safetensors").string());
  const io::LoadedWeights weights = zoo::load_weights(model, *map, file);
  std::printf("%s", weights.report.to_text().c_str());

  const std::unique_ptr<Backend> backend = BackendRegistry::global().make("cpu");
  const auto executable = backend->compile(model, {.mode = job.training ? Mode::train : Mode::eval});
  for (const VarId id : executable->graph().variable_ids()) {
    const auto value = weights.values.find(id);
    const bool given = value != weights.values.end();
    executable->write(id, given ? value->second : initial_value(executable->graph().variable(id), 1));
  }
  const std::string input = model.node(model.inputs().front()).path();
  const StepResult result = executable->run({{input, io::read_npy_file((job.folder / "input.npy").string())}});
  platform::write_file_atomically((job.folder / "logits.npy").string(),
                                  io::to_npy(result.outputs.at("logits").dense()));
  if (!job.training) return;
  io::save_safetensors((job.folder / "after.safetensors").string(),
                       zoo::export_weights(model, *map, [&](VarId id) { return executable->read(id); }));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(job_of(argc, argv));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "asg_zoo_forward: %s\n", error.what());
    return 1;
  }
}
