#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "asg/backend/interpreter.h"
#include "asg/io/safetensors.h"
#include "asg/loss/loss.h"
#include "asg/nn/nn.h"
#include "asg/ops/ops.h"
#include "asg/train/checkpoint.h"
#include "asg/train/trainer.h"

// Writes files for other programs to read, and tells what it reads in theirs. tools/peers/exchange.py is the other
// side.
namespace asg {
namespace {

// Values that every dtype can hold: floats −1, −0.5, 0 …, signed integers −3, −2 …, others from 0.
Array counting(DType dtype, const Sizes& sizes) {
  Array array(dtype, sizes);
  for (std::int64_t k = 0; k < array.count(); ++k) {
    const auto place = static_cast<double>(k);
    if (is_float(dtype)) {
      array.set(k, place * 0.5 - 1);
    } else if (is_signed_int(dtype)) {
      array.set(k, place - 3);
    } else {
      array.set(k, dtype == DType::boolean ? static_cast<double>(k % 2) : place);
    }
  }
  return array;
}

void write_tensors(const std::string& path) {
  io::Tensors tensors;
  for (const DType dtype : all_dtypes()) {
    for (const Sizes& sizes : {Sizes{}, Sizes{7}, Sizes{3, 0}, Sizes{2, 3, 4}}) {
      const Array array = counting(dtype, sizes);
      tensors.emplace(array.type_string(), array);
    }
  }
  io::save_safetensors(path, tensors, {{"written by", "ASG — \"exchange\""}});
}

// Three steps of a small training, saved.
void write_checkpoint(const std::string& folder) {
  Graph graph("exchange");
  const Tensor x = graph.input("x", {DType::f32, {4, 3}});
  const Tensor y = nn::batch_norm(nn::linear(x, 2, {.name = "head"}), {.name = "norm"});
  graph.set_output("loss", reduce_mean(y * y, {}, {.keepdims = false}));
  train::Trainer trainer(std::move(graph), std::make_shared<Interpreter>());
  for (int step = 0; step < 3; ++step) trainer.step({{"x", counting(DType::f32, {4, 3})}});
  train::CheckpointData data = trainer.checkpoint();
  data.extras = R"({"epoch": 1})";
  data.metrics = {{"loss", 0.25}};
  train::CheckpointStore(folder, {.best = train::BestBy{"loss"}}).save(data);
}

std::string hexadecimal(const Array& array) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (std::int64_t k = 0; k < array.bytes(); ++k) {
    const auto byte = std::to_integer<unsigned>(array.raw()[k]);
    text += kDigits[byte / 16];
    text += kDigits[byte % 16];
  }
  return text;
}

void print_file(const std::string& path) {
  const io::Safetensors file = io::Safetensors::open(path);
  nlohmann::json result = {{"metadata", file.metadata()}, {"tensors", nlohmann::json::object()}};
  for (const io::TensorInfo& tensor : file.tensors()) {
    const Array array = file.read(tensor.name);
    result["tensors"][tensor.name] = {{"type", array.type_string()}, {"bytes", hexadecimal(array)}};
  }
  std::printf("%s\n", result.dump().c_str());
}

int run(int argc, char** argv) {
  const std::string command = argc == 3 ? argv[1] : "";
  if (command == "write") {
    write_tensors((std::filesystem::path(argv[2]) / "ours.safetensors").string());
    write_checkpoint((std::filesystem::path(argv[2]) / "run").string());
    return 0;
  }
  if (command == "read") {
    print_file(argv[2]);
    return 0;
  }
  std::fprintf(stderr, "asg_exchange write FOLDER | asg_exchange read FILE\n");
  return 2;
}

}  // namespace
}  // namespace asg

int main(int argc, char** argv) {
  try {
    return asg::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "asg_exchange: %s\n", error.what());
    return 1;
  }
}
