#include "ops/control_flow/scan_builder.h"

#include "ops/control_flow/scan_form.h"

namespace asg::ops {

Tensor ScanBuilder::input(std::string name, const Tensor& outer, TensorType type) {
  inputs_.push_back(outer);
  return body_.input(std::move(name), std::move(type));
}

Tensor ScanBuilder::state(std::string name, const Tensor& initial) {
  return input(std::move(name), initial, initial.type());
}

Tensor ScanBuilder::scanned(std::string name, const Tensor& sequence) {
  ++scanned_;
  return input(std::move(name), sequence, {sequence.dtype(), without_axis(sequence.shape(), 0)});
}

Tensor ScanBuilder::capture(std::string name, const Tensor& value) {
  ++captures_;
  return input(std::move(name), value, value.type());
}

void ScanBuilder::next(const Tensor& state) {
  body_.set_output("next_" + std::to_string(body_.outputs().size()), state);
}

void ScanBuilder::stacked(const Tensor& value) {
  body_.set_output("stacked_" + std::to_string(stacked_), value);
  ++stacked_;
}

std::vector<Tensor> ScanBuilder::finish(bool reversed) {
  Attrs attrs;
  attrs.set("body", std::make_shared<const Graph>(std::move(body_)));
  attrs.set("num_scan_inputs", scanned_);
  attrs.set("num_captures", captures_);
  if (reversed) {
    attrs.set("scan_input_directions", std::vector<std::int64_t>(static_cast<std::size_t>(scanned_), 1));
    attrs.set("scan_output_directions", std::vector<std::int64_t>(static_cast<std::size_t>(stacked_), 1));
  }
  return add_op_outputs("Scan", inputs_, std::move(attrs));
}

}  // namespace asg::ops
