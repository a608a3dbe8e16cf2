#include "asg/io/inflate.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <zlib.h>

#include "asg/core/error.h"
#include "asg/core/platform.h"

namespace asg::io {
namespace {

constexpr int kGzip = 16 + MAX_WBITS;  // what zlib calls the wrappings
constexpr int kRaw = -MAX_WBITS;

[[noreturn]] void refuse(std::string given, std::string needed) {
  fail(ErrorCode::io_error, std::move(given), std::move(needed), "fetch the file again: it may be cut off or damaged");
}

class Inflater {
 public:
  Inflater(std::string_view input, int wrapping, std::int64_t most)
      : input_(input), most_(static_cast<std::size_t>(most)), raw_(wrapping == kRaw) {
    internal_check(::inflateInit2(&stream_, wrapping) == Z_OK, "zlib begins");
  }
  ~Inflater() { ::inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // One member; what follows it stays in rest().
  void run() {
    for (int state = Z_OK; state != Z_STREAM_END;) {
      if (used_ == output_.size()) grow();
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input_.data()));
      stream_.avail_in = clipped(input_.size());
      stream_.next_out = reinterpret_cast<Bytef*>(output_.data() + used_);
      stream_.avail_out = clipped(output_.size() - used_);
      const uInt room = stream_.avail_out, given = stream_.avail_in;
      state = ::inflate(&stream_, Z_NO_FLUSH);
      input_.remove_prefix(given - stream_.avail_in);
      used_ += room - stream_.avail_out;
      if (used_ > most_) {
        fail_longer();
      }
      if (state == Z_STREAM_END) break;
      if (state == Z_BUF_ERROR && input_.empty()) refuse("packed bytes that end too early", "a whole file");
      if (state != Z_OK && state != Z_BUF_ERROR) {
        refuse("damaged packed bytes" + (stream_.msg == nullptr ? "" : ": " + std::string(stream_.msg)),
               "bytes in the deflate format");
      }
    }
  }

  std::string take() {
    output_.resize(used_);
    return std::move(output_);
  }
  std::string_view rest() const { return input_; }
  void begin_again() { ::inflateReset(&stream_); }

 private:
  [[noreturn]] void fail_longer() const {
    const auto most = static_cast<std::int64_t>(most_);
    if (raw_) refuse("more unpacked bytes than the " + std::to_string(most) + " of the directory", "as many");
    fail_limit(Limit::unpacked_bytes,
               "compressed bytes that unpack to more than " + amount_text(info_of(Limit::unpacked_bytes), most), most);
  }

  // A lie about lengths costs no memory: room grows with what comes, to one byte more than allowed. It stays between
  // members, so that many small ones cost no more than one large one.
  void grow() {
    constexpr std::size_t kFirstBlock = 1 << 16;
    output_.resize(std::min(std::max(kFirstBlock, 2 * output_.size()), std::max(most_, used_) + 1));
  }

  static uInt clipped(std::size_t size) {
    return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
  }

  z_stream stream_ = {};
  std::string_view input_;
  std::size_t most_;
  bool raw_;  // of a member whose length is known
  std::string output_;
  std::size_t used_ = 0;  // of the output; the rest of it is room
};

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string gunzip(std::string_view bytes, std::int64_t most) {
  if (!is_gzip(bytes)) refuse("bytes that do not begin like gzip", "the mark \\x1f\\x8b");
  Inflater inflater(bytes, kGzip, most);
  inflater.run();
  while (is_gzip(inflater.rest())) {
    inflater.begin_again();
    inflater.run();
  }
  // Tapes and some tools fill up with zeros.
  if (inflater.rest().find_first_not_of('\0') != std::string_view::npos) {
    refuse(std::to_string(inflater.rest().size()) + " bytes behind the end of the packed ones", "nothing behind them");
  }
  return inflater.take();
}

std::string inflate_raw(std::string_view bytes, std::int64_t length) {
  Inflater inflater(bytes, kRaw, length);
  inflater.run();
  std::string output = inflater.take();
  if (static_cast<std::int64_t>(output.size()) != length) {
    refuse(std::to_string(output.size()) + " unpacked bytes", std::to_string(length) + ", as the file says");
  }
  return output;
}

std::string read_maybe_gzip_file(const std::string& path) {
  std::string bytes = platform::read_file(path);
  if (!is_gzip(bytes)) return bytes;
  try {
    return gunzip(bytes);
  } catch (const UserError& error) {
    throw error.with_where(path);
  }
}

}  // namespace asg::io
