#include "compile/gpu/attention_source.h"

namespace asg::gpu {

// A warp takes MT · 16 queries, a block of 4 warps BM = 64 · MT, over tiles of BN keys.
const std::string_view kAttentionForward = R"(
// The next tile of scores: the softmax of what has been seen so far, with a running maximum and sum, in powers of 2.
struct Running {
  float most, sum;
};
inline __device__ float next_of(Running& running, float most, float scale) {
  most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, 1));
  most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, 2));
  most = fmaxf(running.most, most * scale);
  const float fading = running.most == most ? 1.0f : power_of_2(running.most - most);
  running.sum *= fading;
  running.most = most;
  return fading;
}

extern "C" __global__ void __launch_bounds__(128) NAME_forward(const unsigned short* query, const unsigned short* key,
                                                               const unsigned short* value, const MASK_TYPE* mask,
                                                               unsigned short* output, float* log_sum_exp, Shape s) {
  extern __shared__ __align__(16) unsigned char shared_memory[];
  unsigned short* const queries = reinterpret_cast<unsigned short*>(shared_memory);
  unsigned short* const keys = queries + BM * (WIDEST + 8);
  unsigned short* const values = keys + 2 * BN * (KD + 8);
  // Tiles with the most keys first.
  const int first = ((int)gridDim.x - 1 - (int)blockIdx.x) * BM;
  const int head = (int)blockIdx.y, batch = (int)blockIdx.z;
  const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
  query += batch * s.query[0] + head * s.query[1] + first * s.query[2];
  key += batch * s.key[0] + head / s.group * s.key[1];
  value += batch * s.value[0] + head / s.group * s.value[1];
  output += batch * s.output[0] + head * s.output[1] + first * s.output[2];
#if MASK
  mask += batch * s.mask[0] + head * s.mask[1];
#endif
  int end = s.keys;
#if CAUSAL
  if (first + BM + s.offset < end) end = first + BM + s.offset;
#endif
  const int tiles = end > 0 ? (end + BN - 1) / BN : 0;

  float sums[MT][VD / 8][4] = {};
  Running running[MT][2];
#pragma unroll
  for (int m = 0; m < MT; ++m) running[m][0] = running[m][1] = {-__int_as_float(0x7f800000), 0.0f};
  const float scale = s.scale * kLog2OfE;

  copy_tile<BM, KD>(queries, query, s.query[2], s.queries - first, WIDTH);
  if (tiles > 0) {
    copy_tile<BN, KD>(keys, key, s.key[2], s.keys, WIDTH);
    copy_tile<BN, VD>(values, value, s.value[2], s.keys, VALUE_WIDTH);
  }
  end_of_copies();
  for (int tile = 0; tile < tiles; ++tile) {
    const int begin = tile * BN;
    if (tile + 1 < tiles) {
      const int next = begin + BN, stage = (tile + 1) % 2;
      copy_tile<BN, KD>(keys + stage * BN * (KD + 8), key + next * s.key[2], s.key[2], s.keys - next, WIDTH);
      copy_tile<BN, VD>(values + stage * BN * (VD + 8), value + next * s.value[2], s.value[2], s.keys - next,
                        VALUE_WIDTH);
      end_of_copies();
      wait_for_copies<1>();
    } else {
      wait_for_copies<0>();
    }
    __syncthreads();
    const unsigned short* const tile_keys = keys + tile % 2 * BN * (KD + 8);
    const unsigned short* const tile_values = values + tile % 2 * BN * (VD + 8);

    float scores[MT][BN / 8][4] = {};
#pragma unroll
    for (int k = 0; k < KD; k += 16) {
      unsigned left[MT][4];
#pragma unroll
      for (int m = 0; m < MT; ++m) {
        load_matrices(left[m], queries + ((warp * MT + m) * 16 + lane % 16) * (KD + 8) + k + lane / 16 * 8);
      }
#pragma unroll
      for (int n = 0; n < BN / 8; n += 2) {
        unsigned right[4];
        load_matrices(right, tile_keys + (n * 8 + lane % 8 + lane / 16 * 8) * (KD + 8) + k + lane / 8 % 2 * 8);
#pragma unroll
        for (int m = 0; m < MT; ++m) {
          multiply_add(scores[m][n], left[m], right[0], right[1]);
          multiply_add(scores[m][n + 1], left[m], right[2], right[3]);
        }
      }
    }
    // Only some tiles have pairs that may not look at each other.
    bool all = MASK == 0 && begin + BN <= s.keys;
#if CAUSAL
    all = all && begin + BN - 1 <= first + warp * MT * 16 + s.offset;
#endif
#pragma unroll
    for (int m = 0; m < MT; ++m) {
      const int row = first + (warp * MT + m) * 16 + lane / 4;
      float used = scale;
      if (!all) {
#pragma unroll
        for (int n = 0; n < BN / 8; ++n) {
#pragma unroll
          for (int i = 0; i < 4; ++i) {
            const int i_row = row + i / 2 * 8, i_key = begin + n * 8 + lane % 4 * 2 + i % 2;
#if MASK == 2
            scores[m][n][i] = scores[m][n][i] * scale + added_mask(mask, s, i_row, i_key);
#endif
            if (!may_look(mask, s, i_row, i_key)) scores[m][n][i] = -__int_as_float(0x7f800000);
          }
        }
      }
#if MASK == 2
      used = 1.0f;
#endif
      float most[2] = {scores[m][0][0], scores[m][0][2]};
#pragma unroll
      for (int n = 0; n < BN / 8; ++n) {
        most[0] = fmaxf(most[0], fmaxf(scores[m][n][0], scores[m][n][1]));
        most[1] = fmaxf(most[1], fmaxf(scores[m][n][2], scores[m][n][3]));
      }
      const float fading[2] = {next_of(running[m][0], most[0], used), next_of(running[m][1], most[1], used)};
      float base[2], part[2] = {0.0f, 0.0f};
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        // Of rows that have seen nothing.
        base[half] = running[m][half].most == -__int_as_float(0x7f800000) ? 0.0f : running[m][half].most;
      }
#pragma unroll
      for (int n = 0; n < BN / 8; ++n) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          scores[m][n][i] = power_of_2(fmaf(scores[m][n][i], used, -base[i / 2]));
          part[i / 2] += scores[m][n][i];
        }
      }
      running[m][0].sum += part[0];
      running[m][1].sum += part[1];
