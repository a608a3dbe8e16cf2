#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <nlohmann/json.hpp>

#include "asg/core/files.h"
#include "asg/io/safetensors.h"
#include "graph/printing.h"
#include "header.h"

namespace asg::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDataAlignment = 64;
constexpr std::size_t kShownOfName = 80;

std::string json_text(const std::string& text) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::exception&) {
    fail(ErrorCode::bad_name, "the text " + as_quoted(text, kShownOfName) + ", which is not UTF-8", "texts in UTF-8");
  }
}

// Larger elements first, so that each tensor begins at a multiple of the size of its elements; then by name.
std::vector<const Tensors::value_type*> in_order(const Tensors& tensors) {
  std::vector<const Tensors::value_type*> result;
  for (const auto& tensor : tensors) result.push_back(&tensor);
  std::sort(result.begin(), result.end(), [](const auto* a, const auto* b) {
    const std::int64_t left = bytes_of(a->second.dtype());
    const std::int64_t right = bytes_of(b->second.dtype());
    return left != right ? left > right : a->first < b->first;
  });
  return result;
}

std::string tensor_text(const std::string& name, const Array& array, std::uint64_t begin) {
  std::string text =
      json_text(name) + R"(:{"dtype":")" + std::string(safetensors_name(array.dtype())) + R"(","shape":[)";
  for (std::size_t axis = 0; axis < array.sizes().size(); ++axis) {
    if (axis > 0) text += ',';
    text += std::to_string(array.sizes()[axis]);
  }
  text += R"(],"data_offsets":[)" + std::to_string(begin) + ',';
  return text + std::to_string(begin + static_cast<std::uint64_t>(array.bytes())) + "]}";
}

// The length, and the header padded with spaces to where elements are aligned.
std::string header_of(const std::vector<const Tensors::value_type*>& tensors, const TextByName& metadata) {
  std::string text = std::string(kLengthBytes, '\0') + '{';
  if (!metadata.empty()) {
    text += '"';
    text += kMetadataKey;
    text += "\":{";
    for (const auto& [key, value] : metadata) {
      if (text.back() != '{') text += ',';
      text += json_text(key);
      text += ':';
      text += json_text(value);
    }
    text += tensors.empty() ? "}" : "},";
  }
  std::uint64_t begin = 0;
  for (const auto* tensor : tensors) {
    if (begin > 0 || tensor != tensors.front()) text += ',';
    text += tensor_text(tensor->first, tensor->second, begin);
    begin += static_cast<std::uint64_t>(tensor->second.bytes());
  }
  text += '}';
  text.append((kDataAlignment - text.size() % kDataAlignment) % kDataAlignment, ' ');
  std::uint64_t length = text.size() - kLengthBytes;
  if (length > kMostHeaderBytes) {
    fail(ErrorCode::limit_exceeded, "a header of " + std::to_string(length) + " bytes", "at most 100,000,000 bytes",
         "spread the tensors over several files");
  }
  for (std::size_t k = 0; k < kLengthBytes; ++k, length >>= 8) text[k] = static_cast<char>(length & 0xFF);
  return text;
}

}  // namespace

void write_safetensors(const Tensors& tensors, const TextByName& metadata,
                       const std::function<void(std::string_view piece)>& write) {
  if (tensors.contains(kMetadataKey)) {
    fail(ErrorCode::bad_name, "a tensor called '__metadata__'", "a name that the format does not keep for itself");
  }
  const auto ordered = in_order(tensors);
  write(header_of(ordered, metadata));
  for (const auto* tensor : ordered) {
    const Array dense = tensor->second.dense();
    if (dense.count() == 0) continue;
    write({reinterpret_cast<const char*>(dense.raw()), static_cast<std::size_t>(dense.bytes())});
  }
}

void save_safetensors(const std::string& path, const Tensors& tensors, const TextByName& metadata) {
  const std::string temporary = platform::temporary_beside(path);
  platform::NewFile file(temporary);
  write_safetensors(tensors, metadata, [&](std::string_view piece) { file.write(piece); });
  file.finish();
  std::error_code error;
  fs::rename(temporary, path, error);
  if (error) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    fail(ErrorCode::io_error, "\"" + path + "\": rename: " + error.message(), "a place that can be written");
  }
  const fs::path folder = fs::path(path).parent_path();
  platform::sync_folder(folder.empty() ? "." : folder.string());
}

}  // namespace asg::io
