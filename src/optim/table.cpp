#include <array>

#include "optim/cards.h"

namespace asg::optim {

std::span<const OptimizerCard> optimizers() {
  static const std::array table = {adagrad_card(), adam_card(),    adamw_card(), lion_card(),
                                   muon_card(),    rmsprop_card(), sgd_card()};
  return table;
}

std::vector<std::string> optimizer_names() {
  std::vector<std::string> names;
  for (const OptimizerCard& card : optimizers()) names.emplace_back(card.name);
  return names;
}

const OptimizerCard& optimizer_card(std::string_view kind) {
  for (const OptimizerCard& card : optimizers()) {
    if (card.name == kind) return card;
  }
  const std::vector<std::string> names = optimizer_names();
  std::string listed;
  for (const std::string& name : names) {
    if (!listed.empty()) listed += ", ";
    listed += name;
  }
  const std::string near = nearest_name(kind, names);
  fail(ErrorCode::bad_attribute, "the optimiser '" + std::string(kind) + "'", "one of " + listed,
       near.empty() ? "" : "did you mean '" + near + "'?");
}

}  // namespace asg::optim
