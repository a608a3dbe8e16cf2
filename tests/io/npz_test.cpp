#include "asg/io/npz.h"

#include <gtest/gtest.h>

#include "asg/core/error.h"
#include "asg/core/platform.h"

namespace asg::io {
namespace {

std::string file(const char* name) { return std::string(ASG_SOURCE_DIR "/tests/data/files/") + name; }

TEST(Npz, ReadsWhatNumpyWrote) {
  const NamedArrays stored = read_npz_file(file("numpy_stored.npz"));
  ASSERT_EQ(stored.size(), 2U);
  EXPECT_EQ(stored.at("x").type_string(), "f32[4, 3]");
  EXPECT_EQ(stored.at("x").get(11), 11);
  EXPECT_EQ(stored.at("y").to_string(), "[0, 1, 2, 1]");
  const NamedArrays packed = read_npz_file(file("pillow_resize.npz"));
  EXPECT_EQ(packed.at("bytes").type_string(), "u8[9, 7]");
  EXPECT_EQ(packed.at("larger").type_string(), "f32[13, 11]");
}

TEST(Npz, EveryShortenedFileIsRefused) {
  const std::string whole = platform::read_file(file("numpy_stored.npz"));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(read_npz(std::string_view(whole).substr(0, size)), UserError) << size;
  }
}

TEST(Npz, EveryFlippedBitIsReadOrRefused) {
  for (const char* name : {"numpy_stored.npz", "pillow_resize.npz"}) {
    std::string bytes = platform::read_file(file(name));
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
      try {
        read_npz(bytes);
      } catch (const UserError& error) {
        EXPECT_FALSE(error.detail().given.empty());
      }
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
    }
  }
}

TEST(Npz, SaysWhichArrayIsDamaged) {
  std::string bytes = platform::read_file(file("numpy_stored.npz"));
  bytes[200] = static_cast<char>(bytes[200] ^ 1);
  try {
    read_npz(bytes);
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::io_error);
    EXPECT_EQ(error.detail().given, "damaged bytes: the check sum is another");
    EXPECT_EQ(error.detail().where, "x.npy");
  }
}

}  // namespace
}  // namespace asg::io
