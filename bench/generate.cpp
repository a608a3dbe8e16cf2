// How long a token takes that a model of language writes, beside reading all its weights once.
//   demanded: at most 1.6 times as long, for GPT-2 of 124 million parameters, and nothing compiled after the first
//   token bench_generate [MODEL] [TOKENS]; a model of the zoo with random weights
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "asg/backend/cpu.h"
#include "asg/core/platform.h"
#include "asg/decode/bandwidth.h"
#include "asg/decode/generator.h"
#include "asg/zoo/zoo.h"

namespace {

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

int run(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "gpt2";
  const int tokens = argc > 2 ? std::max(2, std::stoi(argv[2])) : 24;
  const asg::Graph model = asg::zoo::build(name);
  asg::CpuBackend backend;
  asg::decode::Generator generator(model, backend);
  generator.initialise(1);
  const std::int64_t bytes = generator.model().weight_bytes();
  asg::decode::ReadBandwidth reading(bytes);
  std::vector<std::int64_t> prompt(40, 11);
  const double first = seconds_of([&] { generator.append(prompt); });
  asg::decode::Sampler sampler({.temperature = 1, .top_k = 50});
  std::vector<double> times;
  std::vector<double> reads;
  std::int64_t token = 1;
  // In turns, so that both meet the same neighbours on the machine.
  for (int k = 0; k < tokens; ++k) {
    times.push_back(seconds_of([&] { token = sampler.draw(generator.append(std::span(&token, 1))); }));
    reads.push_back(reading.seconds());
  }
  const auto [least_time, least_read] =
      std::pair(*std::min_element(times.begin(), times.end()), *std::min_element(reads.begin(), reads.end()));
  std::printf("%s on %s, %d threads\n", name.c_str(), asg::platform::cpu_name().c_str(),
              asg::platform::hardware_threads());
  std::printf("weights read for a token   %8.1f MB\n", static_cast<double>(bytes) * 1e-6);
  std::printf("prompt of %zu, compiled too %8.1f ms\n", prompt.size(), first * 1e3);
  std::printf("%-26s %8.2f ms, best %8.2f ms\n", "a token", median(times) * 1e3, least_time * 1e3);
  std::printf("%-26s %8.2f ms, best %8.2f ms, %.1f GB/s\n", "reading as much", median(reads) * 1e3, least_read * 1e3,
              static_cast<double>(bytes) / least_read * 1e-9);
  std::printf("%-26s %8.2f,    best %8.2f\n", "ratio", median(times) / median(reads), least_time / least_read);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
