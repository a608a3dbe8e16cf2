#pragma once

#include <unordered_map>

#include "asg/backend/backend.h"

namespace asg {

// Holds the variables on the device and calls `execute` for each run.
class DefaultExecutable : public Executable {
 public:
  // Throws duplicate_name where an input and a variable share a name.
  DefaultExecutable(Backend& backend, Graph graph);

  const Graph& graph() const override { return graph_; }
  void write(VarId variable, const Array& value) override;
  Array read(VarId variable) const override;
  StepResult run(const NamedArrays& inputs) override;
  bool share_variables(Executable& other) override;

 private:
  NamedDeviceArrays execute(const NamedDeviceArrays& inputs);
  void commit(NamedDeviceArrays& values);

  Backend& backend_;
  Graph graph_;
  bool mixed_;  // holds carriers, or ops that run on the host
  using Variables = std::unordered_map<VarId, DeviceArray>;
  std::shared_ptr<Variables> variables_ = std::make_shared<Variables>();
};

}  // namespace asg
