#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asg/compile/executable.h"
#include "asg/graph/graph.h"
#include "asg/optim/optimizer.h"

namespace asg::bench {

// A matrix product of the model, or a convolution as the product that it is.
struct Product {
  double times = 1;
  double m = 0;
  double n = 0;
  double k = 0;
  bool by_input = true;  // training needs the gradient by the input too: false where the input is data

  // 2mnk forward, as much for the gradient by each operand.
  double operations(bool training) const { return times * 2 * m * n * k * (!training ? 1 : by_input ? 3 : 2); }
};

struct Workload {
  std::string name;   // "a"
  std::string words;  // one line for people
  std::function<Graph()> model;
  std::function<NamedArrays()> inputs;        // of every step
  std::string output;                         // that contenders compare: the loss, or the mean of the squares of it
  std::optional<optim::Optimizer> optimizer;  // none: forward only
  std::vector<Product> products;

  bool trains() const { return optimizer.has_value(); }
  double operations() const;  // of a step, in its products alone
};

const std::vector<Workload>& workloads();
const Workload* find_workload(std::string_view name);  // null where there is none

}  // namespace asg::bench
