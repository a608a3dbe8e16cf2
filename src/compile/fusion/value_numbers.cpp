#include "compile/fusion/value_numbers.h"

namespace asg::fusion {

ValueNumbers::ValueNumbers(const Graph& graph) : first_(std::size_t{graph.next_node_id().number} + 1, 0) {
  for (std::uint32_t number = 0; number + 1 < first_.size(); ++number) {
    const NodeId id{number};
    const std::size_t ports = graph.has(id) ? graph.node(id).outputs.size() : 0;
    first_[std::size_t{number} + 1] = first_[number] + static_cast<std::uint32_t>(ports);
  }
}

void ValueSet::put(Value value, bool in) {
  const std::size_t at = numbers_->of(value);
  if (is_in_[at] == in) return;
  is_in_[at] = in;
  size_ = in ? size_ + 1 : size_ - 1;
}

void ValueSet::erase(const ValueSet& others) {
  for (std::size_t at = 0; at < others.is_in_.size(); ++at) {
    if (!others.is_in_[at] || !is_in_[at]) continue;
    is_in_[at] = false;
    --size_;
  }
}

}  // namespace asg::fusion
