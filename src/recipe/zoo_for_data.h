#pragma once

#include "asg/zoo/zoo.h"
#include "recipe/data_of.h"

namespace asg::recipe {

// The settings of a model of the zoo that fit the data, beside those that the recipe gives: sizes, channels, classes,
// vocabulary, and what lets a model for large pictures begin on small ones. Throws bad_attribute where the model reads
// texts and the data are none, or the other way round, with data that would do.
Attrs settings_for(const zoo::Model& model, const Recipe& recipe, const RecipeData& data);

// Throws bad_shape where examples do not fit the input of the model that they are fed to.
void check_examples_fit(const Graph& model, const data::Dataset& examples, const std::string& input);

}  // namespace asg::recipe
