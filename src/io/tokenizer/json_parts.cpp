#include <algorithm>
#include <array>

#include "json.h"

namespace asg::io {
namespace {

constexpr std::size_t kMostSteps = 32;  // of one part of the pipeline
constexpr std::int64_t kLargestIdOfFile = 0x7FFFFFFE;

// Calls read(object, pointer) for the part, or in order for the parts of a Sequence, which may hold further ones.
template <class Read>
void each_part(const Json& value, const std::string& pointer, const char* list_name, const Read& read) {
  Fields fields(value, pointer);
  if (fields.text("type") != "Sequence") return read(value, pointer);
  const Json& parts = fields.list(list_name);
  fields.finish();
  for (std::size_t k = 0; k < parts.size(); ++k) {
    each_part(parts[k], fields.pointer(list_name) + "/" + std::to_string(k), list_name, read);
  }
}

void check_steps(std::size_t steps, const std::string& pointer) {
  if (steps <= kMostSteps) return;
  throw UserError({ErrorCode::limit_exceeded, "more than " + std::to_string(kMostSteps) + " steps", "at most so many",
                   "", "", pointer});
}

// {"String": "…"}, or a Regex, which must be one of those known.
std::string literal_pattern(Fields& fields) {
  Fields pattern(fields.object("pattern"), fields.pointer("pattern"));
  if (const Json* expression = pattern.may("Regex")) {
    refuse_unknown_part(fields.pointer("pattern"), "the regular expression " + shown(*expression) + " here");
  }
  std::string text = pattern.text("String");
  pattern.finish();
  if (text.empty()) refuse_json(pattern.pointer("String"), "nothing", "a text to look for");
  return text;
}

NormaliseStep read_normalise_step(const Json& value, const std::string& pointer) {
  using StepKind = NormaliseStep::Kind;
  constexpr std::array<std::pair<std::string_view, NormalForm>, 4> kForms = {
      {{"NFC", NormalForm::nfc}, {"NFD", NormalForm::nfd}, {"NFKC", NormalForm::nfkc}, {"NFKD", NormalForm::nfkd}}};
  Fields fields(value, pointer);
  const std::string type = fields.text("type");
  NormaliseStep step;
  const auto form = std::find_if(kForms.begin(), kForms.end(), [&](const auto& each) { return each.first == type; });
  if (form != kForms.end()) {
    step = {.kind = StepKind::form, .normal_form = form->second};
  } else if (type == "BertNormalizer") {
    step.clean = fields.flag_or("clean_text", true);
    step.chinese = fields.flag_or("handle_chinese_chars", true);
    step.lower = fields.flag_or("lowercase", true);
    step.accents = fields.flag_or("strip_accents", step.lower);
  } else if (type == "Lowercase") {
    step.kind = StepKind::lower_case;
  } else if (type == "StripAccents") {
    step.kind = StepKind::strip_accents;
  } else if (type == "Prepend") {
    step = {.kind = StepKind::prepend, .to = fields.text("prepend")};
  } else if (type == "Replace") {
    step.kind = StepKind::replace;
    step.from = literal_pattern(fields);
    step.to = fields.text("content");
  } else {
    refuse_unknown_part(pointer, "the normalizer " + shown(std::string_view(type)));
  }
  fields.finish();
  return step;
}

SplitKind read_split(Fields& fields) {
  Fields pattern(fields.object("pattern"), fields.pointer("pattern"));
  if (pattern.may("String") != nullptr) refuse_unknown_part(pattern.pointer(), "a Split by a plain text");
  const std::string expression = pattern.text("Regex");
  pattern.finish();
  const auto kind = scanner_of(expression);
  if (!kind) {
    refuse_unknown_part(pattern.pointer("Regex"), "the regular expression " + shown(std::string_view(expression)));
  }
  // The known expressions match every part of a text, so these two say the same: the matches are the pieces.
  const std::string behavior = fields.text("behavior");
  const bool invert = fields.flag_or("invert", false);
  if ((behavior != "Isolated" || invert) && (behavior != "Removed" || !invert)) {
    refuse_unknown_part(fields.pointer("behavior"), "a Split with the behavior " + shown(std::string_view(behavior)));
  }
  return *kind;
}

void read_pre_tokenise_step(const Json& value, const std::string& pointer, PreTokeniser& result) {
  if (result.byte_level) refuse_unknown_part(pointer, "a step after ByteLevel");
  Fields fields(value, pointer);
  const std::string type = fields.text("type");
  SplitStep step;
  if (type == "ByteLevel") {
    result.byte_level = true;
    step.prefix_space = fields.flag_or("add_prefix_space", true);
    step.kind = fields.flag_or("use_regex", true) ? SplitKind::gpt2 : SplitKind::whole;
    fields.ignore("trim_offsets");
  } else if (type == "Split") {
    step.kind = read_split(fields);
  } else if (type == "BertPreTokenizer") {
    step.kind = SplitKind::bert;
  } else if (type == "WhitespaceSplit") {
    step.kind = SplitKind::white_space;
  } else if (type == "Digits") {
    step.kind = fields.flag_or("individual_digits", false) ? SplitKind::digits_alone : SplitKind::digits_together;
  } else {
    refuse_unknown_part(pointer, "the pre_tokenizer " + shown(std::string_view(type)));
  }
  fields.finish();
  if (step != SplitStep{}) result.steps.push_back(step);
}

// Steps that work on single tokens come before those that work on the whole text.
class DecoderParts {
 public:
  void read(const Json& value, const std::string& pointer) {
    Fields fields(value, pointer);
    const std::string type = fields.text("type");
    const bool works_on_all = type == "Strip";
    if (works_on_all != joined_ && type != "ByteLevel" && type != "WordPiece") {
      refuse_unknown_part(pointer,
                          "the decoder " + shown(std::string_view(type)) + (joined_ ? " after Fuse" : " before Fuse"));
    }
    if (type == "ByteLevel" || type == "WordPiece") {
      if (count_ > 0) refuse_unknown_part(pointer, "the decoder " + shown(std::string_view(type)) + " after others");
      read_whole(type, fields);
    } else if (type == "Fuse") {
      joined_ = true;
      spec_.join = DecoderSpec::Join::nothing;
    } else if (type == "ByteFallback") {
      spec_.byte_fallback = true;
    } else if (type == "Replace") {
      if (spec_.byte_fallback) refuse_unknown_part(pointer, "the decoder Replace after ByteFallback");
      std::string from = literal_pattern(fields);
      spec_.replace.emplace_back(std::move(from), fields.text("content"));
    } else if (type == "Strip") {
      read_strip(fields);
    } else {
      refuse_unknown_part(pointer, "the decoder " + shown(std::string_view(type)));
    }
    check_steps(++count_, pointer);
    fields.finish();
  }

