#include "backend/cpu/slice_scatter_step.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "asg/core/error.h"
#include "asg/graph/card.h"
#include "asg/graph/contexts.h"
#include "backend/at_node.h"
#include "ops/support/indexing.h"

namespace asg::cpu {
namespace {

constexpr std::string_view kScatterSlices = "ScatterND";
// Slices whose places are compared with each other, and remembered, without memory of their own.
constexpr std::int64_t kMostSlices = 128;

class SliceScatterStep : public PreparedStep {
 public:
  SliceScatterStep(const Step& step, std::int64_t element)
      : step_(step),
        element_(element),
        width_(step.inputs[1].sizes.back()),
        slices_(element_count(step.inputs[1].sizes) / width_),
        bytes_(element_count(step.outputs[0].sizes) * element),
        slice_bytes_(element_count(step.inputs[2].sizes) / slices_ * element),
        strides_(dense_strides(step.outputs[0].sizes)) {}

  void run(const Bases& bases, std::byte*, ThreadPool&) const override {
    at_node(*step_.node, [&] { write(bases); });
  }

 private:
  std::byte* at(const View& view, std::int64_t element, const Bases& bases) const {
    return bases[static_cast<std::size_t>(view.buffer)] + view.offset * element;
  }

  // All places are found, and refused where they are wrong, before anything is written.
  void write(const Bases& bases) const {
    const auto* indices = reinterpret_cast<const std::int64_t*>(at(step_.inputs[1], bytes_of(DType::i64), bases));
    std::array<std::int64_t, kMostSlices> places = {};
    for (std::int64_t slice = 0; slice < slices_; ++slice) {
      std::int64_t place = 0;
      for (std::int64_t k = 0; k < width_; ++k) {
        const auto axis = static_cast<std::size_t>(k);
        place += strides_[axis] *
                 ops::wrapped_index(indices[slice * width_ + k], step_.outputs[0].sizes[axis], kScatterSlices);
      }
      auto* const end = places.begin() + slice;
      if (std::find(places.begin(), end, place) != end) {
        fail(ErrorCode::computation_error, "two updates of one element", "at most one for each, as reduction is 'none'",
             "use reduction 'add' if they shall be summed");
      }
      *end = place;
    }
    const std::byte* from = at(step_.inputs[0], element_, bases);
    std::byte* to = at(step_.outputs[0], element_, bases);
    if (from != to) std::memcpy(to, from, static_cast<std::size_t>(bytes_));
    const std::byte* updates = at(step_.inputs[2], element_, bases);
    for (std::int64_t slice = 0; slice < slices_; ++slice) {
      std::memcpy(to + places[static_cast<std::size_t>(slice)] * element_, updates + slice * slice_bytes_,
                  static_cast<std::size_t>(slice_bytes_));
    }
  }

  Step step_;
  std::int64_t element_;
  std::int64_t width_;  // indices that lead to a slice
  std::int64_t slices_;
  std::int64_t bytes_;
  std::int64_t slice_bytes_;
  Sizes strides_;
};

}  // namespace

bool is_slice_scatter(const OpCard& op) { return op.name == kScatterSlices; }

// The reference kernel may write over its input too: it has all of its result before it writes any of it.
bool scatters_in_place(const Node& node) { return is_slice_scatter(*node.op); }

std::unique_ptr<PreparedStep> prepare_slice_scatter(const Step& step, const Program& program) {
  if (!is_slice_scatter(*step.node->op)) return nullptr;
  const Sizes& indices = step.inputs[1].sizes;
  if (AttrReader(*step.node->op, step.node->attrs).text("reduction") != "none") return nullptr;
  if (element_type_of(step.inputs[1], program) != DType::i64 || indices.back() == 0) return nullptr;
  if (element_count(step.outputs[0].sizes) == 0 || element_count(indices) == 0) return nullptr;
  if (element_count(indices) / indices.back() > kMostSlices) return nullptr;
  return std::make_unique<SliceScatterStep>(step, bytes_of(element_type_of(step.outputs[0], program)));
}

}  // namespace asg::cpu
