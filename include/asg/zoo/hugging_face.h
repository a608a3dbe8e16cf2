#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "asg/graph/attributes.h"

namespace asg::zoo {

// What a config.json of Hugging Face describes, as a model of the zoo: build(name, settings).
struct HuggingFaceModel {
  std::string name;  // "gpt2", "llama_small" or "vit_base": the settings say everything that differs
  Attrs settings;
  std::int64_t context = 0;  // tokens of the longest text that it was made for; 0: it takes none
};

// Reads the text of a config.json of the model types gpt2, llama and vit. Throws bad_json where it is no such file and
// bad_attribute where it asks for what our layers do not compute, since weights would load and give nonsense.
HuggingFaceModel read_hugging_face_config(std::string_view text);

}  // namespace asg::zoo