  // Without Fuse the tokens follow each other all the same.
  DecoderSpec take() {
    if (!joined_) spec_.join = DecoderSpec::Join::nothing;
    return std::move(spec_);
  }

 private:
  // Decoders that do all by themselves.
  void read_whole(const std::string& type, Fields& fields) {
    joined_ = true;
    if (type == "ByteLevel") {
      spec_.join = DecoderSpec::Join::nothing;
      spec_.byte_level = true;
      for (const char* name : {"add_prefix_space", "trim_offsets", "use_regex"}) fields.ignore(name);
    } else {
      spec_.join = DecoderSpec::Join::word_pieces;
      spec_.prefix = fields.text_or("prefix", "##");
      spec_.clean_up = fields.flag_or("cleanup", true);
    }
  }

  void read_strip(Fields& fields) {
    const std::string content = fields.text("content");
    if (content.size() != 1)
      refuse_unknown_part(fields.pointer("content"), "a Strip of " + shown(std::string_view(content)));
    spec_.strip = content.front();
    spec_.strip_begin = static_cast<std::size_t>(fields.number("start", 0, kLargestIdOfFile));
    spec_.strip_end = static_cast<std::size_t>(fields.number("stop", 0, kLargestIdOfFile));
  }

  DecoderSpec spec_ = {};
  bool joined_ = false;
  std::size_t count_ = 0;
};

// ---- What goes around a text

TokenId checked_id(const Json& value, const std::string& pointer, const Vocabulary& vocabulary) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() < vocabulary.size() &&
      vocabulary.holds(static_cast<TokenId>(value.get<std::uint64_t>()))) {
    return static_cast<TokenId>(value.get<std::uint64_t>());
  }
  refuse_json(pointer, shown(value), "the id of a token");
}

struct Around {
  std::vector<TokenId> before = {};
  std::vector<TokenId> after = {};
};

