#include "asg/decode/generator.h"

#include <algorithm>
#include <cmath>

#include "asg/core/error.h"
#include "asg/core/platform.h"
#include "asg/decode/decoding.h"

namespace asg::decode {
namespace {

// So few tokens of a prompt are taken one by one: a chunk of which most is filled up costs more.
constexpr std::int64_t kFewTokens = 4;

std::int64_t capacity_for(const LanguageModel& model, std::int64_t wanted) {
  if (wanted < 0) {
    fail(ErrorCode::bad_attribute, "texts of " + std::to_string(wanted) + " tokens", "1 or more; 0 chooses");
  }
  if (wanted > 0) return wanted;
  return model.context > 0 ? model.context : kUsualCapacity;
}

// Said before they are allocated: a machine that must swap them answers no more.
void check_cache_memory(const Graph& graph, std::int64_t capacity) {
  double bytes = 0;  // not an integer, which could overflow
  for (const VarId id : graph.variable_ids()) {
    const Variable& variable = graph.variable(id);
    if (variable.kind != VarKind::cache) continue;
    double size = static_cast<double>(bytes_of(variable.type.dtype));
    for (const std::int64_t length : variable.type.shape.sizes()) size *= static_cast<double>(length);
    bytes += size;
  }
  const auto machine = static_cast<double>(platform::physical_bytes());
  if (machine == 0 || bytes < machine) return;
  const auto gigabytes = [](double count) { return std::to_string(std::llround(std::ceil(count * 1e-9))) + " GB"; };
  fail(ErrorCode::limit_exceeded,
       "caches of " + gigabytes(bytes) + " for texts of " + std::to_string(capacity) + " tokens, on a machine of " +
           gigabytes(machine),
       "more memory, or a shorter context");
}

std::unique_ptr<Executable> compiled(const LanguageModel& model, const DecodingSpec& spec, Backend& backend,
                                     CompileOptions options) {
  options.mode = Mode::eval;
  const Graph graph = decoding_graph(model, spec);
  check_cache_memory(graph, spec.capacity);
  return backend.compile(graph, options);
}

}  // namespace

Generator::Generator(const Graph& model, Backend& backend, const GeneratorOptions& options)
    : model_(language_model_of(model)),
      backend_(backend),
      options_(options),
      capacity_(capacity_for(model_, options.capacity)),
      chunk_(std::clamp<std::int64_t>(options.chunk, 1, capacity_)),
      step_(compiled(model_, {.length = 1, .capacity = capacity_}, backend, options.compile)),
      outputs_(1) {
  const Graph& graph = step_->graph();
  for (const VarId id : graph.variable_ids()) {
    if (graph.variable(id).kind == VarKind::cache) step_->write(id, initial_value(graph.variable(id), 0));
  }
}

void Generator::write(VarId variable, const Array& value) {
  if (step_->graph().has(variable)) step_->write(variable, value);
}

void Generator::initialise(std::uint64_t seed, const std::map<VarId, Array>& given) {
  const Graph& graph = step_->graph();
  for (const VarId id : graph.variable_ids()) {
    if (graph.variable(id).kind == VarKind::cache) continue;
    const auto value = given.find(id);
    step_->write(id, value != given.end() ? value->second : initial_value(graph.variable(id), seed));
  }
}

void Generator::shorten(std::int64_t length) {
  if (length < 0 || length > static_cast<std::int64_t>(text_.size())) {
    fail(ErrorCode::bad_index, "a length of " + std::to_string(length),
         "at most that of the text, " + std::to_string(text_.size()));
  }
  text_.resize(static_cast<std::size_t>(length));
}

void Generator::check_tokens(std::span<const std::int64_t> tokens) const {
  if (tokens.empty()) {
    fail(ErrorCode::missing_value, "no tokens", "at least one, from which the model goes on", "give a prompt");
  }
  for (const std::int64_t token : tokens) {
    if (token >= 0 && token < model_.vocabulary) continue;
    fail(ErrorCode::bad_index, "the token " + std::to_string(token),
         "0 to " + std::to_string(model_.vocabulary - 1) + ", the vocabulary of the model",
         "use the tokeniser that the model was trained with");
  }
  const std::size_t length = text_.size() + tokens.size();
  if (static_cast<std::int64_t>(length) > capacity_) {
    fail(ErrorCode::limit_exceeded, "a text of " + std::to_string(length) + " tokens",
         "at most " + std::to_string(capacity_) + (model_.context > 0 ? ", the context of the model" : ""),
         model_.context > 0 ? "shorten the prompt, or generate fewer tokens" : "raise the capacity");
  }
}

void Generator::make_prompt_program() {
  if (prompt_ != nullptr) return;
  prompt_ = compiled(model_, {.length = chunk_, .capacity = capacity_, .logits = false}, backend_, options_.compile);
  if (prompt_->share_variables(*step_)) return;
  prompt_ = nullptr;
  chunk_ = 1;  // this device takes prompts token by token
}

// Computes keys and values of the tokens from `first` on, chunk by chunk, and returns the first that is left.
std::int64_t Generator::fill_caches(std::int64_t first, std::int64_t last) {
  if (chunk_ > 1 && last - first > kFewTokens) make_prompt_program();
  while (chunk_ > 1 && last - first > kFewTokens) {
    // A chunk that would reach beyond the last place begins earlier: what it computes again comes out the same.
    const std::int64_t begin = std::min(first, capacity_ - chunk_);
    Array tokens(DType::i64, {1, chunk_});
    for (std::int64_t k = 0; k < chunk_ && begin + k < last; ++k) {
      tokens.set_i64(k, text_[static_cast<std::size_t>(begin + k)]);
    }
    const std::vector<Array> inputs = {tokens, Array::scalar_i64(begin)};
    prompt_->run_into(inputs, {});
    first = std::min(last, begin + chunk_);
  }
  return first;
}

void Generator::run_step(std::int64_t position) {
  const std::vector<Array> inputs = {Array::of<std::int64_t>({1, 1}, {text_[static_cast<std::size_t>(position)]}),
                                     Array::scalar_i64(position)};
  step_->run_into(inputs, outputs_);
}

std::span<const double> Generator::append(std::span<const std::int64_t> tokens) {
  check_tokens(tokens);
  const auto before = static_cast<std::int64_t>(text_.size());
  text_.insert(text_.end(), tokens.begin(), tokens.end());
  try {
    const auto last = static_cast<std::int64_t>(text_.size());
    for (std::int64_t at = fill_caches(before, last - 1); at < last; ++at) run_step(at);
  } catch (...) {
    shorten(before);
    throw;
  }
  logits_ = outputs_.front().cast(DType::f64);
  return logits_.data<double>();
}

namespace {

// Appends a token; where there is no place for it, after the newer half of the text alone.
std::span<const double> append_in_window(Generator& generator, std::int64_t token) {
  const std::span<const std::int64_t> text = generator.text();
  if (static_cast<std::int64_t>(text.size()) < generator.capacity()) return generator.append(std::span(&token, 1));
  const std::size_t kept = text.size() / 2;
  std::vector<std::int64_t> window(text.end() - static_cast<std::ptrdiff_t>(kept), text.end());
  window.push_back(token);
  generator.shorten(0);
  return generator.append(window);
}

}  // namespace

std::vector<std::int64_t> go_on(Generator& generator, std::span<const std::int64_t> prompt, const Continuation& how,
                                const std::function<bool(std::int64_t token)>& each) {
  Sampler sampler(how.sampling);
  std::vector<std::int64_t> result;
  if (how.tokens <= 0) return result;
  std::span<const double> logits = generator.append(prompt);
  const std::int64_t room = generator.capacity() - static_cast<std::int64_t>(generator.text().size());
  const auto count = static_cast<std::size_t>(how.slide ? how.tokens : std::min(how.tokens, room));
  while (result.size() < count) {
    // The last one is not computed from, so it is not appended.
    if (!result.empty()) logits = append_in_window(generator, result.back());
    const std::int64_t token = sampler.draw(logits);
    if (std::find(how.stop.begin(), how.stop.end(), token) != how.stop.end()) return result;
    result.push_back(token);
    if (each && !each(token)) return result;
  }
  return result;
}

}  // namespace asg::decode
