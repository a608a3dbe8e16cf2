#include "asg/graph/card.h"

namespace asg {

std::string DTypeSet::to_string() const {
  std::string text;
  for (DType dtype : all_dtypes()) {
    if (!contains(dtype)) continue;
    if (!text.empty()) text += ", ";
    text += name_of(dtype);
  }
  return text;
}

const AttrSpec* OpCard::find_attribute(std::string_view attribute) const {
  for (const AttrSpec& spec : attributes) {
    if (spec.name == attribute) return &spec;
  }
  return nullptr;
}

int OpCard::least_inputs() const {
  int least = 0;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    if (inputs[index].kind == PortKind::required) least = static_cast<int>(index) + 1;
  }
  return least;
}

int OpCard::most_inputs() const {
  if (!inputs.empty() && inputs.back().kind == PortKind::variadic) return -1;
  return static_cast<int>(inputs.size());
}

}  // namespace asg
