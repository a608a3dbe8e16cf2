#include "asg/core/platform.h"
#include "asg/edit_check/edit_check.h"
#include "edit_check/session.h"

namespace asg::edit_check {

// Widths, activations, additions and removals in turn, so that variables of many sizes come and go.
Growth measure_growth(std::int64_t edits) {
  Session session(make_spec({.model = "transformer", .optimizer = "adam"}, ""));
  session.say(R"({"do":"step"})");
  Growth growth{.before = platform::resident_bytes()};
  const auto edit = [&](const std::string& command) {
    const Answer answer = session.say(R"({"do":"apply","edit":{"policy":"overlap","commands":[)" + command + "]}}");
    if (answer.accepted) ++growth.edits;
    session.say(R"({"do":"step"})");
  };
  for (std::int64_t k = 0; k < edits && !session.is_lost(); ++k) {
    const std::string number = std::to_string(k % 97);
    switch (k % 4) {
      case 0:
        edit(R"({"do":"set_config","at":"norm","attrs":{"epsilon":0.0)" + number + "1}}");
        break;
      case 1:
        edit(R"({"do":"set_config","at":"block","attrs":{"hidden":)" + std::to_string(12 + k % 7) + "}}");
        break;
      case 2:
        edit(R"({"do":"insert_between","value":"tokens","op":"nn.Linear","attrs":{"units":8},"name":"added"})");
        break;
      default:
        edit(R"({"do":"delete_passthrough","at":"added"})");
    }
  }
  growth.after = platform::resident_bytes();
  return growth;
}

}  // namespace asg::edit_check
