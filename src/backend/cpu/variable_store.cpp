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

std::byte* VariableStore::own_memory(VarId variable) {
  const std::size_t at = variable.number;
  if (lent_[at] != 0) {
    values_[at] = values_[at].copy();
    lent_[at] = 0;
    ++version_;
  }
  return values_[at].raw();
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
