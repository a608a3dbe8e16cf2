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
// `numbers`: the model learns numbers, so that labels of a table are none of classes where the recipe does not say.
RecipeData data_of(const Recipe& recipe, bool numbers = false);

}  // namespace asg::recipe
