#include <chrono>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "asg/core/error.h"
#include "asg/core/platform.h"
#include "asg/io/tokenizer.h"
#include "commands.h"
#include "console.h"

namespace asg::app {
namespace {

using Json = nlohmann::ordered_json;

struct TokensOptions {
  std::string tokenizer;
  std::string file = "-";
  std::string out;
  std::vector<std::string> special = {"<|endoftext|>"};
  std::string unknown;
  std::int64_t vocabulary = 8192;
  bool characters = false;
  bool no_special = false;
  bool json = false;
};

std::string read_input(const std::string& file) {
  if (file != "-") return platform::read_file(file);
  return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
}

void write(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

// Bytes that are no UTF-8 become U+FFFD: JSON knows text only.
void write_json(const Json& value) { write(value.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"); }

void encode(const TokensOptions& options) {
  const io::Tokenizer tokenizer = io::load_tokenizer(options.tokenizer);
  const auto ids = tokenizer.encode(read_input(options.file), {.add_special = !options.no_special});
  if (!options.json) {
    std::string line;
    for (const io::TokenId id : ids) line += (line.empty() ? "" : " ") + std::to_string(id);
    return write(line + "\n");
  }
  Json tokens = Json::array();
  for (const io::TokenId id : ids) tokens.push_back(*tokenizer.token(id));
  write_json({{"ids", ids}, {"tokens", std::move(tokens)}});
}

[[noreturn]] void refuse_ids(const std::string& given) {
  fail(ErrorCode::bad_command, given,
       "ids as `asg tokens encode` writes them: 15496 995, or [15496, 995], or its --json");
}

io::TokenId id_of(std::int64_t number) {
  if (number < 0 || number > INT32_MAX) refuse_ids("the number " + std::to_string(number));
  return static_cast<io::TokenId>(number);
}

std::vector<io::TokenId> parse_json_ids(const std::string& text) {
  Json value = Json::parse(text, nullptr, false);
  if (value.is_object() && value.contains("ids")) value = Json(std::move(value["ids"]));
  if (!value.is_array()) refuse_ids("JSON without a list of ids");
  std::vector<io::TokenId> ids;
  for (const Json& element : value) {
    if (!element.is_number_integer()) refuse_ids("an element that is no integer");
    ids.push_back(id_of(element.get<std::int64_t>()));
  }
  return ids;
}

std::vector<io::TokenId> parse_ids(const std::string& text) {
  constexpr const char* kBlanks = " \t\r\n,";
  std::vector<io::TokenId> ids;
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string::npos) return ids;
  if (text[first] == '{' || text[first] == '[') return parse_json_ids(text);
  for (std::size_t at = first; at < text.size(); at = text.find_first_not_of(kBlanks, at)) {
    std::int64_t number = 0;
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    for (; at < end; ++at) {
      if (text[at] < '0' || text[at] > '9' || number > INT32_MAX) {
        refuse_ids("'" + text.substr(at, std::min<std::size_t>(end - at, 20)) + "'");
      }
      number = number * 10 + (text[at] - '0');
    }
    ids.push_back(id_of(number));
  }
  return ids;
}

void decode(const TokensOptions& options) {
  const io::Tokenizer tokenizer = io::load_tokenizer(options.tokenizer);
  const std::string text = tokenizer.decode(parse_ids(read_input(options.file)), {.skip_special = options.no_special});
  options.json ? write_json({{"text", text}}) : write(text);
}

void count(const TokensOptions& options) {
  const io::Tokenizer tokenizer = io::load_tokenizer(options.tokenizer);
  const std::string text = read_input(options.file);
  const auto begin = std::chrono::steady_clock::now();
  const auto ids = tokenizer.encode(text, {.add_special = !options.no_special});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (options.json) {
    return write_json({{"tokens", ids.size()}, {"bytes", text.size()}, {"seconds", seconds}});
  }
  const double each = ids.empty() ? 0 : static_cast<double>(text.size()) / static_cast<double>(ids.size());
  fmt::print("{} tokens, {} bytes, {:.2f} bytes per token, {:.1f} ms\n", ids.size(), text.size(), each, seconds * 1e3);
}

void show(const TokensOptions& options) {
  const io::Tokenizer tokenizer = io::load_tokenizer(options.tokenizer);
  Json special = Json::object();
  for (const io::TokenId id : tokenizer.special_tokens()) special[std::string(*tokenizer.token(id))] = id;
  if (options.json) {
    return write_json({{"kind", io::name_of(tokenizer.kind())},
                       {"vocabulary_size", tokenizer.vocabulary_size()},
                       {"special_tokens", special}});
  }
  fmt::print("kind              {}\nvocabulary size   {}\nspecial tokens    {}\n", io::name_of(tokenizer.kind()),
             tokenizer.vocabulary_size(), special.size());
  for (const auto& [name, id] : special.items()) fmt::print("  {:>8}        {}\n", id.get<io::TokenId>(), name);
}

void save(const io::Tokenizer& tokenizer, const TokensOptions& options) {
  platform::write_file_atomically(options.out, tokenizer.to_json());
  if (options.json) {
    return write_json({{"file", options.out}, {"vocabulary_size", tokenizer.vocabulary_size()}});
  }
  fmt::print("{} tokens in {}\n", tokenizer.vocabulary_size(), options.out);
}

void convert(const TokensOptions& options) { save(io::load_tokenizer(options.tokenizer), options); }

void train(const TokensOptions& options) {
  const std::string text = read_input(options.file);
  if (options.characters && text.empty()) {
    fail(ErrorCode::bad_command, "an empty text", "a text, whose characters become the tokens",
         "name a file with some text in it, or give it on the standard input");
  }
  const auto learn = [&] {
    if (options.characters) return io::character_tokenizer(text, {.unknown = options.unknown});
    io::BytePairTraining training = {.vocabulary_size = options.vocabulary, .special = options.special};
    Progress progress(options.vocabulary);
    if (!options.json) {
      training.progress = [&progress](std::int64_t tokens, std::int64_t) { progress.show(tokens, "tokens"); };
    }
    return io::train_byte_pair(text, training);
  };
  save(learn(), options);
}

}  // namespace

void add_tokens(CLI::App& app, int& /*outcome*/) {
  auto options = std::make_shared<TokensOptions>();
  CLI::App* command = app.add_subcommand("tokens", "Text to tokens and back; learn a vocabulary");
  command->require_subcommand(1);
  const auto add = [&](const char* name, const char* words, void (*action)(const TokensOptions&)) {
    CLI::App* sub = command->add_subcommand(name, words);
    sub->add_flag("--json", options->json, "As JSON");
    sub->callback([options, action] { action(*options); });
    return sub;
  };
  const auto add_tokenizer = [&](CLI::App* sub) {
    sub->add_option("-t,--tokenizer", options->tokenizer,
                    "tokenizer.json, encoder.json, vocab.bpe, vocab.txt, or a folder with one of them")
        ->required();
  };
  const auto add_file = [&](CLI::App* sub, const char* words) { sub->add_option("file", options->file, words); };
  const auto add_out = [&](CLI::App* sub) {
    sub->add_option("-o,--out", options->out, "The tokenizer.json to write")->required();
  };
  const auto add_special = [&](CLI::App* sub, const char* words) {
    sub->add_flag("--no-special", options->no_special, words);
  };

  CLI::App* sub = add("encode", "Print the ids of a text", encode);
  add_tokenizer(sub);
  add_file(sub, "A text; - for the standard input");
  add_special(sub, "Without tokens around the text, such as [CLS]");
  sub = add("decode", "Print the text of ids", decode);
  add_tokenizer(sub);
  add_file(sub, "Ids as `encode` prints them; - for the standard input");
  add_special(sub, "Leave special tokens out");
  sub = add("count", "Count the tokens of a text", count);
  add_tokenizer(sub);
  add_file(sub, "A text; - for the standard input");
  add_special(sub, "Without tokens around the text, such as [CLS]");
  add_tokenizer(add("show", "Tell what a tokeniser is", show));
  sub = add("convert", "Write a tokeniser as tokenizer.json", convert);
  add_tokenizer(sub);
  add_out(sub);
  sub = add("train", "Learn a byte-level BPE, or take the characters, from a text", train);
  add_file(sub, "A text; - for the standard input");
  add_out(sub);
  sub->add_option("--vocabulary", options->vocabulary, "Tokens to learn, with bytes and special ones")
      ->capture_default_str();
  sub->add_option("--special", options->special, "Special tokens")->capture_default_str();
  sub->add_flag("--characters", options->characters, "A token for each character instead");
  sub->add_option("--unknown", options->unknown, "With --characters: the token for others, such as <unk>");
}

}  // namespace asg::app
