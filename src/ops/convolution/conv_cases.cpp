#include "ops/convolution/conv_cases.h"

#include "ops/support/windows.h"

namespace asg::ops {
namespace {

// Automatic padding alone, and together with all attributes it goes with; odd totals, so that upper and lower differ.
std::vector<ConvCase> auto_pad_cases() {
  std::vector<ConvCase> cases;
  for (const char* mode : {"SAME_UPPER", "SAME_LOWER", "VALID"}) {
    const bool same = std::string(mode) != "VALID";
    const Attrs::Entry kernel_shape{"kernel_shape", Sizes{2}};
    cases.push_back({std::string("auto_pad_") + mode,
                     {2, 2, 5},
                     {3, 2, 2},
                     {2, 3, same ? 5 : 4},
                     {{"auto_pad", mode}, kernel_shape}});
    cases.push_back({std::string("auto_pad_all_") + mode,
                     {1, 4, 6},
                     {2, 2, 2},
                     {1, 2, same ? 3 : 2},
                     {{"auto_pad", mode}, {"strides", Sizes{2}}, {"dilations", Sizes{2}}, {"group", 2}}});
  }
  cases.push_back(
      {"same_with_long_stride", {1, 1, 4}, {1, 1, 1}, {1, 1, 2}, {{"auto_pad", "SAME_UPPER"}, {"strides", Sizes{3}}}});
  return cases;
}

std::vector<ConvCase> pair_cases() {
  const Attrs::Entry strides{"strides", Sizes{2}};
  const Attrs::Entry pads{"pads", Sizes{1, 2}};
  const Attrs::Entry dilations{"dilations", Sizes{2}};
  const Attrs::Entry group{"group", 2};
  return {
      {"strides_pads", {1, 2, 5}, {2, 2, 2}, {1, 2, 4}, {strides, pads}},
      {"strides_dilations", {1, 2, 6}, {2, 2, 2}, {1, 2, 2}, {strides, dilations}},
      {"strides_group", {1, 2, 5}, {4, 1, 2}, {1, 4, 2}, {strides, group}},
      {"pads_dilations", {1, 2, 4}, {1, 2, 3}, {1, 1, 3}, {pads, dilations}},
      {"pads_group", {2, 4, 3}, {2, 2, 2}, {2, 2, 5}, {pads, group}},
      {"dilations_group", {1, 2, 4}, {2, 1, 2}, {1, 2, 2}, {dilations, group}},
      {"all", {2, 4, 5}, {2, 2, 2}, {2, 2, 3}, {strides, pads, dilations, group, {"kernel_shape", Sizes{2}}}},
  };
}

}  // namespace

std::vector<ConvCase> conv_cases() {
  std::vector<ConvCase> cases = {
      {"one_axis", {2, 3, 5}, {4, 3, 2}, {2, 4, 4}},
      {"two_axes", {1, 2, 4, 5}, {3, 2, 2, 1}, {1, 3, 3, 5}},
      {"three_axes", {1, 2, 3, 4, 5}, {1, 2, 2, 1, 3}, {1, 1, 2, 4, 3}},
      {"uneven",
       {1, 2, 4, 3},
       {2, 1, 2, 2},
       {1, 2, 4, 2},
       {{"strides", Sizes{1, 2}}, {"pads", Sizes{0, 1, 2, 1}}, {"dilations", Sizes{2, 1}}, {"group", 2}}},
      {"wider_than_input", {1, 1, 2}, {1, 1, 4}, {1, 1, 3}, {{"pads", Sizes{2, 2}}}},
  };
  for (auto& set : {pair_cases(), auto_pad_cases()}) cases.insert(cases.end(), set.begin(), set.end());
  return cases;
}

std::vector<BadSample> refused_attributes(const std::vector<SampleInput>& inputs) {
  std::vector<BadSample> samples = {{.name = "another_kernel_shape",
                                     .inputs = inputs,
                                     .attrs = {{"kernel_shape", Sizes{7}}},
                                     .code = ErrorCode::bad_attribute,
                                     .contains = "a kernel_shape of [7]"}};
  for (BadSample& sample : pads_and_auto_pad(inputs)) samples.push_back(std::move(sample));
  return samples;
}

}  // namespace asg::ops
