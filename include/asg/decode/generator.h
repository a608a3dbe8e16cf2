#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "asg/backend/backend.h"
#include "asg/decode/language_model.h"
#include "asg/decode/sampler.h"

namespace asg::decode {

inline constexpr std::int64_t kUsualCapacity = 1024;

struct GeneratorOptions {
  std::int64_t capacity = 0;  // tokens of the longest text; 0: the context of the model, 1024 where it takes any
  std::int64_t chunk = 32;    // tokens of a prompt that are computed together
  CompileOptions compile = {};
};

// Goes on with a text, token by token, on one device. Two programs are compiled, for one token and for a chunk of a
// prompt, each when it is first needed, and none after the first token. docs/generate.md tells how it works.
class Generator {
 public:
  // The backend must outlive the generator. Throws what language_model_of and decoding_graph throw, and limit_exceeded
  // where the caches would take more memory than the machine has.
  Generator(const Graph& model, Backend& backend, const GeneratorOptions& options = {});

  const LanguageModel& model() const { return model_; }
  std::int64_t capacity() const { return capacity_; }
  std::int64_t compiled_programs() const { return prompt_ != nullptr ? 2 : 1; }
  // The graph that is run for each token.
  const Graph& graph() const { return step_->graph(); }

  // Weights, by the ids of the model. A variable that the logits do not need is ignored.
  void write(VarId variable, const Array& value);
  // All of them: what is given, and first values by the seed for the rest.
  void initialise(std::uint64_t seed, const std::map<VarId, Array>& given = {});

  // The text so far.
  std::span<const std::int64_t> text() const { return text_; }
  // Takes back what was appended last, so that `length` tokens stay. Throws bad_index where there are not so many.
  void shorten(std::int64_t length);

  // Appends tokens and gives the logits of what may follow the last one; they stay until the next call. Throws
  // missing_value for no tokens, bad_index for a number that is no token, limit_exceeded where the text would become
  // longer than the capacity; the text is then as it was.
  std::span<const double> append(std::span<const std::int64_t> tokens);

 private:
  void check_tokens(std::span<const std::int64_t> tokens) const;
  void make_prompt_program();
  std::int64_t fill_caches(std::int64_t first, std::int64_t last);
  void run_step(std::int64_t position);

  LanguageModel model_;
  Backend& backend_;
  GeneratorOptions options_;
  std::int64_t capacity_ = 0;
  std::int64_t chunk_ = 0;
  std::unique_ptr<Executable> step_;    // one token
  std::unique_ptr<Executable> prompt_;  // a chunk, without logits
  std::vector<std::int64_t> text_;
  std::vector<Array> outputs_;
  Array logits_;  // f64
};

struct Continuation {
  std::int64_t tokens =
      100;  // at most so many; fewer where the text reaches the capacity and the window does not slide
  // Beyond the capacity the older half of what the model sees is forgotten, again and again: the rest is computed anew,
  // as a text that begins there.
  bool slide = false;
  std::vector<std::int64_t> stop = {};  // a token that ends it; it is not part of the result
  Sampling sampling = {};
};

// Goes on with what the generator holds and `prompt`, until there are so many tokens or, without a sliding window, the
// text with those that were chosen is as long as the capacity. `each` is told every token as soon as it is chosen;
// false ends it.
std::vector<std::int64_t> go_on(Generator& generator, std::span<const std::int64_t> prompt, const Continuation& how,
                                const std::function<bool(std::int64_t token)>& each = {});

}  // namespace asg::decode
