// A backend of one's own. It says which ops it has, the primitives, and computes them; everything else the library
// does: ops that it lacks are taken apart into those that it has, or computed on the host. Whether it keeps its word
// the conformance suite tells. Then a model trains on it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "asg/asg.h"
#include "asg/backend/conformance.h"
#include "asg/backend/primitives.h"
#include "support/example.h"

using namespace asg;

namespace {

class PocketBackend : public Backend {
 public:
  std::string name() const override { return "pocket"; }

  Capabilities capabilities() const override {
    Capabilities can;
    can.supports_op = is_primitive;
    can.features = {"products of matrices by a loop of its own"};
    return can;
  }

  // All primitives arrive here. This device has one kernel; the others it borrows, and replaces one by one.
  DeviceArrays run_primitive(const PrimitiveCall& call) override {
    if (is_plain_product(call)) return {multiply(array_of(call.operands[0].array), array_of(call.operands[1].array))};
    DeviceArrays results = borrowed_.run_primitive(call);
    for (DeviceArray& result : results) result = host_array(name(), array_of(result));
    return results;
  }

  std::int64_t products() const { return products_; }

 private:
  // Two matrices of f32. What else MatMul means (batches, vectors, other types) is left to the borrowed kernel.
  static bool is_plain_product(const PrimitiveCall& call) {
    if (call.op->name != "MatMul" || call.operands.size() != 2) return false;
    return std::all_of(call.operands.begin(), call.operands.end(), [](const PrimitiveCall::Operand& operand) {
      return operand.array && operand.array.dtype() == DType::f32 && operand.array.sizes().size() == 2;
    });
  }

  DeviceArray multiply(const Array& left, const Array& right) {
    const std::int64_t rows = left.sizes()[0], inner = left.sizes()[1], columns = right.sizes()[1];
    if (right.sizes()[0] != inner) {
      fail(ErrorCode::bad_shape, left.type_string() + " times " + right.type_string(), "equal inner lengths");
    }
    ++products_;
    const Array a = left.dense(), b = right.dense();
    Array c(DType::f32, {rows, columns});
    const float* from_a = a.data<float>().data();
    const float* from_b = b.data<float>().data();
    float* to = c.mutable_data<float>().data();
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t k = 0; k < inner; ++k) {
        const float factor = from_a[row * inner + k];
        for (std::int64_t column = 0; column < columns; ++column) {
          to[row * columns + column] += factor * from_b[k * columns + column];
        }
      }
    }
    return host_array(name(), c);
  }

  Interpreter borrowed_;
  std::int64_t products_ = 0;
};

Graph digits_model() {
  Graph graph("digits");
  const Dim batch = Dim::symbol("batch");
  const Tensor pictures = graph.input("features", {DType::f32, {batch, 8, 8}});
  const Tensor labels = graph.input("labels", {DType::i64, {batch}});
  const Tensor hidden = gelu(nn::linear(flatten(pictures), 32, {.name = "hidden"}));
  const Tensor logits = nn::linear(hidden, 10, {.name = "head"});
  graph.set_output("logits", logits);
  graph.set_output("loss", loss::cross_entropy(logits, labels));
  return graph;
}

void try_the_backend(examples::Example& example) {
  // Known by its name from now on, to recipes and to everybody else in this program.
  BackendRegistry::global().add({"pocket", "a device that fits into a page"},
                                [] { return std::make_unique<PocketBackend>(); });

  PocketBackend tried;
  const ConformanceReport report = check_backend(tried);
  std::printf("%s", report.to_text().c_str());
  example.expect(report.passed(), std::to_string(report.failures()) + " checks of the contract failed");
  example.expect(tried.products() > 0, "its own kernel was never called");

  const data::Split digits = data::stratified_split(data::digits(), 0.2, /*seed=*/1);
  data::Loader loader(digits.train, {.batch_size = 32});
  const train::TrainerOptions options{.optimizer = optim::Optimizer::adam(5e-3)};
  train::Trainer here(digits_model(), BackendRegistry::global().make("pocket"), options);
  train::Trainer there(digits_model(), BackendRegistry::global().make("cpu"), options);
  double apart = 0;  // between the losses of the two backends
  for (std::int64_t step = 0; step < example.pick(10, 200); ++step) {
    const data::Batch batch = loader.at(step);
    const double loss = here.step(batch.arrays).loss;
    apart = std::max(apart, std::abs(loss - there.step(batch.arrays).loss));
    example.note_loss(step + 1, loss);
  }
  example.check_parameters(here);
  example.expect(apart < 1e-3, "the losses are not those of the backend 'cpu'");
  example.reached({.what = "largest difference from the losses of 'cpu'", .value = apart, .at_most = 1e-3});
  example.reached(
      {.what = "held-out accuracy", .value = here.evaluate(digits.held_out).accuracy.value_or(0), .at_least = 0.9});
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(argc, argv, "A backend of one's own is checked and trains a model.", try_the_backend);
}
