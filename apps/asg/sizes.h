#pragma once

#include <string>
#include <vector>

#include "asg/compile/specialise.h"
#include "asg/graph/graph.h"

namespace asg::app {

// Lengths of symbols as the command line gives them: "batch=8". Throws bad_command for one that is not understood and
// for a name that stands in no input of the model.
SymbolLengthsByName parse_lengths(const Graph& model, const std::vector<std::string>& given);

// Lengths that follow from the sizes of an input; those that are known already stay.
void learn_lengths(const TensorType& type, const Sizes& sizes, SymbolLengthsByName& lengths);

// Symbols of inputs that have no length get 1; returns their names.
std::vector<std::string> complete_lengths(const Graph& model, SymbolLengthsByName& lengths);

// What an input is long then.
Sizes sizes_with(const TensorType& type, const SymbolLengthsByName& lengths);
SizesByName sizes_with(const Graph& model, const SymbolLengthsByName& lengths);

// "batch = 8, length = 64"; those of `assumed` are marked.
std::string lengths_text(const SymbolLengthsByName& lengths, const std::vector<std::string>& assumed);

}  // namespace asg::app
