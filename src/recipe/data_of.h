#pragma once

#include "asg/data/split.h"
#include "asg/recipe/recipe.h"

namespace asg::recipe {

// The data of a recipe, and what a model must know of them.
struct RecipeData {
  data::Split split;
  std::string words;            // for people
  std::int64_t vocabulary = 0;  // of a text; 0: it is none
  std::string tokenizer;        // of a text: its tokenizer.json
};
RecipeData data_of(const Recipe& recipe);

}  // namespace asg::recipe
