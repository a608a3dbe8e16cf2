#pragma once

#include "asg/backend/interpreter.h"
#include "asg/ops/ops.h"

// Backends that the tests try the contract on.
namespace asg::test {

// An engine: overrides the whole-graph side and nothing else.
class ExecuteOnly : public Backend {
 public:
  std::string name() const override { return "execute-only"; }
  NamedDeviceArrays execute(const Graph& graph, const NamedDeviceArrays& inputs) override {
    ++executed;
    return engine_.execute(graph, inputs);
  }
  int executed = 0;

 private:
  Interpreter engine_;
};

// Overrides nothing.
class Nothing : public Backend {
 public:
  std::string name() const override { return "nothing"; }
};

// One kernel and nothing else.
class AddOnly : public Backend {
 public:
  std::string name() const override { return "add-only"; }
  DeviceArray add(const DeviceArray& a, const DeviceArray& b) override { return kernels_.add(a, b); }

 private:
  Interpreter kernels_;
};

}  // namespace asg::test
