// A transformer tells whether a line of Moby-Dick runs forwards or backwards. Who only counts letters cannot do it:
// both hold the same ones. It takes attention, which sees what stands beside what, and positions.
#include "asg/asg.h"
#include "support/example.h"

using namespace asg;

namespace {

constexpr std::int64_t kLength = 32;  // letters of a passage
constexpr std::int64_t kWidth = 64;   // features of a letter

// Each passage twice: as it was written, and backwards.
data::Dataset both_ways(std::string name, const Array& tokens, std::int64_t first, std::int64_t last) {
  const std::int64_t count = last - first;
  const Array written = tokens.sliced(0, first * kLength, count * kLength, 1).reshaped({count, kLength});
  Array features(DType::i64, {2 * count, kLength});
  Array labels(DType::i64, {2 * count});
  features.sliced(0, 0, count, 1).assign(written);
  features.sliced(0, count, count, 1).assign(written.sliced(1, kLength - 1, kLength, -1));
  for (std::int64_t passage = 0; passage < count; ++passage) labels.set_i64(passage, 1);
  return data::make_dataset(std::move(name), features, labels, /*classes=*/2);
}

Graph classifier(std::int64_t letters) {
  Graph graph("text classifier");
  const Dim batch = Dim::symbol("batch");
  const Tensor text = graph.input("features", {DType::i64, {batch, kLength}});
  const Tensor labels = graph.input("labels", {DType::i64, {batch}});
  Tensor x = nn::embedding(text, letters, kWidth, {.name = "letter"});
  // Rotary positions: a score depends on how far apart two letters stand, and on which side.
  x = nn::transformer_encoder(x, /*heads=*/4, /*hidden=*/2 * kWidth,
                              {.layers = 2, .positions = "rotary", .name = "encoder"});
  x = reduce_mean(x, {1}, {.keepdims = false});  // over the letters
  const Tensor logits = nn::linear(x, 2, {.name = "head"});
  graph.set_output("logits", logits);
  graph.set_output("loss", loss::cross_entropy(logits, labels));
  return graph;
}

void learn_to_read(examples::Example& example) {
  const std::string book = data::moby_dick();
  const io::Tokenizer tokenizer = io::character_tokenizer(book);
  const std::vector<io::TokenId> ids = tokenizer.encode(book);
  const Array tokens = Array::of<io::TokenId>({static_cast<std::int64_t>(ids.size())}, ids).cast(DType::i64);

  // The end of the book is held out.
  const std::int64_t count = tokens.count() / kLength;
  const std::int64_t seen = count * 9 / 10;
  const data::Dataset train = both_ways("seen", tokens, 0, example.pick(320, seen));
  const data::Dataset held_out = both_ways("held out", tokens, seen, example.pick(seen + 40, count));

  const auto loader = std::make_shared<data::Loader>(train, data::LoaderOptions{.batch_size = 32});
  train::TrainingSpec spec{.model = classifier(tokenizer.vocabulary_size()),
                           .backend = BackendRegistry::global().make("cpu"),
                           .options = {.optimizer = optim::Optimizer::adamw(1e-3, 0.01)},
                           .batch = [loader](std::int64_t step) { return loader->at(step).arrays; },
                           .datasets = {{"held out", held_out}}};
  spec.course = {.epochs = 1, .steps_per_epoch = loader->per_epoch(), .validate = "held out", .validate_every = 500};
  train::run_training(
      std::move(spec), [&](const train::Event& event) { return example.note(event); },
      [&](train::Trainer& trainer) {
        example.check_parameters(trainer);
        example.reached(
            {.what = "held-out accuracy", .value = trainer.evaluate(held_out).accuracy.value_or(0), .at_least = 0.97});
      });
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(argc, argv, "A transformer tells forwards from backwards.", learn_to_read);
}
