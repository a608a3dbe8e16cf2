#include "zoo_settings.h"

#include "asg/core/error.h"

namespace asg::app {

Attrs zoo_settings(const zoo::Model& model, const std::vector<std::string>& given) {
  Attrs settings;
  for (const std::string& text : given) {
    const std::size_t mark = text.find('=');
    if (mark == std::string::npos) {
      fail(ErrorCode::bad_command, "--set " + text, "a setting and its value: --set classes=10");
    }
    const AttrSpec* spec = model.find_setting(text.substr(0, mark));
    const std::string value = text.substr(mark + 1);
    // An unknown one is refused by the model, which knows near names.
    settings.set(text.substr(0, mark), spec == nullptr ? Attr(value) : zoo::parse_setting(*spec, value));
  }
  return settings;
}

}  // namespace asg::app
