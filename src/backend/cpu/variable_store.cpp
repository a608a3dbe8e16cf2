#include "backend/cpu/variable_store.h"

#include <cstring>

namespace asg::cpu {

const Array* VariableStore::find(VarId variable) const {
  const std::size_t at = variable.number;
  return at < written_.size() && written_[at] != 0 ? &values_[at] : nullptr;
}

void VariableStore::make_room(VarId variable) {
  if (variable.number < values_.size()) return;
  values_.resize(variable.number + std::size_t{1});
  written_.resize(variable.number + std::size_t{1}, 0);
  lent_.resize(variable.number + std::size_t{1}, 0);
}

void VariableStore::take(VarId variable, const VariableStore& other, VarId its_variable) {
  make_room(variable);
  values_[variable.number] = *other.find(its_variable);
  written_[variable.number] = 1;
  lent_[variable.number] = other.lent_[its_variable.number];
  ++version_;
}

Array VariableStore::lend(VarId variable) {
  lent_[variable.number] = 1;
  ++version_;
  return values_[variable.number];
}

// By several threads: most of the time goes to the system, which hands out the pages.
void VariableStore::own(std::span<const VarId> variables, ThreadPool& pool) {
  std::vector<std::size_t> lent;
  for (const VarId variable : variables) {
    if (lent_[variable.number] != 0) lent.push_back(variable.number);
  }
  if (lent.empty()) return;
  const auto copy = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t k = first; k < last; ++k) {
      Array& value = values_[lent[static_cast<std::size_t>(k)]];
      value = value.copy();
    }
  };
  pool.for_ranges(static_cast<std::int64_t>(lent.size()), 1, copy);
  for (const std::size_t at : lent) lent_[at] = 0;
  ++version_;
}

void VariableStore::write(VarId variable, const Array& value) {
  const std::size_t at = variable.number;
  make_room(variable);
  Array& held = values_[at];
  if (written_[at] != 0 && lent_[at] == 0 && held.dtype() == value.dtype() && held.sizes() == value.sizes()) {
    if (value.count() == 0) return;
    if (value.is_dense()) {
      std::memcpy(held.raw(), value.raw(), static_cast<std::size_t>(value.bytes()));
    } else {
      held.assign(value);
    }
    return;
  }
  held = value.copy();
  written_[at] = 1;
  lent_[at] = 0;
  ++version_;
}

}  // namespace asg::cpu
