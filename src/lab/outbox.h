#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace asg::lab {

struct OutboxFrame {
  std::shared_ptr<const std::string> bytes;
  bool binary = false;
  std::string key = {};  // not empty: it may be dropped
};

// The frames that wait for one client. Any thread pushes, one thread pops. What comes out is what went in, in the same
// order, less frames with a key that were replaced by a newer one or for which there was no room. Every call takes
// constant time, on the average over calls.
class Outbox {
 public:
  // What became of a frame, and what the caller has to do.
  enum class Pushed : std::uint8_t {
    wake,      // it waits, and whoever pops must be told
    waits,     // it waits, and whoever pops is at work
    dropped,   // there was no room, or the outbox is closed
    overflow,  // there was no room for a frame without a key: the outbox is closed now; said once
  };

  explicit Outbox(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  Pushed push(OutboxFrame frame);
  // The next frame. Nothing where none waits; then the next push says `wake`.
  std::optional<OutboxFrame> pop();
  // Takes no more frames; those that wait can be popped, unless they are to be forgotten.
  void close(bool forget);

  std::size_t waiting() const;        // frames
  std::size_t waiting_bytes() const;  // with what it takes to keep them

 private:
  using Frames = std::list<OutboxFrame>;
  void remove(Frames::iterator frame);
  void forget_droppable();

  const std::size_t most_bytes_;
  mutable std::mutex mutex_;
  Frames frames_;
  std::unordered_map<std::string, Frames::iterator> by_key_;
  std::size_t bytes_ = 0;
  bool popping_ = false;
  bool closed_ = false;
};

}  // namespace asg::lab
