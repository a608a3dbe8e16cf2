#pragma once

#include <functional>
#include <string_view>

#include "asg/graph/graph.h"
#include "asg/zoo/inputs.h"

// Beginnings and ends that models share.
namespace asg::zoo {

// The input "features" as [batch, channels, height, width]. Throws bad_attribute for colours without an axis of their
// own.
Tensor image_input(Graph& graph, const Images& images);
// The output "logits" and, where it is asked for, the input "labels" and the output "loss".
void classify(Graph& graph, const Tensor& logits, bool with_loss);

// The input "tokens".
Tensor token_input(Graph& graph, const Tokens& tokens);
// The last layer of a language model, from features to a score for each token, and the outputs as above, with the
// input "targets". A tied head shares `table`, the name of a variable.
void predict_tokens(Graph& graph, const Tensor& x, const Tokens& tokens, std::string_view table, bool tied,
                    bool with_loss);

// Whether heads divide the features. Throws bad_attribute in the name of the model.
void check_heads(std::int64_t features, std::int64_t heads, std::string_view model);

// The first values that the authors of a model chose, where they are not the usual ones: `chosen` gives an initialiser
// for a parameter by its name, or nothing.
void initialise(Graph& graph, const std::function<std::optional<Initializer>(const Variable&)>& chosen);

}  // namespace asg::zoo
