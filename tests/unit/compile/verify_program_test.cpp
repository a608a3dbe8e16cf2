// The verifier of programs: sound ones have no problems, and each kind of planted mistake is named.
#include "asg/compile/verify_program.h"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "asg/compile/memory_plan.h"
#include "asg/core/random.h"
#include "asg/graph/card.h"
#include "asg/ops/ops.h"

namespace asg {
namespace {

CallRules rules_of_products() {
  return {.takes_strides = [](const Node& node, std::size_t, const Sizes&,
                              const Sizes&) { return node.op->name == "MatMul"; },
          .takes_epilogue = [](const Program&, const Step& call,
                               const Kernel&) { return call.node->op->name == "MatMul"; }};
}

// Two layers, a softmax and a sum of columns; with updates of two variables, gated by a flag where asked for.
Graph training(bool gated) {
  Graph graph("training");
  const Tensor x = graph.input("x", {DType::f32, {6, 8}});
  const Tensor w = graph.parameter("w", {DType::f32, {8, 8}}, Initializer::ones());
  const Tensor v = graph.parameter("v", {DType::f32, {8, 4}}, Initializer::ones());
  const Tensor hidden = tanh(mat_mul(x, w));
  const Tensor scores = softmax(mat_mul(hidden, v));
  const Tensor columns = reduce_sum(scores * scores, {0}, {.keepdims = false});
  const Tensor loss = reduce_sum(columns, {0}, {.keepdims = false});
  const Tensor gradient = mat_mul(transpose(x, {.perm = {1, 0}}), hidden);
  graph.set_output("loss", loss);
  if (gated) graph.set_output(std::string(kAllFinite), not_(is_nan(loss)));
  graph.add_update(graph.find_variable("w"), w - gradient * graph.scalar(DType::f32, 0.1));
  graph.add_update(graph.find_variable("v"), v * graph.scalar(DType::f32, 0.9));
  return graph;
}

struct Made {
  Program program;
  std::int64_t arena_bytes = -1;
};

Made made(bool gated, const PassOptions& options = {}) {
  Made result{make_program(training(gated), rules_of_products(), options)};
  result.arena_bytes = plan_memory(result.program).arena_bytes;
  return result;
}

std::vector<ProgramProblem> problems(const Made& made) {
  return problems_of(made.program, rules_of_products(), made.arena_bytes);
}

TEST(VerifyProgram, FindsNothingInSoundPrograms) {
  for (const bool gated : {false, true}) {
    for (const std::string off : {"", "fuse", "recompute", "epilogues", "schedule", "in_place"}) {
      SCOPED_TRACE((gated ? "gated, without " : "without ") + off);
      for (const ProgramProblem& problem : problems(made(gated, {.off = {off}}))) {
        ADD_FAILURE() << name_of(problem.rule) << ": " << problem.words;
      }
    }
  }
}

// ---- Planted mistakes. Each takes a sound program of the gated training with all passes.

Step& find_step(Program& program, const std::function<bool(const Step&)>& is_wanted) {
  const auto found = std::find_if(program.steps.begin(), program.steps.end(), is_wanted);
  if (found == program.steps.end()) throw std::out_of_range("no such step");
  return *found;
}

bool is_epilogue(const Step& step) { return step.kind == Step::Kind::call && step.kernel != nullptr; }
bool is_fused(const Step& step) { return step.kind == Step::Kind::fused; }
bool is_bare_call(const Step& step) { return step.kind == Step::Kind::call && step.kernel == nullptr; }

Kernel& changed_kernel(Step& step) {
  auto copy = std::make_shared<Kernel>(*step.kernel);
  step.kernel = copy;
  return *copy;
}

std::size_t first_output(const Step& step) {
  std::size_t k = 0;
  while (!step.kernel->arguments[k].output) ++k;
  return k;
}

// The place of the first step that commits.
std::ptrdiff_t first_commit(const Program& program) {
  return std::find_if(program.steps.begin(), program.steps.end(), [](const Step& step) { return step.commits; }) -
         program.steps.begin();
}

// The first temporary that a step writes; -1: none.
int temporary_written_by(const Program& program, std::size_t number) {
  for (const View& view : program.steps[number].outputs) {
    if (program.buffers[static_cast<std::size_t>(view.buffer)].kind == Buffer::Kind::temporary) return view.buffer;
  }
  return -1;
}

struct Mistake {
  const char* name;
  ProgramRule rule;
  std::function<void(Made&)> plant;
  const char* words = "";  // a part of the message
};

Buffer& buffer_of(Program& program, const View& view) { return program.buffers[static_cast<std::size_t>(view.buffer)]; }

Made planned(const Graph& graph) {
  Made result{make_program(graph, rules_of_products())};
  result.arena_bytes = plan_memory(result.program).arena_bytes;
  return result;
}

// One kernel that computes two values, which two calls read.
Made with_two_stores() {
  Graph graph("two_stores");
  const Tensor axis = graph.constant(Array::scalar_i64(0));
  const Tensor sums = cum_sum(graph.input("x", {DType::f32, {4, 8}}), axis);
  graph.set_output("y", cum_sum(exp(sums), axis));
  graph.set_output("z", cum_sum(tanh(sums), axis));
  return planned(graph);
}

// Two calls, and a kernel that reads the results of both.
Made with_two_calls() {
  Graph graph("two_calls");
  const Tensor axis = graph.constant(Array::scalar_i64(0));
  const Tensor first = cum_sum(graph.input("x", {DType::f32, {4, 8}}), axis);
  const Tensor second = cum_sum(graph.input("y", {DType::f32, {4, 8}}), axis);
  graph.set_output("z", first + second);
  return planned(graph);
}

Step& copy_into_variable(Made& made) {
  made = ::asg::made(true, {.off = {"in_place"}});
  return find_step(made.program, [](const Step& step) { return step.kind == Step::Kind::copy; });
}

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

const Mistake kMistakes[] = {
    {"a_view_of_no_buffer", ProgramRule::bounds,
     [](Made& made) { made.program.steps.front().inputs.front().buffer = 10000; }},
    {"a_view_beyond_its_buffer", ProgramRule::bounds,
     [](Made& made) { made.program.steps.front().inputs.front().offset = 1; }},
    {"an_argument_beyond_its_buffer", ProgramRule::bounds,
     [](Made& made) { changed_kernel(find_step(made.program, is_fused)).arguments.front().offset = 100000; }},
    {"an_argument_of_another_dtype", ProgramRule::bounds,
     [](Made& made) {
       Step& step = find_step(made.program, is_fused);
       made.program.buffers[static_cast<std::size_t>(step.outputs.front().buffer)].dtype = DType::i32;
     }},
    {"a_kernel_that_breaks_its_rules", ProgramRule::kernel,
     [](Made& made) { changed_kernel(find_step(made.program, is_fused)).stores.pop_back(); }},
    {"a_fused_step_without_kernel", ProgramRule::kernel,
     [](Made& made) { find_step(made.program, is_fused).kernel = nullptr; }},
    {"an_argument_without_view", ProgramRule::kernel,
     [](Made& made) { find_step(made.program, is_epilogue).arguments.back() = 0; }},
    {"a_call_without_an_operand", ProgramRule::operands,
     [](Made& made) { find_step(made.program, is_bare_call).inputs.front() = {}; }},
    {"a_copy_into_another_shape", ProgramRule::operands,
     [](Made& made) {
       made = ::asg::made(true, {.off = {"in_place"}});
       Step& copy = find_step(made.program, [](const Step& step) { return step.kind == Step::Kind::copy; });
       copy.inputs.front().sizes = {1};
       copy.inputs.front().strides = {1};
     }},
    {"an_epilogue_in_another_order", ProgramRule::epilogue,
     [](Made& made) {
       Step& step = find_step(made.program, is_epilogue);
       Kernel& kernel = changed_kernel(step);
       for (std::size_t k = 0; k < kernel.arguments.size(); ++k) {
         if (step.arguments[k] != step.outputs.front().buffer || kernel.arguments[k].output) continue;
         std::int64_t last = 0;
         for (std::size_t axis = 0; axis < kernel.space.size(); ++axis) {
           last += (kernel.space[axis] - 1) * kernel.arguments[k].strides[axis];
           kernel.arguments[k].strides[axis] *= -1;
         }
         kernel.arguments[k].offset = last;
       }
     }},
    {"a_result_that_is_not_written_whole", ProgramRule::complete,
     [](Made& made) {
       Step& step = find_step(made.program, is_fused);
       Buffer& buffer = made.program.buffers[static_cast<std::size_t>(step.outputs.front().buffer)];
       buffer.count += 1;
     }},
    {"a_step_before_its_operand", ProgramRule::defined,
     [](Made& made) { std::swap(made.program.steps[0], made.program.steps[1]); }},
    {"a_step_that_is_missing", ProgramRule::defined,
     [](Made& made) { made.program.steps.erase(made.program.steps.begin()); }},
    {"a_step_that_runs_twice", ProgramRule::single_writer,
     [](Made& made) { made.program.steps.insert(made.program.steps.begin() + 1, made.program.steps.front()); }},
    {"a_store_over_an_operand_of_the_call", ProgramRule::overwrite,
     [](Made& made) {
       made = ::asg::made(true, {.off = {"epilogues", "in_place"}});
       made.arena_bytes += 4096;
       // The second product writes over its own operand.
       std::vector<Step*> products;
       for (Step& step : made.program.steps) {
         if (is_bare_call(step)) products.push_back(&step);
       }
       for (Step* product : products) {
         for (const View& view : product->inputs) {
           Buffer& operand = made.program.buffers[static_cast<std::size_t>(view.buffer)];
           Buffer& result = made.program.buffers[static_cast<std::size_t>(product->outputs.front().buffer)];
           if (operand.kind != Buffer::Kind::temporary || result.kind != Buffer::Kind::temporary) continue;
           result.offset = operand.offset;
         }
       }
     }},
    {"a_write_into_an_input", ProgramRule::overwrite,
     [](Made& made) {
       for (std::size_t k = 0; k < made.program.buffers.size(); ++k) {
         if (made.program.buffers[k].kind != Buffer::Kind::input) continue;
         Step& step = find_step(made.program, is_fused);
         step.arguments[first_output(step)] = static_cast<int>(k);
         step.outputs.front().buffer = static_cast<int>(k);
       }
     }},
    {"a_commit_before_the_end", ProgramRule::commit,
     [](Made& made) {
       auto& steps = made.program.steps;
       std::rotate(steps.begin(), steps.begin() + first_commit(made.program),
                   steps.begin() + first_commit(made.program) + 1);
     }},
    {"a_change_of_a_variable_that_always_happens", ProgramRule::commit,
     [](Made& made) {
       for (Step& step : made.program.steps) step.commits = false;
     }},
    {"a_commit_that_nothing_decides", ProgramRule::commit, [](Made& made) { made.program.all_finite = -1; }},
    {"an_update_that_is_lost", ProgramRule::final_values, [](Made& made) { made.program.steps.pop_back(); }},
    {"a_variable_without_update_that_changes", ProgramRule::final_values,
     [](Made& made) { made.program.new_values.pop_back(); }},
    {"a_result_that_is_overwritten", ProgramRule::final_values,
     [](Made& made) { made.program.results.front().value = 0; }},
    {"a_temporary_outside_of_the_arena", ProgramRule::memory, [](Made& made) { made.arena_bytes = 0; }},
    {"a_temporary_at_an_odd_place", ProgramRule::memory,
     [](Made& made) {
       made.arena_bytes += 64;
       const int buffer = temporary_written_by(made.program, 0);
       made.program.buffers[static_cast<std::size_t>(buffer)].offset += 4;
     }},
    {"memory_that_is_shared_in_a_circle", ProgramRule::memory,
     [](Made& made) {
       const int buffer = temporary_written_by(made.program, 0);
       made.program.buffers[static_cast<std::size_t>(buffer)].shares = buffer;
     }},
};

// What each rule demands beside the above.
const Mistake kMoreMistakes[] = {
    {"a_fused_step_with_a_view_too_many", ProgramRule::kernel,
     [](Made& made) {
       Step& step = find_step(made.program, is_fused);
       step.inputs.push_back(step.inputs.front());
     },
     "has other views than its kernel has arguments"},
    {"a_fused_step_with_a_buffer_too_few", ProgramRule::kernel,
     [](Made& made) { find_step(made.program, is_fused).arguments.pop_back(); }, "has other buffers than its kernel"},
    {"an_epilogue_with_a_view_too_many", ProgramRule::kernel,
     [](Made& made) {
       Step& step = find_step(made.program, is_epilogue);
       step.outputs.push_back(step.outputs.back());
     },
     "has other views than its epilogue has arguments"},
    {"a_call_without_node", ProgramRule::operands,
     [](Made& made) { find_step(made.program, is_bare_call).node = nullptr; }, "has no node"},
    {"a_call_with_an_operand_too_few", ProgramRule::operands,
     [](Made& made) { find_step(made.program, is_bare_call).inputs.pop_back(); }, "has other operands than its node"},
    {"a_call_without_its_output", ProgramRule::operands,
     [](Made& made) { find_step(made.program, is_bare_call).outputs.front() = {}; }, "lacks output 0"},
    {"a_copy_of_two_views", ProgramRule::operands,
     [](Made& made) {
       Step& copy = copy_into_variable(made);
       copy.inputs.push_back(copy.inputs.front());
     },
     "copies other than one view into one"},
    {"a_result_of_a_call_that_is_not_written_whole", ProgramRule::complete,
     [](Made& made) { buffer_of(made.program, find_step(made.program, is_bare_call).outputs.front()).count += 1; },
     "writes only a part"},
    {"an_epilogue_that_does_not_read_its_call", ProgramRule::epilogue,
     [](Made& made) {
       const auto reads_more = [](const Step& step) {
         return is_epilogue(step) && step.inputs.size() > step.node->inputs.size();
       };
       Step& step = find_step(made.program, reads_more);
       std::replace(step.arguments.begin(), step.arguments.end(), step.outputs.front().buffer,
                    step.inputs.back().buffer);
     },
     "does not read its result once"},
    {"a_step_that_reads_what_was_overwritten", ProgramRule::current,
     [](Made& made) {
       made = with_two_calls();
       Program& program = made.program;
       buffer_of(program, program.steps[1].outputs.front()).offset =
           buffer_of(program, program.steps[0].outputs.front()).offset;
     },
     "which has been overwritten by"},
    {"two_stores_into_one_place", ProgramRule::overwrite,
     [](Made& made) {
       made = with_two_stores();
       Step& step = find_step(made.program, is_fused);
       buffer_of(made.program, step.outputs[1]).offset = buffer_of(made.program, step.outputs[0]).offset;
     },
     "which it stores too"},
    {"a_commit_before_its_flag", ProgramRule::commit,
     [](Made& made) {
       // The flag is a value that no step writes.
       made.program.buffers.push_back({.kind = Buffer::Kind::temporary, .count = 1, .offset = 0});
       made.program.all_finite = static_cast<int>(made.program.buffers.size()) - 1;
     },
     "comes before the flag is known"},
    {"a_result_that_may_be_left_out", ProgramRule::commit,
     [](Made& made) {
       for (Step& step : made.program.steps) {
         for (const View& view : step.outputs) {
           if (view.buffer == made.program.results.front().buffer) step.commits = true;
         }
       }
     },
     "a result is value"},
    {"a_value_that_may_be_left_out", ProgramRule::commit, [](Made& made) { made.program.steps.front().commits = true; },
     "which a step computes that may be left out"},
    {"memory_shared_with_an_input", ProgramRule::memory,
     [](Made& made) {
       const int buffer = temporary_written_by(made.program, 0);
       for (std::size_t k = 0; k < made.program.buffers.size(); ++k) {
         if (made.program.buffers[k].kind != Buffer::Kind::input) continue;
         made.program.buffers[static_cast<std::size_t>(buffer)].shares = static_cast<int>(k);
       }
     },
     "only temporaries may"},
    {"memory_that_is_too_small", ProgramRule::memory,
     [](Made& made) {
       made.program.buffers.push_back({.kind = Buffer::Kind::temporary, .count = 1, .offset = 0});
       const int buffer = temporary_written_by(made.program, 0);
       made.program.buffers[static_cast<std::size_t>(buffer)].shares =
           static_cast<int>(made.program.buffers.size()) - 1;
     },
     "does not fit into"},
    {"shared_memory_that_is_apart", ProgramRule::memory,
     [](Made& made) {
       const int buffer = temporary_written_by(made.program, 0);
       made.program.buffers.push_back(made.program.buffers[static_cast<std::size_t>(buffer)]);
       made.program.buffers[static_cast<std::size_t>(buffer)].shares =
           static_cast<int>(made.program.buffers.size()) - 1;
       made.program.buffers.back().offset += kBufferAlignment;
       made.arena_bytes += kBufferAlignment;
     },
     "is apart from the memory that it shares"},
};

class PlantedMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(PlantedMistakes, AreNamed) {
  Made planted = made(true);
  ASSERT_TRUE(problems(planted).empty());
  GetParam().plant(planted);
  const std::vector<ProgramProblem> found = problems(planted);
  const bool is_named = std::any_of(found.begin(), found.end(), [](const ProgramProblem& each) {
    return each.rule == GetParam().rule && each.words.find(GetParam().words) != std::string::npos;
  });
  EXPECT_TRUE(is_named) << name_of(GetParam().rule);
  for (const ProgramProblem& problem : found) {
    if (!is_named) std::printf("  %s: %s\n", std::string(name_of(problem.rule)).c_str(), problem.words.c_str());
  }
  EXPECT_THROW(verify_program("planted", planted.program, rules_of_products(), planted.arena_bytes), InternalError);
}

INSTANTIATE_TEST_SUITE_P(VerifyProgram, PlantedMistakes, testing::ValuesIn(kMistakes),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

INSTANTIATE_TEST_SUITE_P(VerifyProgramWords, PlantedMistakes, testing::ValuesIn(kMoreMistakes),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

TEST(VerifyProgram, EveryRuleHasAPlantedMistake) {
  for (int number = 0; number <= static_cast<int>(ProgramRule::memory); ++number) {
    const auto rule = static_cast<ProgramRule>(number);
    const auto is_of_rule = [&](const Mistake& mistake) { return mistake.rule == rule; };
    EXPECT_TRUE(std::any_of(std::begin(kMistakes), std::end(kMistakes), is_of_rule) ||
                std::any_of(std::begin(kMoreMistakes), std::end(kMoreMistakes), is_of_rule))
        << name_of(rule);
  }
}

// What the device does not take: operands with strides, epilogues.
TEST(VerifyProgram, NamesWhatTheDeviceDoesNotTake) {
  const Made sound = made(true);
  CallRules rules = rules_of_products();
  rules.takes_strides = nullptr;
  const std::vector<ProgramProblem> strided = problems_of(sound.program, rules, sound.arena_bytes);
  ASSERT_FALSE(strided.empty());
  EXPECT_EQ(strided.front().rule, ProgramRule::operands);
  EXPECT_NE(strided.front().words.find("strides that the device does not take"), std::string::npos);
  rules = rules_of_products();
  rules.takes_epilogue = nullptr;
  const std::vector<ProgramProblem> joined = problems_of(sound.program, rules, sound.arena_bytes);
  ASSERT_FALSE(joined.empty());
  EXPECT_EQ(joined.front().rule, ProgramRule::epilogue);
  EXPECT_NE(joined.front().words.find("an epilogue that the device does not take"), std::string::npos);
}

// S·2 may be stored over S only by a kernel that has finished with S: whoever sums S afterwards must not find S·2.
TEST(VerifyProgram, NamesAStoreOverWhatALaterStepSums) {
  Graph graph("sums");
  const Tensor s = exp(graph.input("x", {DType::f32, {4, 8}}));
  graph.set_output("y", exp(s * graph.scalar(DType::f32, 2)));
  graph.set_output("z", reduce_sum(s, {0}, {.keepdims = false}));
  Program program = make_program(graph, {}, {.off = {"fuse"}});
  ASSERT_TRUE(problems_of(program).empty());
  // The second step stores its result over S, which the last step still sums.
  program.buffers[static_cast<std::size_t>(program.steps[1].outputs.front().buffer)].shares =
      program.steps[0].outputs.front().buffer;
  const std::vector<ProgramProblem> found = problems_of(program);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().rule, ProgramRule::current) << found.front().words;
  EXPECT_NE(found.front().words.find("overwritten by step 1"), std::string::npos) << found.front().words;
}

// Programs that are changed at random are judged, whatever they have become.
TEST(VerifyProgram, SurvivesRandomChanges) {
  int sound = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const RandomStream stream(seed, 7);
    std::uint64_t drawn = 0;
    const auto below = [&](std::size_t limit) {
      return static_cast<std::size_t>(
          stream.below(++drawn, static_cast<std::uint64_t>(std::max<std::size_t>(limit, 1))));
    };
    static const Made kSound = made(true);
    Made changed = kSound;
    Program& program = changed.program;
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
      Step& step = program.steps[below(program.steps.size())];
      Buffer& buffer = program.buffers[below(program.buffers.size())];
      const int any_buffer = static_cast<int>(below(program.buffers.size() + 1)) - 1;
      switch (below(8)) {
        case 0:
          std::swap(step, program.steps[below(program.steps.size())]);
          break;
        case 1:
          if (!step.inputs.empty()) step.inputs[below(step.inputs.size())].buffer = any_buffer;
          break;
        case 2:
          if (!step.outputs.empty()) step.outputs[below(step.outputs.size())].buffer = any_buffer;
          break;
        case 3:
          buffer.shares = any_buffer;
          break;
        case 4:
          buffer.offset = static_cast<std::int64_t>(below(16)) * 64;
          break;
        case 5:
          if (!step.arguments.empty()) step.arguments[below(step.arguments.size())] = any_buffer;
          break;
        case 6:
          if (!step.inputs.empty()) step.inputs.pop_back();
          break;
        default:
          step.commits = !step.commits;
      }
    }
    if (problems(changed).empty()) ++sound;
  }
  EXPECT_LT(sound, 1000);
}

}  // namespace
}  // namespace asg
