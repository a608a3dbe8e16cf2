#pragma once

#include <cstddef>
#include <initializer_list>

#include <oneapi/dnnl/dnnl.hpp>

// Small helpers around oneDNN, for the sources that use it.
namespace asg::cpu {

dnnl::engine& onednn_engine();

// Runs a primitive in the calling thread; needs OneThread around it. The C form, since that of C++ allocates a map.
void execute(const dnnl::primitive& primitive, const dnnl::stream& stream,
             std::initializer_list<dnnl_exec_arg_t> arguments);

// A tensor that crosses the border: dense outside, in the layout of a primitive inside. The memory of both is given for
// each use.
class Border {
 public:
  enum class Way { in, out };
  Border(Way way, const dnnl::memory::desc& outer, const dnnl::memory::desc& inner);

  // Bytes that the inner form needs; 0 where both are the same.
  std::size_t inner_bytes() const;

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
