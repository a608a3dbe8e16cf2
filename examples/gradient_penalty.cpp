// Two networks play against each other (WGAN-GP: Gulrajani and others, 2017): one makes points, the other tells them
// from real ones. The second may not be steep anywhere: its loss has the gradient by its input in it, so that training
// it takes the gradient of a gradient. Gradients are graphs here, so that is nothing special.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>

#include "asg/asg.h"
#include "support/example.h"

using namespace asg;

namespace {

constexpr std::int64_t kBatch = 64;
constexpr std::int64_t kWidth = 64;
constexpr std::int64_t kNoise = 4;
constexpr int kHeaps = 6;            // real points lie in heaps on a circle of radius 1
constexpr double kDeviation = 0.05;  // inside a heap
constexpr int kCriticSteps = 5;      // for each step of the generator
constexpr double kPenalty = 1;

Tensor critic(const Tensor& points) {
  Tensor x = relu(nn::linear(points, kWidth, {.name = "critic_1"}));
  x = relu(nn::linear(x, kWidth, {.name = "critic_2"}));
  return nn::linear(x, 1, {.bias = false, .name = "critic_3"});  // only differences of scores count
}

Tensor mean_of(const Tensor& x) { return reduce_mean(x, {}, {.keepdims = false}); }

// Scores real points high and others low, and its slope between the two shall be 1.
Graph critic_training() {
  Graph graph("critic");
  const Tensor real = graph.input("real", {DType::f32, {kBatch, 2}});
  const Tensor made = graph.input("made", {DType::f32, {kBatch, 2}});
  const Tensor share = graph.input("share", {DType::f32, {kBatch, 1}});
  const Tensor between = made + share * (real - made);
  // One pass for all three, so that there is one critic.
  const std::vector<Tensor> scores = split(critic(concat({real, made, between}, 0)), {}, {.num_outputs = 3});
  graph.set_output("gap", mean_of(scores[0]) - mean_of(scores[1]));
  const Tensor total = reduce_sum(scores[2], {}, {.keepdims = false});

  // The model and the gradient of the scores by the points, as one graph in which we go on building.
  const std::vector<Value> by = {between.value()};
  Differentiated joint = differentiate(graph, total.value(), by, Mode::train);
  const Tensor slope = joint.graph.tensor(joint.gradients[0]);
  const Tensor steepness = sqrt(reduce_sum(slope * slope, {1}) + 1e-12);
  const Tensor penalty = mean_of((steepness - 1.0) * (steepness - 1.0));
  const Tensor gap = joint.graph.tensor(joint.graph.find_output("gap")->value);
  joint.graph.set_outputs({{"gap", gap.value()}});
  joint.graph.set_output("penalty", penalty);
  joint.graph.set_output("loss", penalty * kPenalty - gap);
  return joint.graph;
}

// Makes points of noise that the critic takes for real ones. The critic is part of the model, but not trained here.
Graph generator_training() {
  Graph graph("generator");
  const Tensor noise = graph.input("noise", {DType::f32, {kBatch, kNoise}});
  Tensor x = relu(nn::linear(noise, kWidth, {.name = "generator_1"}));
  x = relu(nn::linear(x, kWidth, {.name = "generator_2"}));
  const Tensor points = nn::linear(x, 2, {.name = "generator_3"});
  graph.set_output("points", points);
  graph.set_output("loss", -mean_of(critic(points)));
  return graph;
}

// Copies the weights of the critic from its own training into that of the generator.
void hand_over(const train::Trainer& from, train::Trainer& to) {
  const train::TrainingState learnt = from.state();
  train::TrainingState state = to.state();
  for (auto& [id, value] : state.variables) {
    const VarId same = from.model().graph().find_variable(to.model().graph().variable(id).name);
    if (same) value = learnt.variables.at(same);
  }
  to.set_state(state);
}

class Chance {
 public:
  Array normal(Sizes sizes) { return filled(std::move(sizes), std::normal_distribution<float>(0, 1)); }
  Array uniform(Sizes sizes) { return filled(std::move(sizes), std::uniform_real_distribution<float>(0, 1)); }
  Array real_points() {
    Array points = normal({kBatch, 2});
    for (std::int64_t point = 0; point < kBatch; ++point) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(random_() % kHeaps) / kHeaps;
      points.set(2 * point, std::cos(angle) + kDeviation * points.get(2 * point));
      points.set(2 * point + 1, std::sin(angle) + kDeviation * points.get(2 * point + 1));
    }
    return points;
  }

 private:
  template <class Distribution>
  Array filled(Sizes sizes, Distribution distribution) {
    Array array(DType::f32, std::move(sizes));
    for (float& number : array.mutable_data<float>()) number = distribution(random_);
    return array;
  }
  std::mt19937 random_{1};
};

// Mean distance between points of one set and of another.
double distance(const Array& a, const Array& b) {
  const auto from = a.data<float>();
  const auto to = b.data<float>();
  double sum = 0;
  for (std::size_t m = 0; m < from.size(); m += 2) {
    for (std::size_t n = 0; n < to.size(); n += 2) sum += std::hypot(from[m] - to[n], from[m + 1] - to[n + 1]);
  }
  return sum / static_cast<double>(kBatch * kBatch);
}

void play(examples::Example& example) {
  const auto backend = [] { return BackendRegistry::global().make("cpu"); };
  const optim::Optimizer adam =
      optim::optimizer_named("adam", {{"learning_rate", 1e-3}, {"beta1", 0.5}, {"beta2", 0.9}});
  optim::Optimizer without_critic = adam;
  without_critic.groups = {{.match = "critic_*", .frozen = true}};
  train::Trainer judge(critic_training(), backend(), {.optimizer = adam});
  train::Trainer maker(generator_training(), backend(), {.optimizer = without_critic});

  Chance chance;
  const auto made = [&] { return maker.infer({{"noise", chance.normal({kBatch, kNoise})}}).at("points"); };
  // Energy distance between two draws of each: 0 in the mean only where both are spread alike.
  const auto energy = [&] {
    const Array ours = made(), theirs = chance.real_points();
    return 2 * distance(ours, theirs) - distance(ours, made()) - distance(theirs, chance.real_points());
  };
  const std::int64_t rounds = example.pick(20, 4000);
  const std::int64_t tenth = rounds / 10;
  double last = 0;  // sum over the last tenth
  for (std::int64_t round = 0; round < rounds; ++round) {
    train::StepReport report;
    for (int step = 0; step < kCriticSteps; ++step) {
      report = judge.step({{"real", chance.real_points()}, {"made", made()}, {"share", chance.uniform({kBatch, 1})}});
    }
    hand_over(judge, maker);
    maker.step({{"noise", chance.normal({kBatch, kNoise})}});
    // The losses of two players say little, since each depends on how good the other is; the distance does.
    const double reached = energy();
    example.note_loss(round + 1, reached);
    if (round >= rounds - tenth) last += reached;
    if (round % tenth == 0) {
      std::printf("round %lld: gap %.3f, penalty %.3f, energy distance %.4f\n", static_cast<long long>(round),
                  report.outputs.at("gap").get(0), report.outputs.at("penalty").get(0), reached);
      std::fflush(stdout);
    }
  }
  example.check_parameters(judge);
  example.check_parameters(maker);
  example.reached({.what = "energy distance", .value = last / static_cast<double>(tenth), .at_most = 0.02});
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(argc, argv, "Two networks play: a WGAN with gradient penalty.", play);
}
