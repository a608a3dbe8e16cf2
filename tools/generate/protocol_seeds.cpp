#include <nlohmann/json.hpp>

#include "asg/core/platform.h"
#include "generate.h"

namespace asg::generate {

std::vector<File> message_seeds(const std::string& root) {
  using Example = nlohmann::ordered_json;
  const Example schema = Example::parse(platform::read_file(root + "/docs/protocol.schema.json"));
  const Example& definitions = schema.at("$defs");
  std::vector<File> seeds;
  for (const char* list : {"message", "lab_message"}) {
    for (const Example& each : definitions.at(list).at("oneOf")) {
      const std::string reference = each.at("$ref");
      const std::string name = reference.substr(reference.rfind('/') + 1);
      Example example = definitions.at(name).at("examples").at(0);
      example["ask"] = 1;
      example["training"] = 2;
      seeds.push_back({"tests/fuzz/corpus/lab_message/" + name.substr(name.find('.') + 1) + ".json", example.dump()});
    }
  }
  return seeds;
}

}  // namespace asg::generate
