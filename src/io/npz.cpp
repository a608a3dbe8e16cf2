#include "asg/io/npz.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <zlib.h>

#include "asg/core/error.h"
#include "asg/core/limits.h"
#include "asg/core/platform.h"
#include "asg/io/inflate.h"
#include "asg/io/npy.h"

namespace asg::io {
namespace {

[[noreturn]] void refuse_npz(std::string given, std::string needed) {
  fail(ErrorCode::io_error, std::move(given), std::move(needed), "write the arrays with numpy.savez");
}

// Numbers in a file, little-endian, each place checked.
class Bytes {
 public:
  explicit Bytes(std::string_view all) : all_(all) {}

  std::uint64_t number(std::uint64_t at, int width) const {
    const std::string_view digits = part(at, static_cast<std::uint64_t>(width));
    std::uint64_t value = 0;
    for (std::size_t k = digits.size(); k-- > 0;) value = value << 8 | static_cast<unsigned char>(digits[k]);
    return value;
  }

  std::string_view part(std::uint64_t at, std::uint64_t size) const {
    if (at > all_.size() || size > all_.size() - at) {
      refuse_npz("an archive of " + std::to_string(all_.size()) + " bytes",
                 "all the bytes that its directory tells of");
    }
    return all_.substr(static_cast<std::size_t>(at), static_cast<std::size_t>(size));
  }

  std::size_t find_last(std::string_view mark) const { return all_.rfind(mark); }

 private:
  std::string_view all_;
};

struct Member {
  std::string name;
  std::uint64_t method = 0;
  std::uint64_t check = 0;   // CRC-32
  std::uint64_t packed = 0;  // bytes
  std::uint64_t length = 0;  // bytes, unpacked
  std::uint64_t header = 0;  // where its local header begins
  std::uint64_t flags = 0;
};

constexpr std::uint64_t kInExtra = 0xffffffff;  // the number stands among the extras, with 64 bits

// Numbers that do not fit into 32 bits stand in the extra field 1, in this order, only those that do not fit.
void read_wide_numbers(const Bytes& bytes, std::uint64_t at, std::uint64_t size, Member& member) {
  for (const std::uint64_t end = at + size; at + 4 <= end;) {
    const std::uint64_t id = bytes.number(at, 2), length = bytes.number(at + 2, 2);
    std::uint64_t place = at + 4;
    at = place + length;
    if (id != 1) continue;
    for (std::uint64_t* number : {&member.length, &member.packed, &member.header}) {
      if (*number != kInExtra) continue;
      *number = bytes.number(place, 8);
      place += 8;
    }
  }
}

struct Directory {
  std::uint64_t entries = 0;
  std::uint64_t at = 0;
};

Directory find_directory(const Bytes& bytes) {
  using namespace std::string_view_literals;
  const std::size_t end = bytes.find_last("PK\5\6"sv);
  if (end == std::string_view::npos) refuse_npz("a file without the end mark of a zip archive", "a whole .npz file");
  bytes.part(end + 22, bytes.number(end + 20, 2));  // the comment behind it is all there
  Directory directory{bytes.number(end + 10, 2), bytes.number(end + 16, 4)};
  constexpr std::uint64_t kLocatorBytes = 20;
  if (directory.at == kInExtra && end >= kLocatorBytes && bytes.part(end - kLocatorBytes, 4) == "PK\6\7"sv) {
    const std::uint64_t wide = bytes.number(end - kLocatorBytes + 8, 8);
    directory = {bytes.number(wide + 32, 8), bytes.number(wide + 48, 8)};
  }
  return directory;
}

std::vector<Member> members_of(const Bytes& bytes) {
  using namespace std::string_view_literals;
  constexpr std::uint64_t kEntryBytes = 46;
  const Directory directory = find_directory(bytes);
  std::vector<Member> members;
  std::uint64_t at = directory.at;
  for (std::uint64_t k = 0; k < directory.entries; ++k) {
    if (bytes.part(at, kEntryBytes).substr(0, 4) != "PK\1\2"sv) {
      refuse_npz("a damaged directory of an archive", "a whole .npz file");
    }
    const std::uint64_t name = bytes.number(at + 28, 2), extra = bytes.number(at + 30, 2),
                        comment = bytes.number(at + 32, 2);
    Member member{.name = std::string(bytes.part(at + kEntryBytes, name)),
                  .method = bytes.number(at + 10, 2),
                  .check = bytes.number(at + 16, 4),
                  .packed = bytes.number(at + 20, 4),
                  .length = bytes.number(at + 24, 4),
                  .header = bytes.number(at + 42, 4),
                  .flags = bytes.number(at + 8, 2)};
    read_wide_numbers(bytes, at + kEntryBytes + name, extra, member);
    members.push_back(std::move(member));
    at += kEntryBytes + name + extra + comment;
  }
  return members;
}

std::uint64_t first_byte_of(const Bytes& bytes, const Member& member) {
  constexpr std::uint64_t kLocalBytes = 30;
  return member.header + kLocalBytes + bytes.number(member.header + 26, 2) + bytes.number(member.header + 28, 2);
}

// A few bytes that many members share would unpack to any amount.
void check_apart(const Bytes& bytes, std::vector<Member> members) {
  std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return a.header < b.header; });
  std::uint64_t end = 0;
  for (const Member& member : members) {
    if (member.header < end) {
      throw UserError({ErrorCode::io_error, "a member that overlaps the one before",
                       "members that have their own bytes", "write the arrays with numpy.savez", "", member.name});
    }
    const std::uint64_t first = first_byte_of(bytes, member);
    bytes.part(first, member.packed);
    end = first + member.packed;
  }
}

