// The official test data of ONNX, and how a check of such data tells what it found.
#include "asg/io/onnx_check.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "asg/backend/interpreter.h"
#include "io/onnx_text.h"

namespace asg::test {
namespace {

namespace fs = std::filesystem;

// A folder of tests, how many must pass and how many may fail. The others are skipped for reasons that the check
// allows.
struct Data {
  std::string folder;
  std::int64_t passed;
  std::int64_t failed;
};

std::ostream& operator<<(std::ostream& out, const Data& data) { return out << data.folder; }

class OfficialData : public testing::TestWithParam<Data> {};

TEST_P(OfficialData, Passes) {
  const std::string folder = std::string(ASG_ONNX_DATA) + "/" + GetParam().folder;
  ASSERT_TRUE(fs::exists(folder)) << "no " << folder
                                  << "; the Debian package libonnx-testdata is missing: run tools/packages.sh test";
  Interpreter interpreter;
  const io::OnnxReport report = io::check_onnx(folder, interpreter);
  EXPECT_LE(report.count(io::CaseStatus::failed), GetParam().failed) << report.to_text();
  EXPECT_GE(report.count(io::CaseStatus::passed), GetParam().passed) << report.to_text();
}

INSTANTIATE_TEST_SUITE_P(Folders, OfficialData,
                         testing::Values(Data{"node", 825, 0}, Data{"simple", 7, 0}, Data{"pytorch-converted", 82, 0},
                                         Data{"pytorch-operator", 35, 0}),
                         [](const auto& row) {
                           std::string name = row.param.folder;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Tests made here, of which one each passes, fails, lacks an op, holds strings and draws numbers.
class OnnxCheck : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("asg_onnx_check_" + std::to_string(getpid()));
    const std::string x = input("x", 1, {"2"});
    const std::string one_two = "data_type: 1 dims: 2 float_data: 1 float_data: 2";
    const std::string y = output("y");
    make("a_passes", model(13, x + y + node("Relu", {"x"}, {"y"})), one_two, one_two);
    make("b_fails", model(13, x + y + node("Neg", {"x"}, {"y"})), one_two, one_two);
    make("c_lacks", model(13, x + y + node("Frobnicate", {"x"}, {"z"}) + node("Twiddle", {"z"}, {"y"})), one_two,
         one_two);
    make("d_strings", model(13, x + y + node("Cast", {"x"}, {"y"}, attr_i("to", 8))), one_two, one_two);
    make("e_draws",
         model(13, x + y + "initializer { name: 'train' data_type: 9 int32_data: 1 } " +
                       node("Dropout", {"x", "", "train"}, {"y"})),
         one_two, one_two);
    make("f_other_shape", model(13, x + y + node("Relu", {"x"}, {"y"})), one_two, "data_type: 1 dims: 1 float_data: 1");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void make(const std::string& name, const std::string& bytes, const std::string& in, const std::string& out) const {
    fs::create_directories(folder_ / name / "test_data_set_0");
    std::ofstream(folder_ / name / "model.onnx", std::ios::binary) << bytes;
    std::ofstream(folder_ / name / "test_data_set_0/input_0.pb", std::ios::binary) << tensor_bytes(in);
    std::ofstream(folder_ / name / "test_data_set_0/output_0.pb", std::ios::binary) << tensor_bytes(out);
  }

  io::OnnxReport run(const std::string& only = "") const {
    Interpreter interpreter;
    return io::check_onnx(folder_.string(), interpreter, {.only = only});
  }

  fs::path folder_;
};

TEST_F(OnnxCheck, SortsTests) {
  const auto report = nlohmann::json::parse(run().to_json());
  EXPECT_EQ(report["passed"], 1);
  EXPECT_EQ(report["failed"], 2);
  EXPECT_EQ(report["skipped"], 3);
  const auto& cases = report["cases"];
  ASSERT_EQ(cases.size(), 6U);
  EXPECT_EQ(cases[0], (nlohmann::json{{"name", "a_passes"}, {"status", "passed"}, {"reason", ""}}));
  EXPECT_NE(cases[1]["reason"].get<std::string>().find("2 of 2 elements differ, the first at 0: -1 instead of 1"),
            std::string::npos);
  EXPECT_EQ(cases[2]["reason"], "missing op: Frobnicate, Twiddle");
  EXPECT_EQ(cases[3]["reason"], "not a tensor of numbers: strings");
  EXPECT_EQ(cases[4]["reason"], "nondeterministic");
  EXPECT_NE(cases[5]["reason"].get<std::string>().find("f32[2] instead of f32[1]"), std::string::npos);
}

TEST_F(OnnxCheck, TellsMissingOpsAndTheSum) {
  const std::string text = run().to_text();
  EXPECT_NE(text.find("  Frobnicate 1\n  Twiddle 1\n"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("\n1 passed, 2 failed, 3 skipped\n")) << text;
}

TEST_F(OnnxCheck, RunsOnlyWhatIsAskedFor) { EXPECT_EQ(run("passes").cases.size(), 1U); }

TEST_F(OnnxCheck, RefusesAFolderWithoutTests) { EXPECT_THROW(run("no such test"), UserError); }

}  // namespace
}  // namespace asg::test
