// A small GPT learns to write like Moby-Dick, letter by letter, and then writes.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "asg/asg.h"
#include "support/example.h"

using namespace asg;

namespace {

// The letters of the book as numbers, and what a model is trained with.
struct Book {
  io::Tokenizer tokenizer;
  data::Split windows;  // the end of the book is held out, so that no window of it was seen
};

Book read_book(std::int64_t length) {
  const std::string text = data::moby_dick();
  io::Tokenizer tokenizer = io::character_tokenizer(text);
  const std::vector<io::TokenId> ids = tokenizer.encode(text);
  const Array tokens = Array::of<io::TokenId>({static_cast<std::int64_t>(ids.size())}, ids).cast(DType::i64);
  const std::int64_t seen = tokens.count() * 9 / 10;
  const data::WindowOptions windows{.length = length, .vocabulary = tokenizer.vocabulary_size()};
  return {std::move(tokenizer),
          {data::token_windows("moby-dick", tokens.sliced(0, 0, seen, 1), windows),
           data::token_windows("held out", tokens.sliced(0, seen, tokens.count() - seen, 1), windows)}};
}

// Draws a token; at a low temperature nearly always the likeliest.
std::size_t draw(const Array& logits, std::int64_t first, std::int64_t count, double temperature,
                 std::mt19937& random) {
  std::vector<double> weights;
  double largest = logits.get(first);
  for (std::int64_t k = 0; k < count; ++k) largest = std::max(largest, logits.get(first + k));
  for (std::int64_t k = 0; k < count; ++k) {
    weights.push_back(std::exp((logits.get(first + k) - largest) / temperature));
  }
  return std::discrete_distribution<std::size_t>(weights.begin(), weights.end())(random);
}

// Goes on with a text. Every letter takes a whole pass over the last `length` letters.
std::string write_on(train::Trainer& trainer, const io::Tokenizer& tokenizer, const std::string& begin,
                     std::int64_t length, std::int64_t letters) {
  std::mt19937 random(1);
  std::vector<io::TokenId> ids = tokenizer.encode(begin);
  for (std::int64_t letter = 0; letter < letters; ++letter) {
    const auto known = static_cast<std::int64_t>(ids.size());
    const std::int64_t first = std::max<std::int64_t>(0, known - length);
    // What stands behind the last letter is not looked at: attention is causal.
    Array window(DType::i64, {1, length});
    for (std::int64_t k = first; k < known; ++k) window.set_i64(k - first, ids[static_cast<std::size_t>(k)]);
    const Array logits = trainer.infer({{"tokens", window}}).at("logits");
    const std::int64_t kinds = tokenizer.vocabulary_size();
    const std::size_t next = draw(logits, (known - first - 1) * kinds, kinds, 0.8, random);
    ids.push_back(static_cast<io::TokenId>(next));
  }
  return tokenizer.decode(ids);
}

void learn_to_write(examples::Example& example) {
  const std::int64_t length = example.pick(16, 64);
  const std::int64_t steps = example.pick(40, 2000);
  const Book book = read_book(length);
  train::TrainingSpec spec{
      .model = zoo::gpt2({.tokens = {.vocabulary = book.tokenizer.vocabulary_size(), .length = length},
                          .positions = length,
                          .layers = example.pick(2, 4),
                          .features = example.pick(32, 128),
                          .heads = 4}),
      .backend = BackendRegistry::global().make("cpu"),
      .options = {.optimizer = optim::Optimizer::adamw(2e-3, 0.1), .features = "tokens", .labels = "targets"}};
  spec.options.optimizer.clip_norm = 1;
  const auto loader = std::make_shared<data::Loader>(book.windows.train, data::LoaderOptions{.batch_size = 12});
  spec.batch = [loader](std::int64_t step) {
    NamedArrays arrays = loader->at(step).arrays;
    return NamedArrays{{"tokens", arrays.at("features")}, {"targets", arrays.at("labels")}};
  };
  spec.course = {.steps = steps,
                 .schedule = optim::schedule_named("cosine", {{"steps", steps}, {"warmup", steps / 20}})};
  if (!example.is_short()) {
    spec.datasets = {{"held out", book.windows.held_out}};
    spec.course.validate = "held out";
    spec.course.validate_every = 500;
  }
  const train::TrainingResult result = train::run_training(
      std::move(spec), [&](const train::Event& event) { return example.note(event); },
      [&](train::Trainer& trainer) {
        example.check_parameters(trainer);
        const std::string text = write_on(trainer, book.tokenizer, "Call me ", length, example.pick(20, 400));
        std::printf("---\n%s\n---\n", text.c_str());
        example.expect(text.size() > 20, "it wrote nothing");
      });
  // Each letter is as uncertain as one of e^loss that are equally likely; at first as one of all.
  const auto held_out = result.metrics.find("loss");
  if (held_out == result.metrics.end()) return;
  example.reached({.what = "held-out loss of a letter", .value = held_out->second, .at_most = 1.9});
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(argc, argv, "A GPT learns to write like Moby-Dick.", learn_to_write);
}