// {"id": "[CLS]", "ids": [101], "tokens": ["[CLS]"]}
std::vector<TokenId> ids_of_special(const Json& special, const std::string& name, const std::string& pointer,
                                    const Vocabulary& vocabulary) {
  const auto found = special.find(name);
  if (found == special.end())
    refuse_json(pointer, "no entry for " + shown(std::string_view(name)), "all special tokens of the template");
  Fields fields(*found, pointer + "/" + name);
  std::vector<TokenId> ids;
  for (const Json& id : fields.list("ids")) ids.push_back(checked_id(id, fields.pointer("ids"), vocabulary));
  fields.ignore("id");
  fields.ignore("tokens");
  fields.finish();
  return ids;
}

Around read_template(Fields& fields, const Vocabulary& vocabulary) {
  const Json& single = fields.list("single");
  const Json empty = Json::object();
  const Json* given = fields.may("special_tokens");
  const Json& special = given != nullptr ? fields.object("special_tokens") : empty;
  fields.ignore("pair");  // of two texts in one call
  Around around;
  bool met_text = false;
  for (std::size_t k = 0; k < single.size(); ++k) {
    const std::string pointer = fields.pointer("single") + "/" + std::to_string(k);
    Fields piece(single[k], pointer);
    if (const Json* token = piece.may("SpecialToken")) {
      Fields inner(*token, piece.pointer("SpecialToken"));
      const auto ids = ids_of_special(special, inner.text("id"), fields.pointer("special_tokens"), vocabulary);
      auto& side = met_text ? around.after : around.before;
      side.insert(side.end(), ids.begin(), ids.end());
    } else {
      Fields inner(piece.object("Sequence"), piece.pointer("Sequence"));
      if (met_text || inner.text("id") != "A") refuse_json(pointer, "another text", "one text, A");
      met_text = true;
    }
    piece.finish();
  }
  if (!met_text)
    refuse_json(fields.pointer("single"), "a template without a text", "{\"Sequence\": {\"id\": \"A\"}} in it");
  return around;
}

// ["[SEP]", 102]
TokenId read_named_id(Fields& fields, const char* name, const Vocabulary& vocabulary) {
  const Json& value = fields.list(name);
  if (value.size() != 2 || !value[0].is_string()) refuse_json(fields.pointer(name), shown(value), "a token and its id");
  return checked_id(value[1], fields.pointer(name) + "/1", vocabulary);
}

}  // namespace

std::vector<NormaliseStep> read_normaliser(const Json* value, const std::string& pointer) {
  std::vector<NormaliseStep> steps;
  if (value == nullptr) return steps;
  each_part(*value, pointer, "normalizers", [&](const Json& part, const std::string& place) {
    steps.push_back(read_normalise_step(part, place));
    check_steps(steps.size(), pointer);
  });
  return steps;
}

PreTokeniser read_pre_tokeniser(const Json* value, const std::string& pointer) {
  PreTokeniser result;
  if (value == nullptr) return result;
  each_part(*value, pointer, "pretokenizers", [&](const Json& part, const std::string& place) {
    read_pre_tokenise_step(part, place, result);
    check_steps(result.steps.size(), pointer);
  });
  return result;
}

DecoderSpec read_decoder(const Json* value, const std::string& pointer) {
  if (value == nullptr) return {};
  DecoderParts parts;
  each_part(*value, pointer, "decoders",
            [&parts](const Json& part, const std::string& place) { parts.read(part, place); });
  return parts.take();
}

void read_post_processor(const Json* value, const std::string& pointer, TokenizerSpec& spec) {
  if (value == nullptr) return;
  std::size_t count = 0;
  each_part(*value, pointer, "processors", [&](const Json& part, const std::string& place) {
    check_steps(++count, pointer);
    Fields fields(part, place);
    const std::string type = fields.text("type");
    Around around;
    if (type == "TemplateProcessing") {
      around = read_template(fields, spec.vocabulary);
    } else if (type == "BertProcessing" || type == "RobertaProcessing") {
      around.before = {read_named_id(fields, "cls", spec.vocabulary)};
      around.after = {read_named_id(fields, "sep", spec.vocabulary)};
      for (const char* name : {"trim_offsets", "add_prefix_space"}) fields.ignore(name);
    } else if (type == "ByteLevel") {
      for (const char* name : {"add_prefix_space", "trim_offsets", "use_regex"}) fields.ignore(name);
    } else {
      refuse_unknown_part(place, "the post_processor " + shown(std::string_view(type)));
    }
    fields.finish();
    // A later one goes around what the earlier ones made.
    spec.before.insert(spec.before.begin(), around.before.begin(), around.before.end());
    spec.after.insert(spec.after.end(), around.after.begin(), around.after.end());
  });
}

}  // namespace asg::io