#pragma unroll
      for (int n = 0; n < VD / 8; ++n) {
#pragma unroll
        for (int i = 0; i < 4; ++i) sums[m][n][i] *= fading[i / 2];
      }
    }
#pragma unroll
    for (int k = 0; k < BN / 8; k += 2) {
      unsigned left[MT][4];
#pragma unroll
      for (int m = 0; m < MT; ++m) {
        left[m][0] = packed(scores[m][k][0], scores[m][k][1]);
        left[m][1] = packed(scores[m][k][2], scores[m][k][3]);
        left[m][2] = packed(scores[m][k + 1][0], scores[m][k + 1][1]);
        left[m][3] = packed(scores[m][k + 1][2], scores[m][k + 1][3]);
      }
#pragma unroll
      for (int n = 0; n < VD / 8; n += 2) {
        unsigned right[4];
        load_transposed(right, tile_values + (k * 8 + lane % 16) * (VD + 8) + n * 8 + lane / 16 * 8);
#pragma unroll
        for (int m = 0; m < MT; ++m) {
          multiply_add(sums[m][n], left[m], right[0], right[1]);
          multiply_add(sums[m][n + 1], left[m], right[2], right[3]);
        }
      }
    }
    __syncthreads();
  }
  wait_for_copies<0>();
  __syncthreads();

#pragma unroll
  for (int m = 0; m < MT; ++m) {
    const int begin = (warp * MT + m) * 16;
    float inverse[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float sum = running[m][half].sum;
      sum += __shfl_xor_sync(0xffffffffu, sum, 1);
      sum += __shfl_xor_sync(0xffffffffu, sum, 2);
      inverse[half] = sum > 0.0f ? 1.0f / sum : 0.0f;
      const int row = first + begin + half * 8 + lane / 4;
      if (lane % 4 == 0 && row < s.queries) {
        log_sum_exp[((long long)batch * s.heads + head) * s.queries + row] =
            sum > 0.0f ? running[m][half].most / kLog2OfE + logf(sum) : -__int_as_float(0x7f800000);
      }
    }
    unsigned short* const tile = queries + begin * (VD + 8);
    to_tile<VD / 8, VD>(tile, sums[m], inverse[0], inverse[1]);
    __syncwarp();
    store_rows<16, VD>(output + begin * s.output[2], tile, s.output[2], s.queries - first - begin, VALUE_WIDTH);
  }
}
)";

}  // namespace asg::gpu
