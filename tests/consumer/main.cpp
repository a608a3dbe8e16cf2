// A program outside the project: it finds the installed package, builds a graph and runs it.
#include <cstdio>

#include <asg/asg.h>
#include <asg/version.h>

int main() {
  using namespace asg;
  Graph graph("consumer");
  const Tensor x = graph.input("x", {DType::f32, {Dim::symbol("batch"), 2}});
  graph.set_output("y", relu(nn::linear(x, 3, {.name = "fc"})));

  Interpreter interpreter;
  const Graph plain = expand(graph, Mode::eval).graph;
  NamedArrays values = {{"x", Array::of<float>({1, 2}, {1, -1})}};
  for (VarId id : graph.variable_ids()) values[graph.variable(id).name] = initial_value(graph.variable(id), 1);
  const NamedArrays results = interpreter.download_all(interpreter.execute(plain, interpreter.upload_all(values)));

  std::printf("asg %s: y = %s\n", kVersion, results.at("y").to_string().c_str());
  return results.at("y").sizes() == Sizes{1, 3} ? 0 : 1;
}
