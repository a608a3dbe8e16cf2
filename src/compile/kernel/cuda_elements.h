#pragma once

#include <string>
#include <vector>

#include "asg/compile/gpu_plan.h"
#include "compile/kernel/cuda_writer.h"

namespace asg::cuda {

// What a pass over elements does with them.
struct Elements {
  std::vector<int> values;          // to compute, in order
  std::vector<int> reads;           // kept by earlier passes
  std::vector<KernelStore> stores;  // of each element
  std::string uses;                 // lines that use the values of an element, without indentation
};

// Writes what a thread does with one vector of elements. The variable `<element>0` holds the number of its first
// element; of plans whose vectors are single elements, `<element>` is it.
class ElementsWriter {
 public:
  ElementsWriter(const GpuPlan& plan, const std::string& row, const std::string& element, std::string length);

  // `whole`: all elements of the vector are known to be in the row; otherwise its first one may be beyond the end.
  std::string text(const Elements& elements, bool whole, const std::string& indent) const;

  // Declarations of what keeps values from pass to pass.
  std::string kept_declarations(const std::string& indent) const;

  // Copies vector e of the thread, of the row `row` that begins `shift` (" - shift", or "") within a vector, to where
  // it is kept.
  std::string copies_ahead(const std::string& row, const std::string& shift, bool whole,
                           const std::string& indent) const;

  // "<element>0", or "<element>".
  std::string first() const;

 private:
  std::string single(const Elements& elements, const std::string& indent) const;
  // `partly`: of a vector that is not all in the row.
  std::string packed(const Elements& elements, const std::string& indent, bool partly) const;
  // The vector of results of 32 bits that are rounded two at a time, and the store that rounds them.
  std::string unrounded_line(const std::string& out) const;
  std::string store_rounded(const KernelStore& store, const std::string& out, bool partly) const;
  std::string packed_load(int number, bool partly, const std::string& indent) const;
  GpuPlan::Access access_of(int number, const std::vector<bool>& uniform) const;                // of a load
  std::string copy_ahead(int number, std::int64_t at, const Writer& writer, bool whole) const;  // of 16 bytes
  std::string keep(int number, const std::string& value, const std::string& indent) const;
  std::string read(int number, const std::string& indent) const;
  std::string kept_place(int number) const;
  bool keeps(int number) const;
  bool rounds_in_pairs(const KernelStore& store) const;
  bool is_only_rounded(int number, const Elements& elements) const;
  std::string pack_type(DType dtype) const;

  const GpuPlan& plan_;
  std::string element_;
  std::string length_;         // of the row, as text
  Writer each_;                // of an element
  Writer whole_;               // of a vector
  std::vector<bool> uniform_;  // values that are the same along a vector
};

}  // namespace asg::cuda
