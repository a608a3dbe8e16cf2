// How graphs scale: a chain and a binary tree of 10 thousand to 1 million nodes are built (with inference), validated,
// written as JSON and read back. Prints a table, or JSON with --json.
//   demanded: at most 3 s for each of these at 1 million nodes, at most 12 times the time for 10 times the nodes, at
//             most 1 kB of memory per node
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <nlohmann/json.hpp>

#include "asg/core/platform.h"
#include "asg/graph/graph.h"
#include "asg/graph/json.h"
#include "asg/graph/validate.h"
#include "asg/ops/ops.h"

namespace {

using asg::Graph;
using asg::Tensor;

constexpr double kMostSeconds = 3;
constexpr double kMostGrowth = 12;
constexpr double kMostBytesPerNode = 1000;

asg::TensorType row_type() { return {asg::DType::f32, {asg::Dim::symbol("batch"), 64}}; }

// x → Neg → Neg → …
Graph chain(int nodes) {
  Graph graph("chain");
  Tensor value = graph.input("x", row_type());
  for (int made = 1; made < nodes; ++made) value = -value;
  graph.set_output("y", value);
  return graph;
}

// Leaves Neg(x), joined two by two.
Graph tree(int nodes) {
  Graph graph("tree");
  const Tensor x = graph.input("x", row_type());
  std::vector<Tensor> level;
  for (int leaf = 0; leaf < nodes / 2; ++leaf) level.push_back(-x);
  while (level.size() > 1) {
    std::vector<Tensor> next;
    for (std::size_t left = 0; left + 1 < level.size(); left += 2) next.push_back(level[left] + level[left + 1]);
    if (level.size() % 2 == 1) next.push_back(level.back());
    level = std::move(next);
  }
  graph.set_output("y", level.front());
  return graph;
}

// Processor time: what an otherwise idle machine takes, whatever else runs on this one.
double seconds_of(const std::function<void()>& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// Memory in use, after what was freed has gone back to the system.
double bytes_in_use() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
  return static_cast<double>(asg::platform::resident_bytes());
}

struct Row {
  std::string shape;
  int nodes = 0;
  double build = 0;
  double validate = 0;
  double write = 0;
  double read = 0;
  double bytes_per_node = 0;
  double json_bytes = 0;
  bool same = false;  // what was read back is equal
};

Row measure_once(const std::string& shape, const std::function<Graph(int)>& make, int nodes) {
  Row row{.shape = shape, .nodes = nodes};
  const double before = bytes_in_use();
  std::optional<Graph> graph;
  row.build = seconds_of([&] { graph = make(nodes); });
  row.bytes_per_node = (bytes_in_use() - before) / nodes;
  row.validate = seconds_of([&] { asg::validate(*graph); });
  std::string text;
  row.write = seconds_of([&] { text = asg::to_json(*graph); });
  row.json_bytes = static_cast<double>(text.size());
  std::optional<Graph> again;
  row.read = seconds_of([&] { again = asg::read_json(text); });
  row.same = *again == *graph;
  return row;
}

constexpr int kSizes[] = {10'000, 100'000, 1'000'000};
constexpr int kRounds = 7;

int times_in_round(int nodes, int round) {
  if (nodes >= 1'000'000) return round % 3 == 0 ? 1 : 0;
  return nodes >= 100'000 ? 1 : 5;  // more where each is short and soon disturbed
}

// The middle one of several.
Row middle_of(const std::vector<Row>& rows) {
  const auto middle = [&](double Row::* field) {
    std::vector<double> values;
    for (const Row& row : rows) values.push_back(row.*field);
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
  };
  Row result = rows.front();
  for (double Row::* field : {&Row::build, &Row::validate, &Row::write, &Row::read}) result.*field = middle(field);
  for (const Row& row : rows) {
    result.bytes_per_node = std::max(result.bytes_per_node, row.bytes_per_node);
    result.same = result.same && row.same;
  }
  return result;
}

// All sizes take turns, so that a machine that is now faster and now slower is so for all of them.
std::vector<Row> measure(const std::string& shape, const std::function<Graph(int)>& make) {
  std::vector<std::vector<Row>> rows(std::size(kSizes));
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (int time = times_in_round(kSizes[k], round); time > 0; --time) {
        rows[k].push_back(measure_once(shape, make, kSizes[k]));
      }
    }
  }
  std::vector<Row> result;
  for (const std::vector<Row>& each : rows) result.push_back(middle_of(each));
  return result;
}

struct Growth {
  double factor = 0;
  const char* what = "";
};

// What grew most.
Growth growth_of(const Row& row, const Row& smaller) {
  const Growth all[] = {{row.build / smaller.build, "build"},
                        {row.validate / smaller.validate, "validate"},
                        {row.write / smaller.write, "write"},
                        {row.read / smaller.read, "read"}};
  return *std::max_element(std::begin(all), std::end(all),
                           [](const Growth& a, const Growth& b) { return a.factor < b.factor; });
}

bool is_kept(const std::vector<Row>& rows) {
  bool kept = true;
  for (std::size_t index = 0; index < rows.size(); ++index) {
    const Row& row = rows[index];
    kept = kept && row.same && std::max({row.build, row.validate, row.write, row.read}) <= kMostSeconds;
    if (row.nodes >= 1'000'000) kept = kept && row.bytes_per_node <= kMostBytesPerNode;
    if (index > 0 && rows[index - 1].shape == row.shape)
      kept = kept && growth_of(row, rows[index - 1]).factor <= kMostGrowth;
  }
  return kept;
}

void print_table(const std::vector<Row>& rows) {
  std::printf("%-6s %9s %9s %11s %9s %9s %12s %9s %14s\n", "shape", "nodes", "build s", "validate s", "write s",
              "read s", "bytes/node", "JSON MB", "most per 10x");
  for (std::size_t index = 0; index < rows.size(); ++index) {
    const Row& row = rows[index];
    std::printf("%-6s %9d %9.3f %11.3f %9.3f %9.3f %12.0f %9.1f", row.shape.c_str(), row.nodes, row.build, row.validate,
                row.write, row.read, row.bytes_per_node, row.json_bytes / 1e6);
    if (index > 0 && rows[index - 1].shape == row.shape) {
      const Growth growth = growth_of(row, rows[index - 1]);
      std::printf(" %8.1fx %s", growth.factor, growth.what);
    }
    std::printf("%s\n", row.same ? "" : "  READ BACK DIFFERENT");
  }
  std::printf("%s: at most %.0f s each, %.0fx for 10x the nodes, %.0f bytes per node at a million\n",
              is_kept(rows) ? "kept" : "NOT KEPT", kMostSeconds, kMostGrowth, kMostBytesPerNode);
}

void print_json(const std::vector<Row>& rows) {
  nlohmann::json list = nlohmann::json::array();
  for (const Row& row : rows) {
    list.push_back({{"shape", row.shape},
                    {"nodes", row.nodes},
                    {"build_s", row.build},
                    {"validate_s", row.validate},
                    {"write_s", row.write},
                    {"read_s", row.read},
                    {"bytes_per_node", row.bytes_per_node},
                    {"json_bytes", row.json_bytes},
                    {"same", row.same}});
  }
  const nlohmann::json result = {{"benchmark", "scale"}, {"kept", is_kept(rows)}, {"rows", list}};
  std::printf("%s\n", result.dump(2).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const bool as_json = argc > 1 && std::string_view(argv[1]) == "--json";
  std::vector<Row> rows = measure("chain", chain);
  for (const Row& row : measure("tree", tree)) rows.push_back(row);
  as_json ? print_json(rows) : print_table(rows);
  return 0;
}
