#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "asg/core/error.h"
#include "asg/decode/bandwidth.h"
#include "asg/decode/decoding.h"
#include "asg/decode/generator.h"
#include "asg/decode/text_stream.h"
#include "asg/io/tokenizer.h"
#include "commands.h"
#include "compute_options.h"
#include "generate_model.h"

namespace asg::app {
namespace {

using Json = nlohmann::ordered_json;

struct GenerateOptions {
  ModelChoice choice;
  std::string tokenizer;
  std::string prompt;
  std::vector<std::string> stop;
  decode::Continuation how;
  std::int64_t context = 0;
  ComputeOptions compute;
  bool bf16 = false;
  bool stats = false;
  bool json = false;
};

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void write_out(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

struct Prompt {
  std::vector<std::int64_t> tokens;
  std::size_t added = 0;  // so many of the first are not in the text that was given
};

// Text to tokens and back; without a tokeniser texts are numbers.
class Words {
 public:
  explicit Words(const std::string& path) {
    if (!path.empty()) tokenizer_ = io::load_tokenizer(path);
  }

  bool are_numbers() const { return !tokenizer_; }

  void check_fit(std::int64_t vocabulary) const {
    if (are_numbers() || tokenizer_->vocabulary_size() <= vocabulary) return;
    fail(ErrorCode::bad_command, "a tokeniser of " + std::to_string(tokenizer_->vocabulary_size()) + " tokens",
         "at most the " + std::to_string(vocabulary) + " that the model knows",
         "give the tokeniser that the model was trained with");
  }

  // With what the tokeniser puts in front of every text, from which models learnt to begin. What it puts at the end is
  // left off: a text that has ended cannot be gone on with.
  Prompt prompt(const std::string& text) const {
    const std::vector<std::int64_t> plain = encode(text);
    if (are_numbers() || plain.empty()) return {plain, 0};
    const auto ids = tokenizer_->encode(text);
    std::vector<std::int64_t> all(ids.begin(), ids.end());
    for (; all.size() >= plain.size(); all.pop_back()) {
      if (std::equal(plain.rbegin(), plain.rend(), all.rbegin())) return {all, all.size() - plain.size()};
    }
    return {plain, 0};
  }

  std::int64_t only_token(const std::string& text) const {
    const std::vector<std::int64_t> ids = encode(text);
    if (ids.size() == 1) return ids.front();
    fail(ErrorCode::bad_command, "--stop '" + text + "', which is " + std::to_string(ids.size()) + " tokens",
         "one token, such as <|endoftext|>");
  }

  std::string decode(std::span<const std::int64_t> tokens) const {
    std::string text;
    if (are_numbers()) {
      for (const std::int64_t token : tokens) text += (text.empty() ? "" : " ") + std::to_string(token);
      return text;
    }
    std::vector<io::TokenId> ids;
    for (const std::int64_t token : tokens) {
      // The model may know more tokens than the tokeniser.
      if (tokenizer_->token(static_cast<io::TokenId>(token))) ids.push_back(static_cast<io::TokenId>(token));
    }
    return tokenizer_->decode(ids);
  }

 private:
  // The text alone.
  std::vector<std::int64_t> encode(const std::string& text) const {
    if (are_numbers()) return numbers_in(text);
    const auto ids = tokenizer_->encode(text, {.add_special = false});
    return {ids.begin(), ids.end()};
  }

  static std::vector<std::int64_t> numbers_in(const std::string& text) {
    std::vector<std::int64_t> numbers;
    for (std::size_t at = 0; (at = text.find_first_not_of(" ,\n", at)) != std::string::npos;) {
      const std::size_t end = std::min(text.find_first_of(" ,\n", at), text.size());
      const std::string word = text.substr(at, end - at);
      constexpr std::size_t kMostDigits = 9;
      if (word.find_first_not_of("0123456789") != std::string::npos || word.size() > kMostDigits) {
        fail(ErrorCode::bad_command, "'" + word + "' without a tokeniser", "numbers of tokens: 15496 995",
             "give --tokenizer to write in words");
      }
      numbers.push_back(std::stoll(word));
      at = end;
    }
    return numbers;
  }

  std::optional<io::Tokenizer> tokenizer_;
};

struct Course {
  std::vector<std::int64_t> prompt;
  std::vector<std::int64_t> tokens;
  std::string text;  // all of it
  double first = 0;  // seconds until the first token, compiling included
  double rest = 0;   // seconds of all others
  double each() const { return tokens.size() < 2 ? 0 : rest / static_cast<double>(tokens.size() - 1); }
};

// All that can be wrong with what was asked for is found before anything is computed or shown.
struct Task {
  Prompt prompt;
  decode::Continuation how;
  std::int64_t context = 0;  // tokens of the longest text
};

void check_token(std::int64_t token, std::int64_t vocabulary, const std::string& what) {
  if (token < vocabulary) return;
  fail(ErrorCode::bad_index, what + std::to_string(token),
       "0 to " + std::to_string(vocabulary - 1) + ", the vocabulary of the model",
       "use the tokeniser that the model was trained with");
}

std::int64_t context_for(std::int64_t wanted, const decode::LanguageModel& language, std::int64_t made_for) {
  const std::int64_t most = language.context > 0 ? language.context : decode::kMostCapacity;
  if (wanted > most) {
    fail(ErrorCode::limit_exceeded, "--context " + std::to_string(wanted),
         "at most " + std::to_string(most) + (language.context > 0 ? ", the positions that the model knows" : ""));
  }
  if (wanted > 0) return wanted;
  if (language.context > 0) return language.context;
  return made_for > 0 ? std::min(made_for, most) : decode::kUsualCapacity;
}

Prompt checked_prompt(const Words& words, const std::string& text, std::int64_t vocabulary) {
  Prompt prompt = words.prompt(text);
  if (prompt.tokens.empty()) {
    fail(ErrorCode::bad_command, "an empty prompt", "a beginning of the text, of at least one token",
         words.are_numbers() ? "--prompt '15496 995', or words with --tokenizer" : "--prompt 'Once upon a time'");
  }
  for (const std::int64_t token : prompt.tokens) check_token(token, vocabulary, "the token ");
  return prompt;
}

Task task_of(const GenerateOptions& options, const Words& words, const decode::LanguageModel& language,
             std::int64_t made_for) {
  words.check_fit(language.vocabulary);
  Task task{.prompt = checked_prompt(words, options.prompt, language.vocabulary), .how = options.how};
  [[maybe_unused]] const decode::Sampler looks_at_the_values(task.how.sampling);
  for (const std::string& stop : options.stop) {
    task.how.stop.push_back(words.only_token(stop));
    check_token(task.how.stop.back(), language.vocabulary, "--stop ");
  }
  task.context = context_for(options.context, language, made_for);
  const auto length = static_cast<std::int64_t>(task.prompt.tokens.size());
  if (length < task.context) return task;
  fail(ErrorCode::limit_exceeded,
       "a prompt of " + std::to_string(length) + " tokens in a context of " + std::to_string(task.context),
       "a shorter one, so that at least one token can follow",
       task.context == language.context ? "shorten the prompt" : "shorten the prompt, or raise --context");
}

// Memory is taken for no more than the text can become.
std::int64_t capacity_of(const Task& task) {
  return std::min(task.context, static_cast<std::int64_t>(task.prompt.tokens.size()) + task.how.tokens);
}

// Before the first token: the text itself is not interrupted.
void tell_of_context(const Task& task) {
  const std::int64_t room = task.context - static_cast<std::int64_t>(task.prompt.tokens.size());
  if (task.how.tokens <= room) return;
  if (task.how.slide) {
    fmt::print(stderr, "the text may become longer than the context of {} tokens: then the model sees its end alone\n",
               task.context);
  } else {
    fmt::print(stderr, "the text ends after {} tokens, at the context of {}\n", room, task.context);
  }
}

Course generate(decode::Generator& generator, const Words& words, const Task& task, bool is_shown) {
  Course course{.prompt = task.prompt.tokens};
  decode::TextStream stream([&](std::span<const std::int64_t> tokens) { return words.decode(tokens); });
  const auto show = [&](std::string_view text) {
    course.text += text;
    if (is_shown) write_out(text);
  };
  for (const std::int64_t token : std::span(course.prompt).subspan(task.prompt.added)) show(stream.add(token));
  auto begin = std::chrono::steady_clock::now();
  course.tokens = decode::go_on(generator, course.prompt, task.how, [&](std::int64_t token) {
    if (course.first == 0) {
      course.first = seconds_since(begin);
      begin = std::chrono::steady_clock::now();
    }
    show(stream.add(token));
    course.rest = seconds_since(begin);
    return true;
  });
  show(stream.finish());
  if (is_shown) write_out("\n");
  return course;
}

struct Figures {
  double bytes = 0;      // of weights, for a token
  double bandwidth = 0;  // bytes per second that the machine reads
  double share = 0;      // of it that the generation reached; 0 where only one token was written
};

Figures measure(const decode::Generator& generator, const Course& course) {
  constexpr int kRepeats = 3;
  const std::int64_t bytes = generator.model().weight_bytes();
  decode::ReadBandwidth reading(bytes);
  double best = reading.seconds();
  for (int k = 1; k < kRepeats; ++k) best = std::min(best, reading.seconds());
  Figures figures{.bytes = static_cast<double>(bytes)};
  figures.bandwidth = figures.bytes / best;
  if (course.each() > 0) figures.share = best / course.each();
  return figures;
}

void tell_figures(const decode::Generator& generator, const Course& course, const Figures& figures) {
  fmt::print(stderr, "prompt      {} tokens; {:.1f} ms to the first token, with compiling\n", course.prompt.size(),
             course.first * 1e3);
  if (course.each() > 0) {
    fmt::print(stderr, "generated   {} tokens, {:.2f} ms each, {:.1f} tokens/s\n", course.tokens.size(),
               course.each() * 1e3, 1 / course.each());
  }
  fmt::print(stderr, "weights     {:.1f} MB read for each token\n", figures.bytes * 1e-6);
  fmt::print(stderr, "bandwidth   {:.1f} GB/s of memory", figures.bandwidth * 1e-9);
  if (figures.share > 0) fmt::print(stderr, ", of which {:.0f} % were reached", figures.share * 100);
  fmt::print(stderr, "\nprograms    {} compiled; texts of up to {} tokens\n", generator.compiled_programs(),
             generator.capacity());
}

// One token alone tells no time of a token.
Json measured(double value) { return value > 0 ? Json(value) : Json(nullptr); }

Json as_json(const Course& course) {
  return {{"text", course.text},
          {"prompt", course.prompt},
          {"tokens", course.tokens},
          {"seconds_to_first_token", course.first},
          {"seconds_per_token", measured(course.each())}};
}

void run(const GenerateOptions& options) {
  const ModelToGenerate model = find_model_to_generate(options.choice);
  const Words words(options.tokenizer.empty() ? model.tokenizer : options.tokenizer);
  const Task task = task_of(options, words, decode::language_model_of(model.graph), model.context);
  const std::unique_ptr<Backend> backend = make_backend(options.compute);
  decode::Generator generator(model.graph, *backend,
                              {.capacity = capacity_of(task), .compile = {.bf16 = options.bf16}});
  generator.initialise(options.how.sampling.seed, model.values);
  if (!options.json) {
    fmt::print(stderr, "{}{} on {}\n", model.words, model.values.empty() ? ", random weights" : "",
               options.compute.device);
    tell_of_context(task);
  }
  const Course course = generate(generator, words, task, !options.json);
  Json json = as_json(course);
  if (options.stats) {
    const Figures figures = measure(generator, course);
    if (!options.json) tell_figures(generator, course, figures);
    json["weight_bytes"] = figures.bytes;
    json["read_bandwidth"] = figures.bandwidth;
    json["share_of_bandwidth"] = measured(figures.share);
  }
  if (options.json) write_out(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

// The parser itself would take -1 for the largest number. "" where it is a seed.
std::string what_is_no_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (!text.empty() && error == std::errc{} && stop == text.data() + text.size()) return "";
  return "'" + text + "' is no whole number from 0 to 18446744073709551615";
}

}  // namespace

void add_generate(CLI::App& app, int& /*outcome*/) {
  auto options = std::make_shared<GenerateOptions>();
  CLI::App* command = app.add_subcommand("generate", "Let a model of language go on with a text; docs/generate.md");
  decode::Sampling& sampling = options->how.sampling;
  command
      ->add_option("-m,--model", options->choice.model,
                   "A name of `asg zoo`, a model in JSON, the folder of a training, a checkpoint, or a folder of "
                   "Hugging Face with config.json and safetensors")
      ->required();
  command->add_option("--set", options->choice.settings, "A setting of a model of the zoo, as in --set layers=4")
      ->allow_extra_args(false);
  command->add_option("--weights", options->choice.weights,
                      "Safetensors, under our names or those of Hugging Face; else weights are random by --seed");
  command->add_flag("--best", options->choice.best, "Of a training: the best checkpoint, not the latest");
  command->add_option("-t,--tokenizer", options->tokenizer,
                      "tokenizer.json, files of GPT-2, or a folder with them; else the one beside the model. Without "
                      "any, texts are numbers of tokens");
  command->add_option("-p,--prompt", options->prompt, "The beginning of the text")->required();
  command->add_option("-n,--tokens", options->how.tokens, "How many tokens to write at most")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  command->add_option("--temperature", sampling.temperature, "0: always the likeliest; 1: by the probabilities")
      ->capture_default_str();
  command->add_option("--top-k", sampling.top_k, "Choose from so many of the likeliest; 0: from all")
      ->capture_default_str();
  command->add_option("--top-p", sampling.top_p, "Choose from the likeliest that have this much probability together")
      ->capture_default_str();
  command->add_option("--seed", sampling.seed, "Of the choices, and of weights that are random")
      ->check(CLI::Validator(what_is_no_seed, "UINT"))
      ->capture_default_str();
  command->add_option("--stop", options->stop, "A token that ends the text, such as <|endoftext|> (may be repeated)")
      ->allow_extra_args(false);
  options->how.slide = true;
  command->add_flag_callback(
      "--no-slide", [options] { options->how.slide = false; }, "End the text where it reaches the context");
  command
      ->add_option("--context", options->context, "Tokens that the model sees at once; 0: as many as the model takes")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()))
      ->capture_default_str();
  add_compute_options(*command, options->compute);
  command->add_flag("--bf16", options->bf16,
                    "Let products round their operands to bf16 where the processor is faster so");
  command->add_flag("--stats", options->stats, "Tell the time of a token, and of what the memory could do");
  command->add_flag("--json", options->json, "As JSON, at the end");
  command->callback([options] { run(*options); });
}

}  // namespace asg::app
