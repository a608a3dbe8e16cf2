// Runs over a cache: values that are present, and a gradient graph after its forward graph.
#include "asg/backend/walk.h"
#include "asg/graph/registry.h"
#include "backend/conformance/suite.h"

namespace asg::conformance {
namespace {

// loss = Σ (x · w)², as a graph of its own.
struct Forward {
  Graph graph{"forward", GraphId{11}};
  Tensor x, w, product, loss;

  Forward() {
    x = graph.input("x", {DType::f32, {2}});
    w = graph.parameter("w", {DType::f32, {2}}, Initializer::zeros());
    product = x * w;
    loss = add_op("ReduceSum", {product * product}, {{"keepdims", false}});
    graph.set_output("loss", loss);
  }
  Forward(const Forward&) = delete;
  Forward& operator=(const Forward&) = delete;

  Cache cache(Backend& backend) const {
    return cache_of(graph, backend.upload_all({{"x", reals({2}, {2, 3})}, {"w", reals({2}, {5, -1})}}));
  }
};

Tensor external(Graph& graph, const Tensor& value) {
  NodeSpec spec;
  spec.op = &Registry::global().get("External");
  spec.attrs = {{"graph", std::int64_t{value.graph().id().number}},
                {"node", std::int64_t{value.node().number}},
                {"port", std::int64_t{value.value().port}},
                {"type", value.type()}};
  return graph.add_outputs(std::move(spec)).front();
}

std::string all_values_return(Backend& backend) {
  const Forward forward;
  const CachedRun ran = backend.run(forward.graph, forward.cache(backend));
  for (NodeId id : forward.graph.node_ids()) {
    if (!ran.cache.contains({forward.graph.id(), {id, 0}})) return "no value of " + forward.graph.node(id).path();
  }
  return difference(backend.download(ran.outputs.at(0)), reals({}, {109}), 0);
}

// Whoever computed the product again would not see the value that was put there.
std::string present_values_stay(Backend& backend) {
  const Forward forward;
  Cache cache = forward.cache(backend);
  cache[{forward.graph.id(), forward.product.value()}] = backend.upload(reals({2}, {1, 2}));
  const CachedRun ran = backend.run(forward.graph, std::move(cache));
  return difference(backend.download(ran.outputs.at(0)), reals({}, {5}), 0);
}

std::string present_values_suffice(Backend& backend) {
  const Forward forward;
  Cache cache;
  cache[{forward.graph.id(), forward.product.value()}] = backend.upload(reals({2}, {1, 2}));
  const CachedRun ran = backend.run(forward.graph, std::move(cache));
  return difference(backend.download(ran.outputs.at(0)), reals({}, {5}), 0);
}

// d loss / d w = 2 · product · x
std::string forward_then_gradient(Backend& backend) {
  const Forward forward;
  Graph gradient("gradient", GraphId{12});
  gradient.set_output("w", external(gradient, forward.product) * 2 * external(gradient, forward.x));
  CachedRun ran = backend.run(forward.graph, forward.cache(backend));
  ran = backend.run(gradient, std::move(ran.cache));
  return difference(backend.download(ran.outputs.at(0)), reals({2}, {40, -18}), 0);
}

}  // namespace

void check_caches(Checks& checks) {
  Backend& backend = checks.backend;
  auto check = [&](std::string name, std::string (*run)(Backend&)) {
    checks.check("cache", std::move(name), "run", [&backend, run] { return run(backend); });
  };
  check("all values are returned", all_values_return);
  check("values present are not computed again", present_values_stay);
  check("what only present values need may be missing", present_values_suffice);
  check("forward, then its gradient", forward_then_gradient);
}

}  // namespace asg::conformance
