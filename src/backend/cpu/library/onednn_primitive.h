#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

#include "backend/cpu/library/shared_cache.h"

// Small helpers around oneDNN, for the sources that use it.
namespace asg::cpu {

dnnl::engine& onednn_engine();

inline constexpr std::size_t kOnednnThings = 1024;  // of a kind that are kept for later use

// Runs a primitive in the calling thread; needs OneThread around it. The C form, since that of C++ allocates a map.
void execute(const dnnl::primitive& primitive, const dnnl::stream& stream,
             std::initializer_list<dnnl_exec_arg_t> arguments);

void count_onednn_primitive();  // see onednn_primitives_made

// Something of oneDNN that may serve many programs: from a cache of all things of its kind, or made now. Nothing of it
// may change in a run.
template <class Thing, class Make>
std::shared_ptr<const Thing> shared_onednn(const std::vector<std::int64_t>& key, const Make& make) {
  static_cast<void>(onednn_engine());  // which must outlive the cache
  static SharedCache<Thing> cache(kOnednnThings);
  return cache.get(key, [&] {
    count_onednn_primitive();
    return make();
  });
}

// A tensor that crosses the border: dense outside, in the layout of a primitive inside. The memory of both is given for
// each use.
class Border {
 public:
  enum class Way { in, out };
  Border(Way way, const dnnl::memory::desc& outer, const dnnl::memory::desc& inner);

  // Bytes that the inner form needs; 0 where both are the same.
  std::size_t inner_bytes() const;
  // Those of the inner form in any case.
  std::size_t whole_bytes() const { return inner_.get_size(); }

  // One pair of memory objects, for one thread at a time.
  struct Side {
    dnnl::memory outer;
    dnnl::memory inner;
  };
  Side make_side() const;
  // Sets where the forms lie. `inner` is not used where both are the same.
  void place(Side& side, const void* outer, void* inner) const;
  // What the primitive gets.
  dnnl_memory_t argument(const Side& side) const;
  // Brings the content over the border; nothing where both are the same.
  void cross(const Side& side, const dnnl::stream& stream) const;

 private:
  Way way_;
  dnnl::memory::desc outer_;
  dnnl::memory::desc inner_;
  bool same_;
  dnnl::reorder reorder_;
};

}  // namespace asg::cpu
