#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "asg/core/array.h"
#include "asg/core/thread_pool.h"
#include "asg/graph/ids.h"

namespace asg::cpu {

// The values of variables in place, by id. Several executables may share one: what one of them writes or commits the
// others see. The arrays leave it for other stores only, so nobody else changes them.
class VariableStore {
 public:
  // Null where nothing has been written.
  const Array* find(VarId variable) const;
  // Copies the value, into the memory that the variable has where that fits.
  void write(VarId variable, const Array& value);
  // The value, which has been written, of a variable of another store, in the memory that it has there.
  void take(VarId variable, const VariableStore& other, VarId its_variable);
  // The value, which has been written, in the memory that it has. It stays as it is: before the variable changes, it
  // gets memory of its own.
  Array lend(VarId variable);
  // Gives those of the variables that are lent memory of their own, as they must have before they change.
  void own(std::span<const VarId> variables, ThreadPool& pool);
  // The memory of a variable that has a value.
  std::byte* memory(VarId variable) const { return const_cast<std::byte*>(values_[variable.number].raw()); }
  // Changes whenever some variable has come to lie elsewhere.
  std::uint64_t version() const { return version_; }

 private:
  void make_room(VarId variable);

  std::vector<Array> values_;
  std::vector<char> written_;
  std::vector<char> lent_;
  std::uint64_t version_ = 1;
};

}  // namespace asg::cpu
