#include "asg/core/files.h"

#include <atomic>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "asg/core/error.h"
#include "asg/core/platform.h"
#include "support/disk_order.h"
#include "support/temporary_folder.h"

namespace asg::platform {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  std::string file_ = folder_.path("file");
};

TEST_F(Files, PiecesOfAllSizesComeBack) {
  std::string all;
  NewFile file(file_);
  for (const std::size_t size : {0, 1, 1000, 1 << 20, (1 << 20) + 1, 7, 3 << 20, 5}) {
    const std::string piece(size, static_cast<char>('a' + size % 26));
    file.write(piece);
    all += piece;
  }
  file.finish();
  EXPECT_EQ(read_file(file_), all);
  const auto mapped = MappedFile::open(file_);
  EXPECT_EQ(mapped->text(), all);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(mapped->bytes().data()) % 64, 0U);
}

TEST_F(Files, WhatIsNotFinishedIsRemoved) {
  {
    NewFile file(file_);
    file.write("text");
  }
  EXPECT_FALSE(fs::exists(file_));
  NewFile(file_).finish();
  EXPECT_EQ(MappedFile::open(file_)->bytes().size(), 0U);
  EXPECT_THROW(NewFile{file_}, UserError);  // it exists
  EXPECT_TRUE(fs::exists(file_));
}

TEST_F(Files, WritingToMappedMemoryLeavesTheFile) {
  folder_.write("file", "abc");
  const auto mapped = MappedFile::open(file_);
  mapped->bytes()[1] = std::byte{'x'};
  EXPECT_EQ(mapped->text(), "axc");
  EXPECT_EQ(read_file(file_), "abc");
  fs::remove(file_);
  EXPECT_EQ(mapped->text(), "axc");
}

TEST_F(Files, ErrorsNameThePath) {
  for (const std::string& path : {folder_.path("absent"), folder_.path(), std::string("/dev/null")}) {
    try {
      MappedFile::open(path);
      FAIL() << path;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ErrorCode::io_error);
      EXPECT_NE(error.detail().given.find(path), std::string::npos);
    }
  }
  EXPECT_THROW(NewFile(folder_.path("absent/file")), UserError);
  EXPECT_THROW(sync_folder(folder_.path("absent")), UserError);
  EXPECT_THROW(FolderLock(folder_.path("absent")), UserError);
}

TEST_F(Files, OneHoldsAFolderAtATime) {
  std::atomic<int> inside{0};
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        const FolderLock lock(folder_.path());
        EXPECT_EQ(++inside, 1);
        --inside;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(inside, 0);
}

using Disk = test::DiskStep::Kind;

TEST_F(Files, AFinishedFileIsOnTheDiskWithAllItsBytes) {
  const test::DiskOrder order;
  NewFile file(file_);
  file.write(std::string(3 << 20, 'a'));
  file.write("end");
  file.finish();
  const auto steps = order.steps();
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].kind, Disk::sync);
  EXPECT_EQ(steps[0].path, file_);
  EXPECT_EQ(steps[0].bytes, (3 << 20) + 3);
}

// The contents come before the name that leads to them, and the name is safe when the folder is.
TEST_F(Files, AReplacedFileIsSyncedThenRenamedThenItsFolderIsSynced) {
  const test::DiskOrder order;
  write_file_atomically(file_, "contents");
  const auto steps = order.steps();
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].kind, Disk::sync);
  EXPECT_TRUE(steps[0].path.starts_with(file_ + ".tmp-")) << steps[0].path;
  EXPECT_EQ(steps[0].bytes, 8);
  EXPECT_EQ(steps[1].kind, Disk::rename);
  EXPECT_EQ(steps[1].path, file_);
  EXPECT_EQ(steps[2].kind, Disk::sync);
  EXPECT_EQ(steps[2].path + "/", folder_.path());
}

TEST_F(Files, TemporaryNamesDiffer) {
  EXPECT_NE(temporary_beside(file_), temporary_beside(file_));
  EXPECT_TRUE(temporary_beside(file_).starts_with(file_ + ".tmp-"));
}

}  // namespace
}  // namespace asg::platform
