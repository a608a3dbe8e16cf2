#include <algorithm>

#include "asg/compile/gpu_attention.h"
#include "asg/core/error.h"
#include "compile/gpu/attention_source.h"
#include "compile/kernel/cuda_prelude.h"

namespace asg {
namespace {

constexpr int kThreads = 128;

int padded(int width) { return (width + 15) / 16 * 16; }

// Sizes of tiles, so that sums stay in registers.
struct Tiles {
  int key_width;
  int value_width;
  int query_rows_of_warp;  // times 16, forward
  int keys;                // forward
  int gradient_queries;
  int gradient_keys;
};

Tiles tiles_for(const GpuAttention& attention) {
  const int key_width = padded(attention.width);
  const int value_width = padded(attention.value_width);
  const int widest = std::max(key_width, value_width);
  return {.key_width = key_width,
          .value_width = value_width,
          .query_rows_of_warp = widest <= 128 ? 2 : 1,
          .keys = widest <= 64 ? 64 : 32,
          .gradient_queries = widest <= 128 ? 64 : 32,
          .gradient_keys = widest <= 128 ? 64 : 32};
}

std::string definition(const std::string& name, const std::string& value) {
  return "#define " + name + ' ' + value + '\n';
}
std::string definition(const std::string& name, int value) { return definition(name, std::to_string(value)); }

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

std::string text_of(const GpuAttention& attention, const Tiles& tiles, std::string_view name) {
  const std::string short_name(name_of(attention.dtype));
  std::string text =
      definition("SHORT_TYPE", '"' + short_name + '"') + definition("from_short", "from_" + short_name) +
      definition("to_short", "to_" + short_name) + definition("KD", tiles.key_width) +
      definition("VD", tiles.value_width) + definition("WIDEST", std::max(tiles.key_width, tiles.value_width)) +
      definition("WIDTH", attention.width) + definition("VALUE_WIDTH", attention.value_width) +
      definition("MT", tiles.query_rows_of_warp) + definition("BM", 64 * tiles.query_rows_of_warp) +
      definition("BN", tiles.keys) + definition("BQ", tiles.gradient_queries) + definition("BG", tiles.gradient_keys) +
      definition("CAUSAL", attention.causal ? 1 : 0) + definition("MASK", static_cast<int>(attention.mask)) +
      definition("MASK_TYPE", attention.mask == GpuAttention::Mask::added ? "float" : "unsigned char") +
      definition("ALIGNED", attention.aligned ? 1 : 0);
  std::string functions(gpu::kAttentionTools);
  functions += gpu::kAttentionForward;
  functions += gpu::kAttentionBackward;
  replace_all(functions, "NAME_", std::string(name) + '_');
  return cuda::prelude_for("from_" + short_name + " to_" + short_name) + text + functions;
}

}  // namespace

GpuAttentionKernels render_gpu_attention(const GpuAttention& attention, std::string_view name) {
  internal_check(attention.dtype == DType::bf16 || attention.dtype == DType::f16,
                 "attention by matrix units of another dtype");
  internal_check(
      attention.width > 0 && attention.value_width > 0 && attention.width <= 256 && attention.value_width <= 256,
      "attention by matrix units of wider heads");
  const Tiles tiles = tiles_for(attention);
  const std::int64_t key_row = 2 * (tiles.key_width + 8);  // bytes
  const std::int64_t value_row = 2 * (tiles.value_width + 8);
  const int rows = 64 * tiles.query_rows_of_warp;
  GpuAttentionKernels kernels;
  kernels.text = text_of(attention, tiles, name);
  const std::string stem(name);
  kernels.forward = {.function = stem + "_forward",
                     .rows = rows,
                     .threads = kThreads,
                     .shared_bytes = rows * std::max(key_row, value_row) + 2 * tiles.keys * (key_row + value_row)};
  kernels.delta = {.function = stem + "_delta", .rows = 4, .threads = kThreads, .shared_bytes = 0};
  kernels.by_key = {.function = stem + "_by_key",
                    .rows = 64,
                    .threads = kThreads,
                    .shared_bytes = (64 + 2 * tiles.gradient_queries) * (key_row + value_row) +
                                    2 * tiles.gradient_queries * std::int64_t{8}};
  kernels.by_query = {.function = stem + "_by_query",
                      .rows = 64,
                      .threads = kThreads,
                      .shared_bytes = (64 + 2 * tiles.gradient_keys) * (key_row + value_row)};
  return kernels;
}

}  // namespace asg
