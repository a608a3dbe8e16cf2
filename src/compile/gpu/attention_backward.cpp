#include "compile/gpu/attention_source.h"

namespace asg::gpu {

// By key: a warp takes 16 keys, a block BK = 64, over tiles of BQ queries of all heads of its group. By query: a warp
// takes 16 queries, a block 64, over tiles of BG keys. Scores are computed in both.
const std::string_view kAttentionBackward = R"(
extern "C" __global__ void __launch_bounds__(128) NAME_delta(const unsigned short* output,
                                                             const unsigned short* output_gradient, float* delta,
                                                             Shape s) {
  const int lane = (int)threadIdx.x % 32, row = (int)blockIdx.x * 4 + (int)threadIdx.x / 32;
  if (row >= s.queries) return;
  const long long place = (int)blockIdx.z * s.output[0] + (int)blockIdx.y * s.output[1] + row * s.output[2];
  float sum = 0.0f;
  for (int k = lane; k < VALUE_WIDTH; k += 32) sum += from_short(output[place + k]) * from_short(output_gradient[place + k]);
#pragma unroll
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (lane == 0) delta[((long long)(int)blockIdx.z * s.heads + (int)blockIdx.y) * s.queries + row] = sum;
}

extern "C" __global__ void __launch_bounds__(128) NAME_by_key(
    const unsigned short* query, const unsigned short* key, const unsigned short* value, const MASK_TYPE* mask,
    const unsigned short* output_gradient, const float* log_sum_exp, const float* delta, unsigned short* key_gradient,
    unsigned short* value_gradient, Shape s) {
  constexpr int kQueryTile = BQ * (KD + 8), kGradientTile = BQ * (VD + 8);
  extern __shared__ __align__(16) unsigned char shared_memory[];
  unsigned short* const keys = reinterpret_cast<unsigned short*>(shared_memory);
  unsigned short* const values = keys + 64 * (KD + 8);
  unsigned short* const queries = values + 64 * (VD + 8);
  unsigned short* const gradients = queries + 2 * kQueryTile;
  float* const statistics = reinterpret_cast<float*>(gradients + 2 * kGradientTile);  // of queries: 2 tiles of pairs
  const int first = (int)blockIdx.x * 64;
  const int key_head = (int)blockIdx.y, batch = (int)blockIdx.z;
  const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
  key += batch * s.key[0] + key_head * s.key[1] + first * s.key[2];
  value += batch * s.value[0] + key_head * s.value[1] + first * s.value[2];
  key_gradient += batch * s.key[0] + key_head * s.key[1] + first * s.key[2];
  value_gradient += batch * s.value[0] + key_head * s.value[1] + first * s.value[2];
  int begin = 0;
#if CAUSAL
  if (first - s.offset > 0) begin = (first - s.offset) / BQ;
#endif
  const int tiles = (s.queries + BQ - 1) / BQ - begin;  // of each head
  const int rounds = tiles > 0 ? tiles * s.group : 0;
  const float scale = s.scale * kLog2OfE;

  const auto load = [&](int round) {
    const int head = key_head * s.group + round / tiles, at = (begin + round % tiles) * BQ, stage = round % 2;
    copy_tile<BQ, KD>(queries + stage * kQueryTile, query + batch * s.query[0] + head * s.query[1] + at * s.query[2],
                      s.query[2], s.queries - at, WIDTH);
    copy_tile<BQ, VD>(gradients + stage * kGradientTile,
                      output_gradient + batch * s.output[0] + head * s.output[1] + at * s.output[2], s.output[2],
                      s.queries - at, VALUE_WIDTH);
    end_of_copies();
    for (int k = (int)threadIdx.x; k < BQ; k += kThreads) {
      const long long place = ((long long)batch * s.heads + head) * s.queries + at + k;
      float sum = __int_as_float(0x7f800000), part = 0.0f;
      if (at + k < s.queries) {
        sum = log_sum_exp[place] * kLog2OfE;
        part = delta[place];
      }
      // Rows that look nowhere have no shares.
      statistics[(stage * BQ + k) * 2] = sum == -__int_as_float(0x7f800000) ? __int_as_float(0x7f800000) : sum;
      statistics[(stage * BQ + k) * 2 + 1] = part;
    }
  };

  float key_sums[KD / 8][4] = {}, value_sums[VD / 8][4] = {};
  copy_tile<64, KD>(keys, key, s.key[2], s.keys - first, WIDTH);
  copy_tile<64, VD>(values, value, s.value[2], s.keys - first, VALUE_WIDTH);
  if (rounds > 0) load(0);
  for (int round = 0; round < rounds; ++round) {
    if (round + 1 < rounds) {
      load(round + 1);
      wait_for_copies<1>();
    } else {
      wait_for_copies<0>();
    }
    __syncthreads();
    const int head = key_head * s.group + round / tiles, at = (begin + round % tiles) * BQ, stage = round % 2;
    const unsigned short* const tile_queries = queries + stage * kQueryTile;
    const unsigned short* const tile_gradients = gradients + stage * kGradientTile;
    const float* const tile_statistics = statistics + stage * BQ * 2;
#if MASK
    const MASK_TYPE* const head_mask = mask + batch * s.mask[0] + head * s.mask[1];
#else
    const MASK_TYPE* const head_mask = mask;
#endif
    float shares[BQ / 8][4] = {}, changes[BQ / 8][4] = {};
    products<KD>(shares, keys + warp * 16 * (KD + 8), tile_queries);
    products<VD>(changes, values + warp * 16 * (VD + 8), tile_gradients);
    bool all = MASK == 0 && first + 64 <= s.keys;
#if CAUSAL
    all = all && first + warp * 16 + 15 <= at + s.offset;
#endif
#pragma unroll
    for (int n = 0; n < BQ / 8; ++n) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int column = n * 8 + lane % 4 * 2 + i % 2;
        const int i_key = first + warp * 16 + lane / 4 + i / 2 * 8;
        float score = shares[n][i] * scale;
        if (MASK == 2) score += added_mask(head_mask, s, at + column, i_key);
        float share = power_of_2(score - tile_statistics[column * 2]);
        if (!all && !may_look(head_mask, s, at + column, i_key)) share = 0.0f;
        shares[n][i] = share;
        changes[n][i] = share * (changes[n][i] - tile_statistics[column * 2 + 1]);
      }
    }
    sums_of_rows<VD>(value_sums, shares, tile_gradients);
    sums_of_rows<KD>(key_sums, changes, tile_queries);
    __syncthreads();
  }
  wait_for_copies<0>();
  __syncthreads();
  const int mine = warp * 16;
  to_tile<KD / 8, KD>(keys + mine * (KD + 8), key_sums, s.scale, s.scale);
  to_tile<VD / 8, VD>(values + mine * (VD + 8), value_sums, 1.0f, 1.0f);
  __syncwarp();
  store_rows<16, KD>(key_gradient + mine * s.key[2], keys + mine * (KD + 8), s.key[2], s.keys - first - mine, WIDTH);
  store_rows<16, VD>(value_gradient + mine * s.value[2], values + mine * (VD + 8), s.value[2], s.keys - first - mine,
                     VALUE_WIDTH);
}

