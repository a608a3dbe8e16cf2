// `asg check compiler`: counts, its state file and its mistakes of use.
#include <nlohmann/json.hpp>

#include "asg/core/platform.h"
#include "program.h"

namespace asg {
namespace {

class CheckCompiler : public ProgramTest {
 protected:
  nlohmann::json state() const { return nlohmann::json::parse(platform::read_file(file("state.json"))); }
  Outcome check(const std::string& arguments) const {
    return run("check compiler --state " + file("state.json") + " " + arguments);
  }
};

TEST_F(CheckCompiler, CountsAddUpOverRuns) {
  const Outcome first = check("--count 3");
  EXPECT_EQ(first.code, 0) << first.text;
  const Outcome second = check("--count 5 --jobs 2");
  EXPECT_EQ(second.code, 0) << second.text;
  EXPECT_NE(second.text.find("8 graphs  all passes\n"), std::string::npos) << second.text;
  EXPECT_NE(second.text.find("8 graphs  drawn\n"), std::string::npos) << second.text;
  EXPECT_NE(second.text.find("\n0 failed\n"), std::string::npos) << second.text;
  EXPECT_EQ(state()["modes"]["usual"]["next"], 8);
}

TEST_F(CheckCompiler, SwitchesAreCountedApart) {
  EXPECT_EQ(check("--count 2").code, 0);
  const Outcome switched = check("--count 1 --switch fuse --switch onednn --print-numbers");
  EXPECT_EQ(switched.code, 0) << switched.text;
  EXPECT_NE(switched.text.find("graph 0\n"), std::string::npos) << switched.text;
  EXPECT_NE(switched.text.find("1 graphs  without fuse\n"), std::string::npos) << switched.text;
  EXPECT_NE(switched.text.find("1 graphs  without onednn\n"), std::string::npos) << switched.text;
  EXPECT_EQ(state()["modes"]["usual"]["next"], 2);
  EXPECT_EQ(state()["modes"]["usual fuse onednn"]["next"], 1);
}

TEST_F(CheckCompiler, AnotherProgramBeginsAnew) {
  EXPECT_EQ(check("--count 2").code, 0);
  nlohmann::json other = state();
  other["code"] = "another program";
  write("state.json", other.dump());
  const Outcome anew = check("--count 1");
  EXPECT_NE(anew.text.find("the program has changed since, so counts begin anew"), std::string::npos) << anew.text;
  EXPECT_EQ(state()["modes"]["usual"]["next"], 1);
}

TEST_F(CheckCompiler, RefusesMistakesWithWords) {
  EXPECT_EQ(check("--count 1").code, 0);
  const Outcome seed = check("--count 1 --seed 2");
  EXPECT_EQ(seed.code, 1);
  EXPECT_NE(seed.text.find("the seed of the file, 1"), std::string::npos) << seed.text;
  const Outcome pass = run("check compiler --switch fusing");
  EXPECT_EQ(pass.code, 1);
  EXPECT_NE(pass.text.find("one of fold_constants, "), std::string::npos) << pass.text;
  EXPECT_EQ(run("check compiler --jobs 0").code, 2);
  EXPECT_EQ(check("--from 3").code, 2);
  write("state.json", "{}");
  const Outcome damaged = check("--count 1");
  EXPECT_EQ(damaged.code, 1);
  EXPECT_NE(damaged.text.find("a state that `asg check compiler --state` has written"), std::string::npos)
      << damaged.text;
}

}  // namespace
}  // namespace asg
