#include "backend/cpu/library/patch_convolution.h"

#include <algorithm>
#include <functional>

#include "backend/cpu/library/gemm.h"
#include "backend/cpu/library/lanes.h"
#include "backend/cpu/library/patches.h"

namespace asg::cpu {
namespace {

constexpr std::int64_t kPatchElements = 64 * 1024;  // of a tile: they stay in the second-level cache
constexpr std::int64_t kLeastPositions = 64;
constexpr std::int64_t kPositionMultiple = 32;
constexpr std::int64_t kWantedPatchTasks = 8;
constexpr std::int64_t kPartialPatchSums = 4 * 1024 * 1024;  // of the sums aside, all together

std::int64_t rounded_up_ratio(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// Equal parts of at most `most` elements, as multiples of `multiple` where that leaves several.
std::int64_t even_part(std::int64_t length, std::int64_t most, std::int64_t multiple) {
  const std::int64_t parts = rounded_up_ratio(length, std::max<std::int64_t>(1, most));
  return std::clamp<std::int64_t>(rounded_up_ratio(rounded_up_ratio(length, parts), multiple) * multiple, 1,
                                  std::max<std::int64_t>(1, length));
}

template <class T>
class PatchPlan : public ConvolutionPlan {
 public:
  explicit PatchPlan(const ConvolutionSpec& spec) : conv_(spec.geometry) {}

 protected:
  std::int64_t pictures() const { return conv_.batch * conv_.groups; }  // each group of a picture for itself
  std::int64_t rows() const { return conv_.patch_rows(); }
  std::int64_t positions() const { return conv_.positions(); }
  // Where the pixels, positions and weights of a group of a picture begin.
  std::int64_t pixels_at(std::int64_t picture) const { return picture * conv_.group_channels * conv_.pixels(); }
  std::int64_t outputs_at(std::int64_t picture) const { return picture * conv_.group_outputs * positions(); }
  std::int64_t weights_at(std::int64_t picture) const { return picture % conv_.groups * conv_.group_outputs * rows(); }
  std::int64_t position_tile(std::int64_t patch_rows) const {
    return even_part(positions(), std::max(kLeastPositions, kPatchElements / std::max<std::int64_t>(1, patch_rows)),
                     kPositionMultiple);
  }
  // The patches of some positions: the pixels themselves where they are the same.
  MatrixView<T> patches_of(const T* pixels, std::int64_t first, std::int64_t last, T* memory) const {
    if (patches_are_pixels(conv_.windows)) return {pixels + first, conv_.pixels(), 1};
    read_patches(conv_.windows, {conv_.group_channels, first, last}, pixels, memory);
    return {memory, last - first, 1};
  }

  ops::Convolution conv_;  // NOLINT(readability-identifier-naming): a member, though derived classes see it
};

// y[outputs, positions] = w[outputs, rows] · patches[rows, positions].
template <class T>
class PatchForward final : public PatchPlan<T> {
 public:
  explicit PatchForward(const ConvolutionSpec& spec) : PatchPlan<T>(spec) {
    position_part_ = this->position_tile(this->rows());
    position_parts_ = rounded_up_ratio(this->positions(), position_part_);
    const std::int64_t tasks = std::max<std::int64_t>(1, this->pictures() * position_parts_);
    output_part_ = even_part(this->conv_.group_outputs, this->conv_.group_outputs * tasks / kWantedPatchTasks, 12);
    output_parts_ = rounded_up_ratio(this->conv_.group_outputs, output_part_);
  }

  std::size_t scratch_bytes() const override {
    return static_cast<std::size_t>(lanes_for(tasks()) * slot()) * sizeof(T);
  }

  void run(const void* left, const void* right, void* result, void* scratch, ThreadPool& pool,
           ConvolutionDone after_block) const override {
    const auto* x = static_cast<const T*>(left);
    const auto* w = static_cast<const T*>(right);
    auto* y = static_cast<T*>(result);
    const ops::Convolution& conv = this->conv_;
    for_each_in_lanes(pool, tasks(), [&](std::int64_t lane, std::int64_t task) {
      const std::int64_t picture = task / (position_parts_ * output_parts_);
      const std::int64_t first = task / output_parts_ % position_parts_ * position_part_;
      const std::int64_t last = std::min(this->positions(), first + position_part_);
      const std::int64_t output = task % output_parts_ * output_part_;
      const std::int64_t outputs = std::min(output_part_, conv.group_outputs - output);
      T* memory = static_cast<T*>(scratch) + lane * slot();
      const MatrixView<T> patches = this->patches_of(x + this->pixels_at(picture), first, last, memory);
      const MatrixView<T> weights{w + this->weights_at(picture) + output * this->rows(), this->rows(), 1};
      gemm({outputs, last - first, this->rows()}, weights, patches,
           y + this->outputs_at(picture) + output * this->positions() + first, this->positions(), false);
      if (!after_block) return;
      const std::int64_t channel = picture % conv.groups * conv.group_outputs + output;
      after_block({picture / conv.groups, channel, channel + outputs, first, last});
    });
  }

 private:
  std::int64_t tasks() const { return this->pictures() * position_parts_ * output_parts_; }
  std::int64_t slot() const { return patches_are_pixels(this->conv_.windows) ? 0 : this->rows() * position_part_; }

  std::int64_t position_part_;
  std::int64_t position_parts_;
  std::int64_t output_part_;
  std::int64_t output_parts_;
};

// patches[rows, positions] = wᵀ[rows, outputs] · gradient of y[outputs, positions], added up in x; some channels at a
// time.
template <class T>
class PatchByInput final : public PatchPlan<T> {
 public:
  explicit PatchByInput(const ConvolutionSpec& spec) : PatchPlan<T>(spec) {
    const std::int64_t channels = this->conv_.group_channels;
    const std::int64_t taps = this->conv_.taps();
    const std::int64_t fit = kPatchElements * 2 / (taps * this->positions());
    const std::int64_t most = channels * std::max<std::int64_t>(1, this->pictures()) / kWantedPatchTasks;
    channel_part_ = even_part(channels, std::clamp<std::int64_t>(std::min(fit, most), 1, channels + 1), 1);
    channel_parts_ = rounded_up_ratio(channels, channel_part_);
    position_part_ = this->position_tile(channel_part_ * taps / 2);
  }

  std::size_t scratch_bytes() const override {
    return static_cast<std::size_t>(lanes_for(tasks()) * slot()) * sizeof(T);
  }

  void run(const void* left, const void* right, void* result, void* scratch, ThreadPool& pool,
           ConvolutionDone after_block) const override {
    const auto* grad = static_cast<const T*>(left);
    const auto* w = static_cast<const T*>(right);
    auto* x = static_cast<T*>(result);
    const ops::Convolution& conv = this->conv_;
    for_each_in_lanes(pool, tasks(), [&](std::int64_t lane, std::int64_t task) {
      const std::int64_t picture = task / channel_parts_;
      const std::int64_t channel = task % channel_parts_ * channel_part_;
      const std::int64_t channels = std::min(channel_part_, conv.group_channels - channel);
      T* pixels = x + this->pixels_at(picture) + channel * conv.pixels();
      spread(grad + this->outputs_at(picture), w + this->weights_at(picture) + channel * conv.taps(), channels,
             static_cast<T*>(scratch) + lane * slot(), pixels);
      if (!after_block) return;
      const std::int64_t first = picture % conv.groups * conv.group_channels + channel;
      after_block({picture / conv.groups, first, first + channels, 0, conv.pixels()});
    });
  }

 private:
  std::int64_t tasks() const { return this->pictures() * channel_parts_; }
  std::int64_t slot() const {
    return patches_are_pixels(this->conv_.windows) ? 0 : channel_part_ * this->conv_.taps() * position_part_;
  }

  void spread(const T* grad, const T* w, std::int64_t channels, T* patches, T* pixels) const {
    const ops::Convolution& conv = this->conv_;
    const std::int64_t rows = channels * conv.taps();
    const MatrixView<T> weights{w, 1, this->rows()};
    const bool same = patches_are_pixels(conv.windows);
    if (!same) std::fill_n(pixels, channels * conv.pixels(), T(0));
    for (std::int64_t first = 0; first < this->positions(); first += position_part_) {
      const std::int64_t last = std::min(this->positions(), first + position_part_);
      const MatrixView<T> from{grad + first, this->positions(), 1};
      gemm({rows, last - first, conv.group_outputs}, weights, from, same ? pixels + first : patches,
           same ? conv.pixels() : last - first, false);
      if (!same) add_patches(conv.windows, {channels, first, last}, patches, pixels);
    }
  }

  std::int64_t channel_part_;
  std::int64_t channel_parts_;
  std::int64_t position_part_;
};

// w[outputs, rows] = sum over pictures of gradient of y[outputs, positions] · patchesᵀ[positions, rows]. Chunks of the
// pictures are summed aside, then added in their order.
template <class T>
class PatchByWeight final : public PatchPlan<T> {
 public:
  explicit PatchByWeight(const ConvolutionSpec& spec) : PatchPlan<T>(spec) {
    const ops::Convolution& conv = this->conv_;
    position_part_ = this->position_tile(this->rows());
    position_parts_ = rounded_up_ratio(this->positions(), position_part_);
    const std::int64_t affordable = kPartialPatchSums / std::max<std::int64_t>(1, size());
    chunks_ = std::clamp<std::int64_t>(std::min(conv.batch * position_parts_, affordable), 1, kWantedPatchTasks);
    const std::int64_t tasks = chunks_ * conv.groups;
    output_part_ = even_part(conv.group_outputs, conv.group_outputs * tasks / kWantedPatchTasks, 12);
    output_parts_ = rounded_up_ratio(conv.group_outputs, output_part_);
  }

  std::size_t scratch_bytes() const override {
    const std::int64_t partial = chunks_ == 1 ? 0 : chunks_ * size();
    return static_cast<std::size_t>(partial + lanes_for(tasks()) * slot()) * sizeof(T);
  }

  void run(const void* left, const void* right, void* result, void* scratch, ThreadPool& pool,
           ConvolutionDone after_block) const override {
    auto* w = static_cast<T*>(result);
    T* partial = static_cast<T*>(scratch);
    T* memory = chunks_ == 1 ? partial : partial + chunks_ * size();
    for_each_in_lanes(pool, tasks(), [&](std::int64_t lane, std::int64_t task) {
      const std::int64_t chunk = task / (this->conv_.groups * output_parts_);
      sum_chunk(static_cast<const T*>(left), static_cast<const T*>(right), chunk,
                task % (this->conv_.groups * output_parts_), memory + lane * slot(),
                chunks_ == 1 ? w : partial + chunk * size());
    });
    const auto add_chunks = [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t chunk = 0; chunks_ > 1 && chunk < chunks_; ++chunk) {
        const T* from = partial + chunk * size();
        for (std::int64_t k = first * this->rows(); k < last * this->rows(); ++k) {
          w[k] = chunk == 0 ? from[k] : w[k] + from[k];
        }
      }
      if (after_block) after_block({0, first, last, 0, this->rows()});
    };
    const std::int64_t outputs = this->conv_.groups * this->conv_.group_outputs;
    pool.for_ranges(outputs, std::max<std::int64_t>(1, rounded_up_ratio(outputs, kWantedPatchTasks)),
                    std::ref(add_chunks));
  }

 private:
  std::int64_t size() const { return this->conv_.groups * this->conv_.group_outputs * this->rows(); }
  std::int64_t tasks() const { return chunks_ * this->conv_.groups * output_parts_; }
  std::int64_t slot() const { return patches_are_pixels(this->conv_.windows) ? 0 : this->rows() * position_part_; }

  // Some outputs of one group, over one chunk of all tiles of all pictures.
  void sum_chunk(const T* grad, const T* x, std::int64_t chunk, std::int64_t part, T* memory, T* to) const {
    const ops::Convolution& conv = this->conv_;
    const std::int64_t group = part / output_parts_;
    const std::int64_t output = part % output_parts_ * output_part_;
    const std::int64_t outputs = std::min(output_part_, conv.group_outputs - output);
    const std::int64_t tiles = conv.batch * position_parts_;
    T* target = to + (group * conv.group_outputs + output) * this->rows();
    const std::int64_t begin = chunk * tiles / chunks_;
    const std::int64_t end = (chunk + 1) * tiles / chunks_;
    if (begin == end) std::fill_n(target, outputs * this->rows(), T(0));
    for (std::int64_t tile = begin; tile < end; ++tile) {
      const std::int64_t picture = tile / position_parts_ * conv.groups + group;
      const std::int64_t first = tile % position_parts_ * position_part_;
      const std::int64_t last = std::min(this->positions(), first + position_part_);
      const MatrixView<T> patches = this->patches_of(x + this->pixels_at(picture), first, last, memory);
      const MatrixView<T> from{grad + this->outputs_at(picture) + output * this->positions() + first, this->positions(),
                               1};
      gemm({outputs, this->rows(), last - first}, from, {patches.data, 1, patches.row_step}, target, this->rows(),
           tile > begin);
    }
  }

  std::int64_t position_part_;
  std::int64_t position_parts_;
  std::int64_t chunks_;
  std::int64_t output_part_;
  std::int64_t output_parts_;
};

template <class T>
std::unique_ptr<const ConvolutionPlan> make(const ConvolutionSpec& spec) {
  switch (spec.kind) {
    case ConvolutionKind::forward:
      return std::make_unique<PatchForward<T>>(spec);
    case ConvolutionKind::by_input:
      return std::make_unique<PatchByInput<T>>(spec);
    case ConvolutionKind::by_weight:
      break;
  }
  return std::make_unique<PatchByWeight<T>>(spec);
}

}  // namespace

std::unique_ptr<const ConvolutionPlan> patch_convolution(const ConvolutionSpec& spec) {
  return spec.dtype == DType::f32 ? make<float>(spec) : make<double>(spec);
}

}  // namespace asg::cpu
