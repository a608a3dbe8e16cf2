#include "lab/outbox.h"

#include <iterator>
#include <utility>

namespace asg::lab {
namespace {

// Empty frames take memory too.
std::size_t cost_of(const OutboxFrame& frame) { return frame.bytes->size() + 2 * frame.key.size() + 256; }

}  // namespace

void Outbox::remove(Frames::iterator frame) {
  bytes_ -= cost_of(*frame);
  if (!frame->key.empty()) by_key_.erase(frame->key);
  frames_.erase(frame);
}

void Outbox::forget_droppable() {
  for (const auto& [key, frame] : by_key_) {
    bytes_ -= cost_of(*frame);
    frames_.erase(frame);
  }
  by_key_.clear();
}

Outbox::Pushed Outbox::push(OutboxFrame frame) {
  const std::lock_guard lock(mutex_);
  if (closed_) return Pushed::dropped;
  const bool droppable = !frame.key.empty();
  // The newer one goes to the end, not to the place of the older: a client must not hear of what came later before
  // what came between them.
  if (const auto older = by_key_.find(frame.key); droppable && older != by_key_.end()) remove(older->second);

  // A frame that is large by itself says nothing about the client, so an empty outbox takes any.
  const auto fits = [&] { return frames_.empty() || bytes_ + cost_of(frame) <= most_bytes_; };
  if (!fits() && droppable) return Pushed::dropped;
  if (!fits()) forget_droppable();
  if (!fits()) {
    closed_ = true;
    frames_.clear();
    bytes_ = 0;
    return Pushed::overflow;
  }

  bytes_ += cost_of(frame);
  frames_.push_back(std::move(frame));
  if (droppable) by_key_.emplace(frames_.back().key, std::prev(frames_.end()));
  return std::exchange(popping_, true) ? Pushed::waits : Pushed::wake;
}

std::optional<OutboxFrame> Outbox::pop() {
  const std::lock_guard lock(mutex_);
  if (frames_.empty()) {
    popping_ = false;
    return std::nullopt;
  }
  std::optional<OutboxFrame> frame = frames_.front();
  remove(frames_.begin());
  return frame;
}

void Outbox::close(bool forget) {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  if (!forget) return;
  frames_.clear();
  by_key_.clear();
  bytes_ = 0;
}

std::size_t Outbox::waiting() const {
  const std::lock_guard lock(mutex_);
  return frames_.size();
}

std::size_t Outbox::waiting_bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace asg::lab
