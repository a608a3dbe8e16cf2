// The folder of checkpoints: which is the latest, which the best, which stay, and what damage does.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "asg/core/platform.h"
#include "support/amount.h"
#include "support/disk_order.h"
#include "support/growth.h"
#include "support/temporary_folder.h"
#include "train/checkpoint_manifest.h"
#include "train/checkpoint_tools.h"
#include "train/checksum.h"

namespace asg::train {
namespace {

namespace fs = std::filesystem;

using Names = std::set<std::string>;
using test::checkpoint_of;
using test::is_whole;
using test::names_in;

ErrorDetail error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.detail();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

class CheckpointStoreTest : public testing::Test {
 protected:
  std::string place(const std::string& name = "") const { return folder_.path("runs/" + name); }
  CheckpointStore store(CheckpointOptions options = {.keep = 0}) const { return CheckpointStore(place(), options); }

  test::TemporaryFolder folder_;
  test::Warnings warnings_;
};

TEST_F(CheckpointStoreTest, IsEmptyAtFirst) {
  EXPECT_FALSE(store().load_latest().has_value());
  EXPECT_TRUE(store().list().empty());
  EXPECT_FALSE(fs::exists(place()));
  EXPECT_EQ(error_of([&] { store().load_best(); }).code, ErrorCode::missing_value);
  EXPECT_EQ(error_of([&] { store({.keep = -1}); }).code, ErrorCode::bad_attribute);
}

// All files and the folder itself, then the name, then the folder that holds the name.
TEST_F(CheckpointStoreTest, IsOnTheDiskBeforeItHasItsName) {
  const test::DiskOrder order;
  const std::string path = store().save(checkpoint_of(7)).path;
  const auto steps = order.steps();
  using Disk = test::DiskStep::Kind;
  const int named = test::DiskOrder::find(steps, Disk::rename, path);
  ASSERT_GE(named, 0);
  int files = 0;
  for (const auto& entry : fs::directory_iterator(path)) {
    const auto is_it = [&](const test::DiskStep& step) {
      return step.kind == Disk::sync && fs::path(step.path).filename() == entry.path().filename() &&
             step.bytes == static_cast<std::int64_t>(entry.file_size());
    };
    EXPECT_TRUE(std::any_of(steps.begin(), steps.begin() + named, is_it)) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 2);
  int folder = -1;
  for (int at = 0; at < named; ++at) {
    if (fs::path(steps[static_cast<std::size_t>(at)].path).filename().string().ends_with("step-00000007")) folder = at;
  }
  EXPECT_EQ(folder, named - 1) << "the folder of the checkpoint is synced last before the rename";
  EXPECT_GT(test::DiskOrder::find(steps, Disk::sync, fs::path(path).parent_path().string(), named), named);
}

// As an older ASG left it, or after another one wrote there.
TEST_F(CheckpointStoreTest, LatestIsByNumberNotByTextWhereNoOrderIsNoted) {
  for (const std::int64_t step : {100'000'000, 9, 99'999'999, 10}) store().save(checkpoint_of(step));
  fs::remove(place("order.json"));
  EXPECT_EQ(names_in(place()), (Names{"step-100000000", "step-00000009", "step-99999999", "step-00000010"}));
  const auto latest = store().load_latest();
  ASSERT_TRUE(latest.has_value());
  EXPECT_EQ(latest->info.step, 100'000'000);
  EXPECT_TRUE(is_whole(latest->data));
  std::vector<std::int64_t> steps;
  for (const CheckpointInfo& info : store().list()) steps.push_back(info.step);
  EXPECT_EQ(steps, (std::vector<std::int64_t>{9, 10, 99'999'999, 100'000'000}));
}

TEST_F(CheckpointStoreTest, OtherThingsInTheFolderAreLeftAlone) {
  store().save(checkpoint_of(1));
  for (const char* name : {"step-", "step-x", "step-00000002-", "step-99999999999999999999", "step-3 copy"}) {
    fs::create_directory(place(name));
  }
  folder_.write("runs/step-00000007", "a file");
  EXPECT_EQ(store({.keep = 1}).load_latest()->info.step, 1);
  store({.keep = 1}).save(checkpoint_of(2));
  EXPECT_EQ(names_in(place()).size(), 7U);
}

TEST_F(CheckpointStoreTest, KeepsTheLastOnes) {
  for (std::int64_t step = 1; step <= 5; ++step) store({.keep = 2}).save(checkpoint_of(step));
  EXPECT_EQ(names_in(place()), (Names{"step-00000004", "step-00000005"}));
}

TEST_F(CheckpointStoreTest, KeepsTheBest) {
  const double nan = std::nan("");
  const double losses[] = {3, 1, nan, 2, 1, 5};
  const CheckpointOptions options = {.keep = 1, .best = BestBy{"loss", BestBy::Mode::min}};
  for (int k = 0; k < 6; ++k) store(options).save(checkpoint_of(k + 1, 10, {{"loss", losses[k]}}));
  store(options).save(checkpoint_of(7, 10));  // without the metric
  EXPECT_EQ(names_in(place()), (Names{"best.json", "step-00000002", "step-00000007"}));
  EXPECT_EQ(store(options).load_best()->info.step, 2);
  EXPECT_EQ(store({}).load_best()->info.step, 2);  // best.json tells the metric
  EXPECT_EQ(platform::read_file(place("best.json")),
            "{\n \"format\": \"asg-best\",\n \"metric\": \"loss\",\n \"mode\": \"min\",\n \"checkpoint\": "
            "\"step-00000002\",\n"
            " \"step\": 2,\n \"value\": 1.0\n}\n");
  store({.keep = 1}).save(checkpoint_of(8, 10));  // a store that knows no metric keeps the noted best too
  EXPECT_EQ(names_in(place()), (Names{"best.json", "step-00000002", "step-00000008"}));
}

TEST_F(CheckpointStoreTest, BestByTheGreatest) {
  const CheckpointOptions options = {.keep = 1, .best = BestBy{"accuracy", BestBy::Mode::max}};
  const double values[] = {0.5, 0.9, INFINITY, 0.7};
  for (int k = 0; k < 4; ++k) store(options).save(checkpoint_of(k, 10, {{"accuracy", values[k]}}));
  const auto best = store(options).load_best();
  EXPECT_EQ(best->info.step, 2);
  EXPECT_EQ(best->data.metrics.at("accuracy"), INFINITY);
}

// A best.json that a kill left behind, or that somebody broke, changes nothing: metrics stand in the manifests.
TEST_F(CheckpointStoreTest, ABadNoteOfTheBestDoesNoHarm) {
  const CheckpointOptions options = {.keep = 1, .best = BestBy{"loss", BestBy::Mode::min}};
  store(options).save(checkpoint_of(1, 10, {{"loss", 1}}));
  for (const char* text : {"", "{", "[]", R"({"format":"asg-best","metric":3,"mode":"min"})"}) {
    folder_.write("runs/best.json", text);
    EXPECT_EQ(store(options).load_best()->info.step, 1);
    EXPECT_EQ(error_of([&] { store().load_best(); }).code, ErrorCode::missing_value);
  }
  store(options).save(checkpoint_of(2, 10, {{"loss", 2}}));
  EXPECT_EQ(store().load_best()->info.step, 1);
}

TEST_F(CheckpointStoreTest, ASecondOneOfTheSameStepIsNewer) {
  store().save(checkpoint_of(5));
  CheckpointData other = checkpoint_of(5);
  other.seed = 42;
  EXPECT_EQ(store().save(other).path, place("step-00000005-2"));
  EXPECT_EQ(store().load_latest()->data.seed, 42U);
  EXPECT_EQ(load_checkpoint(place("step-00000005")).seed, 1U);
  other.seed = 43;
  store({.keep = 1}).save(other);
  EXPECT_EQ(names_in(place()), Names{"step-00000005-3"});
}

// A training that went back to an earlier step.
TEST_F(CheckpointStoreTest, TheLatestIsTheOneWrittenLast) {
  for (const std::int64_t step : {10, 20, 5, 7, 7}) {
    store().save(checkpoint_of(step));
    EXPECT_EQ(store().load_latest()->info.step, step);
  }
  EXPECT_EQ(platform::read_file(place("order.json")),
            "{\n \"format\": \"asg-checkpoint-order\",\n \"written\": [\n  \"step-00000010\",\n  \"step-00000020\",\n"
            "  \"step-00000005\",\n  \"step-00000007\",\n  \"step-00000007-2\"\n ]\n}\n");
  for (const char* damaged : {"step-00000007-2", "step-00000007"}) fs::remove(place(damaged) + "/model.json");
  EXPECT_EQ(store().load_latest()->info.step, 5);
  std::vector<std::int64_t> steps;
  for (const CheckpointInfo& info : store().list()) steps.push_back(info.step);
  EXPECT_EQ(steps, (std::vector<std::int64_t>{5, 10, 20}));
}

TEST_F(CheckpointStoreTest, RotationKeepsThoseWrittenLast) {
  for (const std::int64_t step : {10, 20, 5}) store({.keep = 2}).save(checkpoint_of(step));
  EXPECT_EQ(names_in(place()), (Names{"order.json", "step-00000005", "step-00000020"}));
  store({.keep = 2}).save(checkpoint_of(8));
  EXPECT_EQ(names_in(place()), (Names{"order.json", "step-00000005", "step-00000008"}));
  store({.keep = 2}).save(checkpoint_of(11));  // the steps tell the order again
  EXPECT_EQ(names_in(place()), (Names{"step-00000008", "step-00000011"}));
  EXPECT_EQ(store().load_latest()->info.step, 11);
  EXPECT_TRUE(warnings_.texts.empty());
}

// A kill between the note and the name: the note speaks of a checkpoint that is not there.
TEST_F(CheckpointStoreTest, TheOrderIsNotedBeforeTheName) {
  for (const std::int64_t step : {10, 20}) store().save(checkpoint_of(step));
  const test::DiskOrder order;
  const std::string path = store().save(checkpoint_of(5)).path;
  const auto steps = order.steps();
  const int noted = test::DiskOrder::find(steps, test::DiskStep::Kind::rename, place("order.json"));
  ASSERT_GE(noted, 0);
  EXPECT_GT(test::DiskOrder::find(steps, test::DiskStep::Kind::rename, path), noted);
  fs::remove_all(path);
  EXPECT_EQ(store().load_latest()->info.step, 20);
  store().save(checkpoint_of(30));
  EXPECT_EQ(store().load_latest()->info.step, 30);
  EXPECT_EQ(names_in(place()), (Names{"step-00000010", "step-00000020", "step-00000030"}));
}

TEST_F(CheckpointStoreTest, WhatTheOrderDoesNotNameIsNewer) {
  for (const std::int64_t step : {20, 5}) store().save(checkpoint_of(step));
  for (const char* name : {"step-00000012", "step-00000009"})
    fs::rename(store().save(checkpoint_of(1)).path, place(name));
  folder_.write("runs/order.json", R"({"format":"asg-checkpoint-order","written":["step-00000020","step-00000005"]})");
  EXPECT_EQ(store().load_latest()->info.path, place("step-00000012"));
}

TEST_F(CheckpointStoreTest, ABadNoteOfTheOrderDoesNoHarm) {
  for (const char* text : {"", "{", "[]", R"({"format":"asg-checkpoint-order","written":[3]})",
                           R"({"format":3,"written":[]})", R"({"format":"asg-checkpoint-order","written":{}})"}) {
    store().save(checkpoint_of(20));
    store().save(checkpoint_of(5));
    folder_.write("runs/order.json", text);
    warnings_.texts.clear();
    EXPECT_EQ(store().load_latest()->info.step, 20) << text;
    ASSERT_EQ(warnings_.texts.size(), 1U);
    EXPECT_NE(warnings_.texts[0].find("order.json\" is damaged"), std::string::npos) << warnings_.texts[0];
    fs::remove_all(place());
  }
}

TEST_F(CheckpointStoreTest, RemovesWhatAKilledProcessLeft) {
  store().save(checkpoint_of(1));
  fs::create_directory(place(".tmp-step-00000002"));
  folder_.write("runs/.tmp-step-00000002/model.json", "half");
  folder_.write("runs/best.json.tmp-17-0", "half");
  folder_.write("runs/order.json.tmp-17-0", "half");
  EXPECT_EQ(store().load_latest()->info.step, 1);
  store().save(checkpoint_of(2));
  EXPECT_EQ(names_in(place()), (Names{"step-00000001", "step-00000002"}));
}

TEST_F(CheckpointStoreTest, RefusesWhatCannotBeSaved) {
  store().save(checkpoint_of(1));
  for (const char* extras : {"", "{", "[]", "3", "\"text\"", "{\"a\":\xFF}"}) {
    CheckpointData data = checkpoint_of(2);
    data.extras = extras;
    EXPECT_EQ(error_of([&] { store().save(data); }).code, ErrorCode::bad_json) << extras;
  }
  CheckpointData data = checkpoint_of(-1);
  EXPECT_EQ(error_of([&] { store().save(data); }).code, ErrorCode::bad_attribute);
  data = checkpoint_of(2);
  data.metrics["\xFF"] = 1;
  EXPECT_EQ(error_of([&] { store().save(data); }).code, ErrorCode::bad_name);
  EXPECT_EQ(names_in(place()), Names{"step-00000001"});
  folder_.write("file", "");
  EXPECT_EQ(error_of([&] { CheckpointStore(folder_.path("file")).save(data); }).code, ErrorCode::io_error);
  EXPECT_EQ(error_of([&] { CheckpointStore(folder_.path("file/inside")).save(data); }).code, ErrorCode::io_error);
}

TEST(ManifestText, TakesTimeInProportionToItsNames) {
  const double ratio = test::growth(test::amount(4000, 400), [](int names) {
    Manifest manifest;
    std::string extras;
    for (int k = 0; k < names; ++k) {
      const std::string name = "name " + std::to_string(k);
      manifest.metrics.emplace(name, k);
      extras.append(extras.empty() ? "{" : ",").append("\"").append(name).append("\":").append(std::to_string(k));
    }
    manifest.extras = extras + "}";
    manifest.files["model.json"] = {.bytes = 1, .crc32 = "00000000"};
    manifest.tensors["variables.safetensors"] = {{.name = "w", .variable = VarId{1}, .slot = ""}};
    const Manifest read = manifest_from_json(to_json(manifest));
    EXPECT_EQ(read.metrics, manifest.metrics);
    EXPECT_EQ(read.extras.size(), manifest.extras.size());
  });
  EXPECT_LT(ratio, test::kMostGrowth);
}

// ---- Damage

const char* const kFiles[] = {"manifest.json", "model.json", "variables.safetensors", "optimizer.safetensors"};

void flip(const std::string& path, double where) {
  std::string content = platform::read_file(path);
  char& byte = content[static_cast<std::size_t>(where * static_cast<double>(content.size() - 1))];
  byte = static_cast<char>(byte ^ 1);
  std::ofstream(path, std::ios::binary) << content;
}

TEST_F(CheckpointStoreTest, FallsBackFromDamage) {
  const std::pair<const char*, std::function<void(const std::string&)>> kinds[] = {
      {"removed", [](const std::string& path) { fs::remove(path); }},
      {"empty", [](const std::string& path) { fs::resize_file(path, 0); }},
      {"cut", [](const std::string& path) { fs::resize_file(path, fs::file_size(path) - 1); }},
      {"first bit", [](const std::string& path) { flip(path, 0); }},
      {"middle bit", [](const std::string& path) { flip(path, 0.5); }},
      {"last bit", [](const std::string& path) { flip(path, 1); }}};
  store().save(checkpoint_of(1));
  for (const char* file : kFiles) {
    for (const auto& [kind, damage] : kinds) {
      SCOPED_TRACE(std::string(file) + " " + kind);
      const std::string newest = store().save(checkpoint_of(2)).path;
      damage(newest + "/" + file);
      warnings_.texts.clear();
      const auto loaded = store().load_latest();
      ASSERT_TRUE(loaded.has_value());
      EXPECT_EQ(loaded->info.step, 1);
      EXPECT_TRUE(is_whole(loaded->data));
      ASSERT_EQ(warnings_.texts.size(), 1U);
      EXPECT_NE(warnings_.texts[0].find("step-00000002\" is damaged"), std::string::npos) << warnings_.texts[0];
      EXPECT_NE(warnings_.texts[0].find(file), std::string::npos) << warnings_.texts[0];
      EXPECT_THROW(load_checkpoint(newest), UserError);
      fs::remove_all(newest);
    }
  }
  fs::remove(place("step-00000001/model.json"));
  EXPECT_EQ(error_of([&] { store().load_latest(); }).code, ErrorCode::io_error);
}

TEST_F(CheckpointStoreTest, FallsBackFromADamagedBest) {
  const CheckpointOptions options = {.keep = 0, .best = BestBy{"loss", BestBy::Mode::min}};
  const double losses[] = {2, 1, 3};
  for (int k = 0; k < 3; ++k) store(options).save(checkpoint_of(k + 1, 10, {{"loss", losses[k]}}));
  flip(place("step-00000002/variables.safetensors"), 1);
  EXPECT_EQ(store(options).load_best()->info.step, 1);
}

// The content is as it was written, so it is no damage, and an older one is not what was asked for.
TEST_F(CheckpointStoreTest, ANewerFormIsRefusedNotPassedOver) {
  store().save(checkpoint_of(1));
  const std::string path = store().save(checkpoint_of(2)).path + "/manifest.json";
  std::string text = platform::read_file(path);
  text.replace(text.find("\"version\": 1"), 12, "\"version\": 9");
  const std::size_t sum_at = text.rfind("\"crc32_of_the_text_before\"");
  Checksum sum;
  sum.add(std::string_view(text).substr(0, sum_at));
  text.replace(text.size() - 11, 8, sum.hex());
  std::ofstream(path, std::ios::binary) << text;
  const ErrorDetail error = error_of([&] { store().load_latest(); });
  EXPECT_EQ(error.code, ErrorCode::unsupported_version);
  EXPECT_EQ(error.mend, "use a newer ASG");
}

TEST_F(CheckpointStoreTest, SeveralWritersDoNotMix) {
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 3; ++writer) {
    writers.emplace_back([this, writer] {
      for (int round = 0; round < 5; ++round) store({.keep = 4}).save(checkpoint_of(3 * round + writer, 1000));
    });
  }
  for (std::thread& writer : writers) writer.join();
  const auto all = store().list();
  EXPECT_GE(all.size(), 4U);
  for (const CheckpointInfo& info : all) EXPECT_TRUE(is_whole(load_checkpoint(info.path))) << info.path;
  EXPECT_GE(store().load_latest()->info.step, 12) << "the last one of a writer";
  for (const std::string& name : names_in(place())) {
    EXPECT_TRUE(name.starts_with("step-") || name == "order.json") << name;
  }
}

TEST(ChecksumTest, IsTheOneOfZip) {
  const auto sum_of = [](std::initializer_list<std::string_view> pieces) {
    Checksum sum;
    for (const std::string_view piece : pieces) sum.add(piece);
    return sum.hex();
  };
  EXPECT_EQ(sum_of({}), "00000000");
  EXPECT_EQ(sum_of({"123456789"}), "cbf43926");
  EXPECT_EQ(sum_of({"The quick brown fox jumps over the lazy dog"}), "414fa339");
  EXPECT_EQ(sum_of({"The quick bro", "", "w", "n fox jumps over the lazy dog"}), "414fa339");
}

}  // namespace
}  // namespace asg::train
