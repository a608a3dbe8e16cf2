#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "asg/core/files.h"
#include "asg/io/safetensors.h"
#include "graph/json_dom.h"
#include "graph/printing.h"
#include "header.h"

namespace asg::io {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "elements of safetensors are little-endian");

constexpr std::size_t kShownOfFile = 80;
constexpr const char* kIndexName = "model.safetensors.index.json";
constexpr const char* kFileName = "model.safetensors";

// A boolean of ours is 0 or 1; files may hold any byte.
bool has_odd_booleans(const Array& array) {
  if (array.dtype() != DType::boolean || array.count() == 0) return false;
  const std::byte* const first = array.raw();
  return std::any_of(first, first + array.count(), [](std::byte value) { return value > std::byte{1}; });
}

Array with_plain_booleans(const Array& array) {
  Array result = array.copy();
  for (std::int64_t k = 0; k < result.count(); ++k) result.raw()[k] = std::byte{result.raw()[k] != std::byte{0}};
  return result;
}

std::string file_in_folder(const fs::path& folder) {
  for (const char* name : {kIndexName, kFileName}) {
    if (fs::exists(folder / name)) return (folder / name).string();
  }
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".safetensors") found.push_back(entry.path().string());
  }
  if (found.size() == 1) return found.front();
  fail(ErrorCode::io_error,
       "the folder \"" + folder.string() + "\" with " + std::to_string(found.size()) + " .safetensors files",
       std::string(kIndexName) + ", " + kFileName + " or a single .safetensors file in it", "name the file itself");
}

// Tensor → file, as the index says. A name with a path in it could lead anywhere.
TextByName read_weight_map(const std::string& path) {
  const auto file = platform::MappedFile::open(path);
  const nlohmann::json index = [&] {
    try {
      return dom_from_text(file->text(), {.max_bytes = kMostHeaderBytes, .max_depth = 8});
    } catch (const UserError& error) {
      throw error.with_where(path);
    }
  }();
  const auto refuse = [&](std::string given, std::string needed) {
    refuse_file(ErrorCode::bad_json, path, std::move(given), std::move(needed));
  };
  const bool has_map = index.is_object() && index.contains("weight_map") && index["weight_map"].is_object();
  if (!has_map) refuse("an index without a weight_map", R"({"weight_map": {"tensor": "file.safetensors", …}})");
  TextByName result;
  for (const auto& [tensor, name] : index["weight_map"].items()) {
    const std::string shard = name.is_string() ? name.get<std::string>() : "";
    // Another index would lead to another, or back to this one.
    if (shard.empty() || shard == ".." || shard == "." || shard.ends_with(".json") ||
        shard.find_first_of(std::string_view("/\\\0", 3)) != std::string::npos) {
      refuse("tensor " + as_quoted(tensor, kShownOfFile) + " in " + as_quoted(name.dump(), kShownOfFile),
             "the name of a safetensors file in the folder of the index");
    }
    result.emplace(tensor, shard);
  }
  return result;
}

}  // namespace

Safetensors Safetensors::of_part(const std::string& path, std::shared_ptr<const void> owner, std::string_view bytes,
                                 std::byte* first) {
  SafetensorsHeader header = read_header(bytes, path);
  Safetensors result;
  result.path_ = path;
  result.tensors_ = std::move(header.tensors);
  result.metadata_ = std::move(header.metadata);
  result.parts_.push_back({std::move(owner), first + header.data_begin});
  result.part_of_.assign(result.tensors_.size(), 0);
  std::sort(result.tensors_.begin(), result.tensors_.end(),
            [](const TensorInfo& a, const TensorInfo& b) { return a.name < b.name; });
  return result;
}

Safetensors Safetensors::from_bytes(std::string bytes, const std::string& name) {
  const auto owner = std::make_shared<std::string>(std::move(bytes));
  return of_part(name, owner, *owner, reinterpret_cast<std::byte*>(owner->data()));
}

Safetensors Safetensors::open(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return open(file_in_folder(path));
  return path.ends_with(".json") ? open_index(path) : open_file(path);
}

Safetensors Safetensors::open_file(const std::string& path) {
  const auto file = platform::MappedFile::open(path);
  return of_part(path, file, file->text(), file->bytes().data());
}

// What the map does not name is left out.
Safetensors Safetensors::open_index(const std::string& path) {
  Safetensors result;
  result.path_ = path;
  std::map<std::string, std::pair<std::size_t, Safetensors>> files;
  for (const auto& [tensor, name] : read_weight_map(path)) {
    auto entry = files.find(name);
    if (entry == files.end()) {
      Safetensors file = open_file((fs::path(path).parent_path() / name).string());
      result.parts_.push_back(file.parts_.front());
      result.metadata_.insert(file.metadata_.begin(), file.metadata_.end());
      entry = files.emplace(name, std::pair(result.parts_.size() - 1, std::move(file))).first;
    }
    const TensorInfo* info = entry->second.second.find(tensor);
    if (info == nullptr) {
      refuse_file(ErrorCode::io_error, path,
                  "no tensor " + as_quoted(tensor, kShownOfFile) + " in " + as_quoted(name, kShownOfFile),
                  "every tensor of the weight_map in its file", "fetch the index and all files of the same version");
    }
    result.tensors_.push_back(*info);
    result.part_of_.push_back(entry->second.first);
  }
  return result;  // the map gives tensors by rising names
}

const TensorInfo* Safetensors::find(std::string_view name) const {
  const auto found =
      std::lower_bound(tensors_.begin(), tensors_.end(), name,
                       [](const TensorInfo& tensor, std::string_view wanted) { return tensor.name < wanted; });
  return found != tensors_.end() && found->name == name ? &*found : nullptr;
}

Array Safetensors::read(std::string_view name) const {
  const TensorInfo* info = find(name);
  if (info == nullptr) {
    std::vector<std::string> names;
    for (const TensorInfo& each : tensors_) names.push_back(each.name);
    const std::string near = nearest_name(name, names);
    throw UserError({ErrorCode::missing_value, "no tensor " + as_quoted(name, kShownOfFile),
                     "the name of a tensor in the file", near.empty() ? "" : "did you mean '" + near + "'?", "",
                     path_});
  }
  if (info->begin == info->end) return {info->dtype, info->sizes};
  const Part& part = parts_[part_of_[static_cast<std::size_t>(info - tensors_.data())]];
  std::byte* const first = part.elements + info->begin;
  Array array;
  if (reinterpret_cast<std::uintptr_t>(first) % static_cast<std::uintptr_t>(bytes_of(info->dtype)) == 0) {
    array = Array::wrap(info->dtype, info->sizes, first, [owner = part.owner](void*) {});
  } else {
    array = Array::uninitialised(info->dtype, info->sizes);
    std::memcpy(array.raw(), first, static_cast<std::size_t>(info->end - info->begin));
  }
  return has_odd_booleans(array) ? with_plain_booleans(array) : array;
}

Tensors Safetensors::read_all() const {
  Tensors result;
  for (const TensorInfo& tensor : tensors_) result.emplace(tensor.name, read(tensor.name));
  return result;
}

}  // namespace asg::io
