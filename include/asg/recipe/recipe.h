#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asg/graph/attributes.h"
#include "asg/optim/optimizer.h"
#include "asg/train/course.h"
#include "asg/train/engine.h"

// A whole training as a description: what `asg train FILE` reads. docs/recipes.md describes the form.
namespace asg::recipe {

struct ModelPart {
  std::string zoo = {};   // a name of the zoo, with settings; or
  std::string file = {};  // a model in JSON or ONNX
  Attrs settings = {};    // of the model of the zoo
};

struct DataPart {
  // One of: a name of the catalogue (`asg data list`), a table, a folder of pictures, a text.
  std::string name = {};
  std::string csv = {};
  std::string images = {};
  std::string text = {};

  std::string target = {};                       // csv: the column of the labels; "": there are none
  std::optional<bool> classes = std::nullopt;    // csv: labels are classes; else numbers; without it as the model takes
  std::optional<double> missing = std::nullopt;  // csv: stands in for empty cells
  char separator = ',';                          // csv: between cells
  std::vector<std::string> transforms = {};      // "normalise", "flip", "crop 4", "resize 32 32"
  std::int64_t batch_size = 64;
  int workers = 0;                    // threads that make batches ahead; 0: those of the engine, between steps
  double held_out = 0.2;              // share that is held out, where the data do not come in two parts
  std::int64_t length = 128;          // texts: tokens of an example
  std::string tokens = "characters";  // texts: that, or a file of a tokeniser
};

struct LogPart {
  std::int64_t every = 1;  // steps between two lines
  bool csv = true;
  bool jsonl = true;
  bool tensorboard = false;
  bool plot = true;
};

struct Recipe {
  std::string name = "training";
  std::uint64_t seed = 1;
  std::string device = "cpu";
  int threads = 0;  // 0: as many as there are
  bool bf16 = false;
  std::string folder = {};  // where all of it is written; "": nothing is
  ModelPart model = {};
  DataPart data = {};
  optim::Optimizer optimizer = {};
  train::Course course = {};
  LogPart log = {};
};

enum class Format : std::uint8_t { toml, json };

// Reads a recipe. `changes` are "optimizer.learning_rate=3e-4", as the command line gives them: each value of the
// recipe can be set so, as in TOML. Throws unknown_attribute, bad_attribute, with the place and what is known there.
Recipe read_recipe(std::string_view text, Format format, std::span<const std::string> changes = {});
// A file, ".toml" or ".json". Throws io_error too.
Recipe load_recipe(const std::string& path, std::span<const std::string> changes = {});

// Keeps a recipe, with what the command line changed, in the folder of its training, and reads it again, so that
// whoever finds the folder can go on. Throws io_error; bad_json where the file is another one.
void keep_recipe(const std::string& folder, std::string_view text, Format format, std::span<const std::string> changes);
Recipe load_kept_recipe(const std::string& folder, std::span<const std::string> changes = {});

// What a recipe describes, made ready.
struct Prepared {
  train::TrainingSpec spec;
  std::string data;       // "mnist: 60000 examples, 10000 held out"
  std::string tokenizer;  // of a text: its tokenizer.json, which `asg train` keeps for `asg generate`
};
// `otherwise`: the model where the recipe names none. Throws what data, zoo and files throw.
Prepared prepare(const Recipe& recipe, const std::function<Graph()>& otherwise = {});

// Where the parts of a training lie in its folder.
std::string checkpoint_folder(const std::string& folder);  // "<folder>/checkpoints"
std::string log_file(const std::string& folder);           // "<folder>/log.jsonl"
std::string tokenizer_file(const std::string& folder);     // "<folder>/tokenizer.json"

}  // namespace asg::recipe
