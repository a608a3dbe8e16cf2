#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "asg/core/array.h"

// The safetensors format: a header in JSON, then the elements of all tensors one after the other. It holds data and
// nothing that could be run, so files of others can be opened without trust. docs/checkpoints.md describes what is
// read and written.
namespace asg::io {

using Tensors = std::map<std::string, Array, std::less<>>;
using TextByName = std::map<std::string, std::string, std::less<>>;

// One tensor as the header describes it. The header is checked as a whole before any tensor is read: each lies inside
// the file and has as many bytes as dtype and sizes need; together they fill the file without gap or overlap.
struct TensorInfo {
  std::string name;
  DType dtype = DType::f32;
  Sizes sizes = {};
  std::uint64_t begin = 0;  // bytes from the first element of the file
  std::uint64_t end = 0;

  std::string type_string() const;  // "f32[2, 3]"
};

// The tensors of one file, or of a set of files with an index ("shards"). Files are mapped, not read: tensors are
// views of them that stay good as long as they live, and what is never touched is never loaded. A handle; copies share.
class Safetensors {
 public:
  // A file, or "….index.json" beside the files that it names, or a folder with model.safetensors.index.json,
  // model.safetensors or a single .safetensors file in it. Throws io_error, bad_json, bad_dtype, limit_exceeded; the
  // text names file and tensor.
  static Safetensors open(const std::string& path);
  // A file that is in memory. `name` stands for it in errors.
  static Safetensors from_bytes(std::string bytes, const std::string& name = "bytes in memory");

  const std::vector<TensorInfo>& tensors() const { return tensors_; }  // rising by name
  const TensorInfo* find(std::string_view name) const;                 // null when there is no such name
  // A view, or a copy where the elements are not aligned to their size. It may be written to: that never changes the
  // file. Throws missing_value.
  Array read(std::string_view name) const;
  Tensors read_all() const;
  const TextByName& metadata() const { return metadata_; }  // of all files; the first one that has a key decides
  const std::string& path() const { return path_; }

 private:
  // One file.
  struct Part {
    std::shared_ptr<const void> owner;
    std::byte* elements = nullptr;
  };
  static Safetensors of_part(const std::string& path, std::shared_ptr<const void> owner, std::string_view bytes,
                             std::byte* first);
  static Safetensors open_file(const std::string& path);
  static Safetensors open_index(const std::string& path);

  std::string path_;
  std::vector<TensorInfo> tensors_;
  std::vector<Part> parts_;
  std::vector<std::size_t> part_of_;  // each tensor
  TextByName metadata_;
};

// Gives the bytes of a file piece by piece. Equal tensors and metadata give equal bytes: tensors stand by the size of
// their elements, then by name, so that all are aligned, the first to 64 bytes. Throws bad_name for names that are not
// UTF-8 or that the format keeps for itself.
void write_safetensors(const Tensors& tensors, const TextByName& metadata,
                       const std::function<void(std::string_view piece)>& write);
// Writes a file beside and renames it, so that there is the old content or the new, never a part.
void save_safetensors(const std::string& path, const Tensors& tensors, const TextByName& metadata = {});

}  // namespace asg::io