extern "C" __global__ void __launch_bounds__(128) NAME_by_query(
    const unsigned short* query, const unsigned short* key, const unsigned short* value, const MASK_TYPE* mask,
    const unsigned short* output_gradient, const float* log_sum_exp, const float* delta,
    unsigned short* query_gradient, Shape s) {
  constexpr int kKeyTile = BG * (KD + 8), kValueTile = BG * (VD + 8);
  extern __shared__ __align__(16) unsigned char shared_memory[];
  unsigned short* const queries = reinterpret_cast<unsigned short*>(shared_memory);
  unsigned short* const gradients = queries + 64 * (KD + 8);
  unsigned short* const keys = gradients + 64 * (VD + 8);
  unsigned short* const values = keys + 2 * kKeyTile;
  const int first = ((int)gridDim.x - 1 - (int)blockIdx.x) * 64;
  const int head = (int)blockIdx.y, batch = (int)blockIdx.z;
  const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
  query += batch * s.query[0] + head * s.query[1] + first * s.query[2];
  query_gradient += batch * s.query[0] + head * s.query[1] + first * s.query[2];
  output_gradient += batch * s.output[0] + head * s.output[1] + first * s.output[2];
  key += batch * s.key[0] + head / s.group * s.key[1];
  value += batch * s.value[0] + head / s.group * s.value[1];
#if MASK
  mask += batch * s.mask[0] + head * s.mask[1];
#endif
  int end = s.keys;
#if CAUSAL
  if (first + 64 + s.offset < end) end = first + 64 + s.offset;
#endif
  const int tiles = end > 0 ? (end + BG - 1) / BG : 0;
  const float scale = s.scale * kLog2OfE;
  float sum[2], part[2];
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int row = first + warp * 16 + half * 8 + lane / 4;
    const long long place = ((long long)batch * s.heads + head) * s.queries + row;
    sum[half] = row < s.queries ? log_sum_exp[place] * kLog2OfE : __int_as_float(0x7f800000);
    part[half] = row < s.queries ? delta[place] : 0.0f;
    if (sum[half] == -__int_as_float(0x7f800000)) sum[half] = __int_as_float(0x7f800000);
  }

  const auto load = [&](int tile) {
    const int at = tile * BG, stage = tile % 2;
    copy_tile<BG, KD>(keys + stage * kKeyTile, key + at * s.key[2], s.key[2], s.keys - at, WIDTH);
    copy_tile<BG, VD>(values + stage * kValueTile, value + at * s.value[2], s.value[2], s.keys - at, VALUE_WIDTH);
    end_of_copies();
  };
  float query_sums[KD / 8][4] = {};
  copy_tile<64, KD>(queries, query, s.query[2], s.queries - first, WIDTH);
  copy_tile<64, VD>(gradients, output_gradient, s.output[2], s.queries - first, VALUE_WIDTH);
  if (tiles > 0) load(0);
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) {
      load(tile + 1);
      wait_for_copies<1>();
    } else {
      wait_for_copies<0>();
    }
    __syncthreads();
    const int begin = tile * BG;
    const unsigned short* const tile_keys = keys + tile % 2 * kKeyTile;
    const unsigned short* const tile_values = values + tile % 2 * kValueTile;
    float shares[BG / 8][4] = {}, changes[BG / 8][4] = {};
    products<KD>(shares, queries + warp * 16 * (KD + 8), tile_keys);
    products<VD>(changes, gradients + warp * 16 * (VD + 8), tile_values);
    bool all = MASK == 0 && begin + BG <= s.keys;
#if CAUSAL
    all = all && begin + BG - 1 <= first + warp * 16 + s.offset;
#endif
#pragma unroll
    for (int n = 0; n < BG / 8; ++n) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int row = first + warp * 16 + lane / 4 + i / 2 * 8, i_key = begin + n * 8 + lane % 4 * 2 + i % 2;
        float score = shares[n][i] * scale;
        if (MASK == 2) score += added_mask(mask, s, row, i_key);
        float share = power_of_2(score - sum[i / 2]);
        if (!all && !may_look(mask, s, row, i_key)) share = 0.0f;
        changes[n][i] = share * (changes[n][i] - part[i / 2]);
      }
    }
    sums_of_rows<KD>(query_sums, changes, tile_keys);
    __syncthreads();
  }
  wait_for_copies<0>();
  __syncthreads();
  const int mine = warp * 16;
  to_tile<KD / 8, KD>(queries + mine * (KD + 8), query_sums, s.scale, s.scale);
  __syncwarp();
  store_rows<16, KD>(query_gradient + mine * s.query[2], queries + mine * (KD + 8), s.query[2],
                     s.queries - first - mine, WIDTH);
}
)";

}  // namespace asg::gpu
