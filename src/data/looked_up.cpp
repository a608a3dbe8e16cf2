// Bytes that transforms turn into numbers one by one: what becomes of each of the 256 is computed once, by the
// transforms themselves, so that a batch takes one pass however many transforms there are, with the same bits.
#include <algorithm>
#include <array>
#include <utility>

#include "byte_table.h"
#include "derived.h"

namespace asg::data {
namespace {

constexpr std::size_t kBytes = 256;  // that there are

// Channels are the first of three axes or more, as `normalise` sees them.
std::size_t channels_of(const Field& field) {
  return field.sizes.size() >= 3 ? static_cast<std::size_t>(std::max<std::int64_t>(field.sizes.front(), 1)) : 1;
}

struct LookUp {
  std::shared_ptr<const Source> inner;
  std::size_t field = 0;
  std::vector<Field> fields = {};
  std::vector<ByteTable> tables = {};  // one for each channel
  int depth = 1;                       // transforms that it stands for
};

class LookedUp : public Source {
 public:
  explicit LookedUp(LookUp plan) : plan_(std::move(plan)) {}

  const LookUp& plan() const { return plan_; }
  std::int64_t count() const override { return plan_.inner->count(); }
  std::span<const Field> fields() const override { return plan_.fields; }

  void read(std::size_t field, std::span<const std::int64_t> examples, const Reading& reading,
            Array& into) const override {
    // Under as many transforms as there would be: what is below draws the same random numbers.
    Reading below{reading.chance, reading.buffers};
    for (int level = 0; level < plan_.depth; ++level) below.chance = below.chance.of(0);
    if (field != plan_.field) {
      plan_.inner->read(field, examples, below, into);
      return;
    }
    const Field& given = plan_.inner->fields()[field];
    float* to = into.count() > 0 ? into.mutable_data<float>().data() : nullptr;
    // A few at a time: their bytes stay in the first cache between the two passes.
    constexpr std::size_t kAtOnce = 8;
    for (std::size_t first = 0; first < examples.size(); first += kAtOnce) {
      const auto some = examples.subspan(first, std::min(kAtOnce, examples.size() - first));
      Array rows = reading.buffers.take(given.dtype, given.batch_sizes(static_cast<std::int64_t>(some.size())));
      plan_.inner->read(field, some, below, rows);
      if (rows.count() > 0) look_up(rows, to);
      to += rows.count();
    }
  }

 private:
  void look_up(const Array& rows, float* to) const {
    const std::size_t channels = plan_.tables.size();
    const std::size_t planes = channels == 1 ? 1 : static_cast<std::size_t>(rows.sizes().front()) * channels;
    const std::size_t width = static_cast<std::size_t>(rows.count()) / planes;
    const std::uint8_t* from = rows.data<std::uint8_t>().data();
    for (std::size_t plane = 0; plane < planes; ++plane, from += width, to += width) {
      plan_.tables[plane % channels].look_up(from, width, to);
    }
  }

  LookUp plan_;
};

// The bytes of an example by their places in a channel: any 256 from a multiple of that hold each once, and each stands
// in other columns of rows of 256.
std::size_t byte_at(std::size_t place, std::size_t first) {
  constexpr std::size_t kBetweenRows = 37;
  return (first + place + place / kBytes * kBetweenRows) % kBytes;
}

// How many examples are tried: every byte at every place, but of large examples fewer, which have each byte at very
// many places anyway.
std::size_t examples_to_try(std::size_t elements, std::size_t width) {
  constexpr std::size_t kMostElements = std::size_t{1} << 24;
  const std::size_t affordable = std::clamp<std::size_t>(kMostElements / elements, 2, kBytes);
  return std::max(affordable, (kBytes + width - 1) / width);
}

// An example of these bytes, or of what has become of them.
Array example_of(const Field& field, std::size_t first, std::size_t channels, const LookUp* before) {
  Array result = Array::uninitialised(field.dtype, field.batch_sizes(1));
  const std::size_t width = static_cast<std::size_t>(result.count()) / channels;
  const auto fill = [&](auto to, auto number_of) {
    auto next = to.begin();
    for (std::size_t channel = 0; channel < channels; ++channel) {
      for (std::size_t place = 0; place < width; ++place) *next++ = number_of(channel, byte_at(place, first));
    }
  };
  if (before == nullptr) {
    fill(result.mutable_data<std::uint8_t>(),
         [](std::size_t, std::size_t byte) { return static_cast<std::uint8_t>(byte); });
  } else {
    fill(result.mutable_data<float>(),
         [&](std::size_t channel, std::size_t byte) { return before->tables[channel][byte]; });
  }
  return result;
}

// What becomes of the bytes of one channel, as far as they were seen.
struct SeenBytes {
  ByteTable table = {};
  std::array<bool, kBytes> seen = {};

  // False where a byte becomes another number at another place, or no number.
  bool take(std::size_t byte, float number) {
    if (!std::exchange(seen[byte], true)) table.set(byte, number);
    return table[byte] == number;
  }
};

// False where what becomes of a byte depends on the place within the channel too.
bool take_example(const Transform& transform, const Field& after, const Array& example, std::size_t first,
                  std::vector<SeenBytes>& channels) {
  const std::array<std::int64_t, 1> number = {0};
  const Reading reading;
  Array made = Array::uninitialised(after.dtype, after.batch_sizes(1));
  transform.apply(example, {number, reading}, made);
  const auto values = made.data<float>();
  const std::size_t width = values.size() / channels.size();
  auto next = values.begin();
  for (SeenBytes& channel : channels) {
    for (std::size_t place = 0; place < width; ++place) {
      if (!channel.take(byte_at(place, first), *next++)) return false;
    }
  }
  return true;
}

}  // namespace

std::shared_ptr<const Source> make_looked_up(const std::shared_ptr<const Source>& inner, const Transform& transform,
                                             std::size_t field) {
  const auto* looked_up = dynamic_cast<const LookedUp*>(inner.get());
  const LookUp* before = looked_up != nullptr && looked_up->plan().field == field ? &looked_up->plan() : nullptr;
  LookUp plan{.inner = before == nullptr ? inner : before->inner, .field = field};
  const Field& bytes = plan.inner->fields()[field];
  if (!transform.by_value || bytes.dtype != DType::u8 || element_count(bytes.sizes) == 0) return nullptr;
  plan.fields.assign(inner->fields().begin(), inner->fields().end());
  const Field given = plan.fields[field];
  const Field after = transform.type(given);
  if (after.dtype != DType::f32 || element_count(after.sizes) != element_count(bytes.sizes)) return nullptr;
  plan.fields[field] = after;
  plan.depth = before == nullptr ? 1 : before->depth + 1;
  std::vector<SeenBytes> channels(channels_of(bytes));
  const auto elements = static_cast<std::size_t>(element_count(bytes.sizes));
  const std::size_t examples = examples_to_try(elements, elements / channels.size());
  for (std::size_t k = 0; k < examples; ++k) {
    const std::size_t first = k * kBytes / examples;
    if (!take_example(transform, after, example_of(given, first, channels.size(), before), first, channels))
      return nullptr;
  }
  for (const SeenBytes& each : channels) plan.tables.push_back(each.table);
  return std::make_shared<LookedUp>(std::move(plan));
}

}  // namespace asg::data