void check_unpacked(const std::vector<Member>& members) {
  auto left = static_cast<std::uint64_t>(limit_of(Limit::unpacked_bytes));
  for (const Member& member : members) {
    if (member.length > left) {
      fail_limit(Limit::unpacked_bytes,
                 "an archive that unpacks to more than " +
                     amount_text(info_of(Limit::unpacked_bytes), limit_of(Limit::unpacked_bytes)));
    }
    left -= member.length;
  }
}

std::string content_of(const Bytes& bytes, const Member& member) {
  constexpr std::uint64_t kStored = 0, kDeflated = 8;
  if ((member.flags & 1) != 0) refuse_npz("an encrypted archive", "an archive without a password");
  const std::string_view packed = bytes.part(first_byte_of(bytes, member), member.packed);
  std::string content;
  if (member.method == kStored) {
    content = packed;
  } else if (member.method == kDeflated) {
    content = inflate_raw(packed, static_cast<std::int64_t>(member.length));
  } else {
    refuse_npz("a member packed by method " + std::to_string(member.method), "one that is stored (0) or deflated (8)");
  }
  uLong check = ::crc32(0, nullptr, 0);
  for (std::size_t done = 0; done < content.size();) {
    const std::size_t size = std::min<std::size_t>(content.size() - done, std::numeric_limits<int>::max());
    check = ::crc32(check, reinterpret_cast<const Bytef*>(content.data() + done), static_cast<uInt>(size));
    done += size;
  }
  if (check != member.check) refuse_npz("damaged bytes: the check sum is another", "a whole .npz file");
  return content;
}

}  // namespace

NamedArrays read_npz(std::string_view bytes) {
  const Bytes all(bytes);
  NamedArrays arrays;
  const std::vector<Member> members = members_of(all);
  check_apart(all, members);
  check_unpacked(members);
  for (const Member& member : members) {
    try {
      constexpr std::string_view kEnding = ".npy";
      if (!member.name.ends_with(kEnding)) refuse_npz("a member that is no array", "names that end in .npy");
      const std::string name = member.name.substr(0, member.name.size() - kEnding.size());
      if (arrays.contains(name)) refuse_npz("two arrays of one name", "a name for each");
      arrays.emplace(name, read_npy(content_of(all, member)));
    } catch (const UserError& error) {
      throw error.with_where(member.name);
    }
  }
  return arrays;
}

NamedArrays read_npz_file(const std::string& path) {
  const std::string bytes = platform::read_file(path);
  try {
    return read_npz(bytes);
  } catch (const UserError& error) {
    ErrorDetail detail = error.detail();
    detail.where = detail.where.empty() ? path : path + ", " + detail.where;
    throw UserError(std::move(detail));
  }
}

}  // namespace asg::io
