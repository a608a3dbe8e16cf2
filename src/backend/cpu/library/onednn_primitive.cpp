#include "backend/cpu/library/onednn_primitive.h"

#include <atomic>

#include "asg/core/error.h"
#include "backend/cpu/library/library.h"
#include "backend/cpu/library/onednn_tiles.h"

namespace asg::cpu {
namespace {

std::atomic<std::int64_t> primitives_made{0};

}  // namespace

void count_onednn_primitive() { ++primitives_made; }
std::int64_t onednn_primitives_made() { return primitives_made; }

dnnl::engine& onednn_engine() {
  keep_off_hidden_tiles();
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

void execute(const dnnl::primitive& primitive, const dnnl::stream& stream,
             std::initializer_list<dnnl_exec_arg_t> arguments) {
  const dnnl_status_t status =
      dnnl_primitive_execute(primitive.get(), stream.get(), static_cast<int>(arguments.size()), arguments.begin());
  internal_check(status == dnnl_success, "oneDNN failed to run a primitive");
}

Border::Border(Way way, const dnnl::memory::desc& outer, const dnnl::memory::desc& inner)
    : way_(way), outer_(outer), inner_(inner), same_(outer == inner) {
  if (same_) return;
  const bool in = way == Way::in;
  dnnl::engine& engine = onednn_engine();
  reorder_ = dnnl::reorder(dnnl::reorder::primitive_desc(engine, in ? outer : inner, engine, in ? inner : outer));
}

std::size_t Border::inner_bytes() const { return same_ ? 0 : inner_.get_size(); }

Border::Side Border::make_side() const {
  return {dnnl::memory(outer_, onednn_engine(), nullptr), dnnl::memory(inner_, onednn_engine(), nullptr)};
}

void Border::place(Side& side, const void* outer, void* inner) const {
  side.outer.set_data_handle(const_cast<void*>(outer));
  if (!same_ && side.inner.get_data_handle() != inner) side.inner.set_data_handle(inner);
}

dnnl_memory_t Border::argument(const Side& side) const { return same_ ? side.outer.get() : side.inner.get(); }

void Border::cross(const Side& side, const dnnl::stream& stream) const {
  if (same_) return;
  const bool in = way_ == Way::in;
  execute(reorder_, stream,
          {{DNNL_ARG_FROM, in ? side.outer.get() : side.inner.get()},
           {DNNL_ARG_TO, in ? side.inner.get() : side.outer.get()}});
}

}  // namespace asg::cpu
