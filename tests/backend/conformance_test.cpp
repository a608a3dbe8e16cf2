// The suite passes on sound backends, and finds every known way to break the contract.
#include "asg/backend/conformance.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "backend/test_backends.h"

namespace asg::test {
namespace {

TEST(Conformance, TheInterpreterPasses) {
  Interpreter backend;
  const ConformanceReport report = check_backend(backend);
  EXPECT_TRUE(report.passed()) << report.to_text();
  EXPECT_GT(report.rows.size(), 2000U);
}

TEST(Conformance, AnEngineForWholeGraphsPasses) {
  ExecuteOnly backend;
  const ConformanceReport report = check_backend(backend);
  EXPECT_TRUE(report.passed()) << report.to_text();
}

// A device with three dtypes is asked for no others, but must say that it takes none of them.
TEST(Conformance, ADeviceOfFewDtypesPasses) {
  struct Narrow : Interpreter {
    Capabilities capabilities() const override {
      Capabilities device = Interpreter::capabilities();
      device.dtypes = {DType::f32, DType::i64, DType::boolean};
      return device;
    }
  } backend;
  const ConformanceReport report = check_backend(backend);
  EXPECT_TRUE(report.passed()) << report.to_text();
  const bool refuses = std::any_of(report.rows.begin(), report.rows.end(),
                                   [](const ConformanceRow& row) { return row.name == "upload of f16"; });
  EXPECT_TRUE(refuses);
}

TEST(Conformance, EveryPrimitiveGoesThroughEverySurface) {
  Interpreter backend;
  const ConformanceReport report = check_backend(backend);
  for (const char* op :
       {"Add",       "Sub",       "Mul",     "Div",     "Neg",       "Abs",       "Sqrt",      "Exp",
        "Log",       "Pow",       "MatMul",  "Concat",  "Slice",     "Split",     "ReduceSum", "ReduceMean",
        "ReduceMax", "ReduceMin", "Reshape", "Squeeze", "Unsqueeze", "Transpose", "Identity",  "Cast",
        "Equal",     "Greater",   "Less",    "Where",   "Constant",  "Gather"}) {
    for (const char* surface : {"typed", "run_op", "single", "execute", "run", "compile", "submit"}) {
      const bool tried = std::any_of(report.rows.begin(), report.rows.end(), [&](const ConformanceRow& row) {
        return row.surface == surface && row.name.rfind(std::string(op) + " ", 0) == 0;
      });
      EXPECT_TRUE(tried) << op << " through " << surface;
    }
  }
}

// ---- Known ways to break the contract, each in one method.

using Ints = std::span<const std::int64_t>;

[[noreturn]] void refuse(const char* what) { fail(ErrorCode::bad_shape, what, "something simpler"); }

struct NoBroadcasting : Interpreter {
  DeviceArray add(const DeviceArray& a, const DeviceArray& b) override {
    if (a && b && a.sizes() != b.sizes()) refuse("two shapes");
    return Interpreter::add(a, b);
  }
};
struct MatricesOnly : Interpreter {
  DeviceArray matmul(const DeviceArray& a, const DeviceArray& b) override {
    if (a.sizes().size() != 2 || b.sizes().size() != 2) refuse("another rank than 2");
    return Interpreter::matmul(a, b);
  }
};
struct AxesIgnored : Interpreter {
  DeviceArray reduce_sum(const DeviceArray& x, Ints, bool keepdims) override {
    return Interpreter::reduce_sum(x, {}, keepdims);
  }
};
struct ReshapeByAnotherName : Interpreter {
  // Looks for the shape where it is not, finds none and leaves all as it is.
  DeviceArray reshape(const DeviceArray& x, Ints) override { return x; }
};
struct WhereAbsent : Interpreter {
  DeviceArray where(const DeviceArray&, const DeviceArray&, const DeviceArray&) override {
    fail(ErrorCode::not_implemented, "op 'Where'", "another op");
  }
};
struct SliceFirstAxes : Interpreter {
  DeviceArray slice(const DeviceArray& x, Ints starts, Ints ends, Ints, Ints) override {
    return Interpreter::slice(x, starts, ends, {}, {});
  }
};
struct PermNeeded : Interpreter {
  DeviceArray transpose(const DeviceArray& x, Ints perm) override {
    if (perm.empty()) refuse("no perm");
    return Interpreter::transpose(x, perm);
  }
};
struct AxesNeeded : Interpreter {
  DeviceArray reduce_max(const DeviceArray& x, Ints axes, bool keepdims) override {
    if (axes.empty()) refuse("no axes");
    return Interpreter::reduce_max(x, axes, keepdims);
  }
  DeviceArray squeeze(const DeviceArray& x, Ints axes) override {
    if (axes.empty()) refuse("no axes");
    return Interpreter::squeeze(x, axes);
  }
};
struct SplitSizesNeeded : Interpreter {
  DeviceArrays split(const DeviceArray& x, std::int64_t axis, Ints sizes, std::int64_t parts) override {
    if (sizes.empty()) refuse("no sizes");
    return Interpreter::split(x, axis, sizes, parts);
  }
};
struct CastIsIdentity : Interpreter {
  DeviceArray cast(const DeviceArray& x, DType) override { return x; }
};
struct ComparisonsGiveFloats : Interpreter {
  DeviceArray less(const DeviceArray& a, const DeviceArray& b) override {
    return Interpreter::cast(Interpreter::less(a, b), DType::f32);
  }
};
struct IndexVectorsOnly : Interpreter {
  DeviceArray gather(const DeviceArray& x, const DeviceArray& indices, std::int64_t axis) override {
    if (indices.sizes().size() != 1) refuse("indices of another rank than 1");
    return Interpreter::gather(x, indices, axis);
  }
};
struct NegativeAxisCrashes : Interpreter {
  DeviceArray unsqueeze(const DeviceArray& x, Ints axes) override {
    for (std::int64_t axis : axes) {
      if (axis < 0) throw std::out_of_range("vector");
    }
    return Interpreter::unsqueeze(x, axes);
  }
};
struct OneInputCrashes : Interpreter {
  DeviceArray add(const DeviceArray& a, const DeviceArray& b) override {
    if (!b) throw std::logic_error("null pointer");
    return Interpreter::add(a, b);
  }
};
struct NanIsLost : Interpreter {
  DeviceArray reduce_min(const DeviceArray& x, Ints axes, bool keepdims) override {
    const DeviceArray clean = Interpreter::where(Interpreter::equal(x, x), x,
                                                 Interpreter::cast(upload(Array::scalar(DType::f32, 1000)), x.dtype()));
    return Interpreter::reduce_min(clean, axes, keepdims);
  }
};
struct NamesBroken : Interpreter {
  NamedDeviceArrays execute(const Graph& graph, const NamedDeviceArrays& inputs) override {
    NamedDeviceArrays renamed;
    for (auto& [name, value] : Interpreter::execute(graph, inputs)) renamed["out/" + name] = value;
    return renamed;
  }
};
struct CacheIgnored : Interpreter {
  CachedRun run(const Graph& graph, Cache cache) override {
    for (NodeId id : graph.node_ids()) {
      if (!graph.node(id).op->traits.leaf) cache.erase({graph.id(), {id, 0}});
    }
    return Interpreter::run(graph, std::move(cache));
  }
};

struct Way {
  std::string name;
  std::function<std::unique_ptr<Backend>()> make;
  std::vector<std::string> failing;
};

template <class T>
Way way(std::string name, std::vector<std::string> failing) {
  return {std::move(name), [] { return std::make_unique<T>(); }, std::move(failing)};
}

class BrokenBackends : public testing::TestWithParam<Way> {};

TEST_P(BrokenBackends, AreFoundOut) {
  const auto backend = GetParam().make();
  const ConformanceReport report = check_backend(*backend);
  for (const std::string& name : GetParam().failing) EXPECT_TRUE(report.failed(name)) << name;
  EXPECT_NE(report.to_text().find("FAILED"), std::string::npos);
  // What is not broken still passes, so that a report points at the right place.
  const bool sound = std::any_of(report.rows.begin(), report.rows.end(), [](const ConformanceRow& row) {
    return row.passed && row.name == "Add on equal shapes" && row.surface == "typed";
  });
  EXPECT_TRUE(sound) << report.to_text();
}

INSTANTIATE_TEST_SUITE_P(
    Contract, BrokenBackends,
    testing::Values(way<NoBroadcasting>("no_broadcasting", {"Add broadcasts a row", "Add broadcasts a scalar"}),
                    way<MatricesOnly>("matmul_of_matrices_only", {"MatMul of two batches", "MatMul of two vectors"}),
                    way<AxesIgnored>("axes_ignored", {"ReduceSum over the last axis"}),
                    way<ReshapeByAnotherName>("reshape_reads_another_attribute", {"Reshape to another rank"}),
                    way<WhereAbsent>("where_absent", {"Where on equal shapes"}),
                    way<SliceFirstAxes>("slice_ignores_axes_and_steps", {"Slice of a named axis", "Slice with steps"}),
                    way<PermNeeded>("empty_perm_is_an_error", {"Transpose without perm reverses"}),
                    way<AxesNeeded>("empty_axes_are_an_error",
                                    {"ReduceMax without axes takes all", "Squeeze without axes takes all ones"}),
                    way<SplitSizesNeeded>("split_needs_sizes", {"Split into equal parts"}),
                    way<CastIsIdentity>("cast_is_identity", {"Cast to bool"}),
                    way<ComparisonsGiveFloats>("comparisons_give_floats", {"Less on equal shapes"}),
                    way<IndexVectorsOnly>("gather_by_vectors_only",
                                          {"Gather by a matrix of indices", "Gather by a scalar"}),
                    way<NegativeAxisCrashes>("negative_unsqueeze_crashes", {"Unsqueeze with a negative axis"}),
                    way<OneInputCrashes>("one_input_add_crashes", {"Add with one input"}),
                    way<AddOnly>("part_of_the_methods", {"Mul on equal shapes", "Where on equal shapes"}),
                    way<NanIsLost>("nan_is_lost", {"ReduceMin spreads NaN"}),
                    way<NamesBroken>("output_names_broken", {"Add in f32"}),
                    way<CacheIgnored>("cache_ignored", {"values present are not computed again"})),
    [](const testing::TestParamInfo<Way>& entry) { return entry.param.name; });

}  // namespace
}  // namespace asg::test
