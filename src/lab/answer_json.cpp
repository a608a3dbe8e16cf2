#include "lab/answer_json.h"

#include <utility>

#include <nlohmann/json.hpp>

namespace asg::lab {

ErrorDetail detail_of(const std::exception& error) {
  if (const auto* user = dynamic_cast<const UserError*>(&error)) return user->detail();
  ErrorDetail detail;
  detail.code = ErrorCode::computation_error;
  detail.given = error.what();
  return detail;
}

std::string failed_json(std::optional<std::int64_t> ask, std::string_view message, const ErrorDetail& error) {
  using AnswerJson = nlohmann::ordered_json;
  AnswerJson detail = {{"code", name_of(error.code)}, {"given", error.given}, {"needed", error.needed}};
  if (!error.mend.empty()) detail["mend"] = error.mend;
  if (!error.node.empty()) detail["node"] = error.node;
  if (!error.where.empty()) detail["where"] = error.where;
  AnswerJson json = {{"event", "failed"}, {"message", message}, {"error", std::move(detail)}};
  if (ask) json["ask"] = *ask;
  return json.dump(-1, ' ', false, AnswerJson::error_handler_t::replace);
}

std::string with_ask(std::string object, std::optional<std::int64_t> ask) {
  if (!ask) return object;
  object.pop_back();  // the closing brace
  object.append(object.size() > 1 ? ",\"ask\":" : "\"ask\":").append(std::to_string(*ask)).append("}");
  return object;
}

}  // namespace asg::lab
