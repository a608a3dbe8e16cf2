#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>

#include "asg/backend/backend_registry.h"
#include "asg/data/loader.h"
#include "asg/data/text.h"
#include "asg/io/safetensors.h"
#include "asg/io/tokenizer.h"
#include "asg/train/logger.h"
#include "asg/train/trainer.h"
#include "asg/zoo/gpt2.h"

// Trains a small GPT on the letters of Moby-Dick and leaves behind all that somebody else needs to do the same:
//   settings.safetensors  sizes of the model and of the optimiser
//   initial.safetensors   the weights before the first step
//   batches.safetensors   the tokens of every step, and those that are held out
//   asg.jsonl             the loss of every step, and the one on what is held out
// tools/peers/char_gpt.py is the other side.
namespace asg {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLength = 64;
constexpr std::int64_t kBatch = 12;
constexpr std::int64_t kLayers = 4;
constexpr std::int64_t kFeatures = 128;
constexpr std::int64_t kHeads = 4;
constexpr std::int64_t kValidateEvery = 100;
constexpr double kHeldOut = 0.1;  // the end of the book
constexpr double kLearningRate = 1e-3;
constexpr double kWeightDecay = 0.01;

struct Letters {
  data::Dataset seen;
  data::Dataset held_out;
  std::int64_t vocabulary = 0;
};

Letters letters_of_the_book() {
  const std::string book = data::moby_dick();
  const io::Tokenizer tokenizer = io::character_tokenizer(book);
  const std::vector<io::TokenId> ids = tokenizer.encode(book);
  const Array tokens = Array::of<io::TokenId>({static_cast<std::int64_t>(ids.size())}, ids).cast(DType::i64);
  const auto seen = static_cast<std::int64_t>(static_cast<double>(tokens.count()) * (1 - kHeldOut));
  const data::WindowOptions windows{.length = kLength, .vocabulary = tokenizer.vocabulary_size()};
  return {data::token_windows("moby-dick", tokens.sliced(0, 0, seen, 1), windows),
          data::token_windows("moby-dick, held out", tokens.sliced(0, seen, tokens.count() - seen, 1), windows),
          tokenizer.vocabulary_size()};
}

Graph char_gpt(std::int64_t vocabulary) {
  return zoo::gpt2({.tokens = {.vocabulary = vocabulary, .length = kLength},
                    .positions = kLength,
                    .layers = kLayers,
                    .features = kFeatures,
                    .heads = kHeads,
                    .approximate = "none"});
}

void save_settings(const fs::path& folder, std::int64_t vocabulary) {
  const auto whole = [](std::int64_t number) { return Array::scalar_i64(number); };
  io::save_safetensors((folder / "settings.safetensors").string(),
                       {{"vocabulary", whole(vocabulary)},
                        {"length", whole(kLength)},
                        {"batch", whole(kBatch)},
                        {"layers", whole(kLayers)},
                        {"features", whole(kFeatures)},
                        {"heads", whole(kHeads)},
                        {"validate_every", whole(kValidateEvery)},
                        {"learning_rate", Array::scalar(DType::f64, kLearningRate)},
                        {"weight_decay", Array::scalar(DType::f64, kWeightDecay)}});
}

void save_weights(const fs::path& folder, const train::Trainer& trainer) {
  io::Tensors weights;
  const Graph& model = trainer.model().graph();
  for (const auto& [id, value] : trainer.state().variables) {
    const Variable& variable = model.variable(id);
    if (variable.kind == VarKind::parameter) weights.emplace(variable.name, value);
  }
  io::save_safetensors((folder / "initial.safetensors").string(), weights);
}

// Tokens of all steps one after the other, [steps, batch, length].
void save_batches(const fs::path& folder, const Letters& letters, data::Loader& loader, std::int64_t steps) {
  io::Tensors tensors;
  for (const std::string_view field : {data::kFeatures, data::kLabels}) {
    Array all(DType::i64, {steps, kBatch, kLength});
    for (std::int64_t step = 0; step < steps; ++step) {
      all.sliced(0, step, 1, 1).assign(loader.at(step).arrays.find(field)->second.reshaped({1, kBatch, kLength}));
    }
    tensors.emplace(field, all);
    tensors.emplace("held_out_" + std::string(field), letters.held_out.column(field));
  }
  io::save_safetensors((folder / "batches.safetensors").string(), tensors);
}

void train_char_gpt(const fs::path& folder, std::int64_t steps) {
  const Letters letters = letters_of_the_book();
  data::Loader loader(letters.seen, {.batch_size = kBatch, .seed = 1});
  train::Trainer trainer(
      char_gpt(letters.vocabulary), BackendRegistry::global().make("cpu"),
      {.optimizer = optim::Optimizer::adamw(kLearningRate, kWeightDecay), .features = "tokens", .labels = "targets"});
  save_settings(folder, letters.vocabulary);
  save_weights(folder, trainer);
  save_batches(folder, letters, loader, steps);
  const auto log = train::json_lines_logger((folder / "asg.jsonl").string());
  for (std::int64_t step = 0; step <= steps; ++step) {
    if (step % kValidateEvery == 0) log->scalar("held_out", step, trainer.evaluate(letters.held_out).loss);
    if (step == steps) break;
    log->scalar("train", step + 1, trainer.step(trainer.inputs_of(loader.at(step).arrays)).loss);
  }
}

}  // namespace
}  // namespace asg

int main(int argc, char** argv) {
  try {
    if (argc != 3) {
      std::fprintf(stderr, "asg_char_gpt FOLDER STEPS\n");
      return 2;
    }
    std::filesystem::create_directories(argv[1]);
    asg::train_char_gpt(argv[1], std::stoll(argv[2]));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "asg_char_gpt: %s\n", error.what());
    return 1;
  }
}
