#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "asg/lab/scene.h"
#include "asg/train/messages.h"

namespace asg::lab {

// What a client asks of the hub itself; all else is a message to a training.
namespace requests {

struct Level {
  View view = View::model;
  std::string scope;
};
struct Describe {
  View view = View::model;
  std::string path;
};
struct Find {
  View view = View::model;
  std::string text;
  std::size_t limit = 50;
};
struct Locate {
  View view = View::model;
  std::string path;
};
// Replaces what this client watches in the training.
struct Subscribe {
  std::vector<std::string> values;
  bool gradients = false;
  std::int64_t every = 1;
};
struct ReadTensor {
  std::string value;
  bool gradient = false;
  std::int64_t limit = 65536;
};
struct History {};
struct Plan {};
struct AskCosts {};
struct Open {
  std::string json;  // the whole request
};

}  // namespace requests

using Question = std::variant<requests::Level, requests::Describe, requests::Find, requests::Locate,
                              requests::Subscribe, requests::ReadTensor, requests::History, requests::Plan,
                              requests::AskCosts, requests::Open, train::Message>;

struct Request {
  std::optional<std::int64_t> ask;  // comes back with the answer
  train::TrainingId training{1};
  std::string name;  // "level"
  std::string key;   // the whole request without its number: the same for the same question
  Question question;

  // Whether it changes anything, which those who may only look cannot ask for.
  bool changes_something() const;
};

// Throws bad_json, bad_command, limit_exceeded. `ask` gets what it can be told before that, so that a refusal can carry
// it.
Request request_from_json(std::string_view text, std::optional<std::int64_t>& ask);

}  // namespace asg::lab
