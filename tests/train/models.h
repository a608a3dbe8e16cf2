#pragma once

#include "asg/asg.h"
#include "asg/backend/interpreter.h"

// Small models and batches for the tests of training.
namespace asg::test {

// features f32[batch, 3, 4] → embed → dropout → block → mean → head → logits, loss.
Graph small_classifier();
// Twelve examples for it.
data::Dataset small_data();
// The same by the names of the model's inputs.
NamedArrays small_batch();

// One weight w, f64[2]: loss = Σ (w − target)². Input: target f64[2].
Graph quadratic();

train::Trainer small_trainer(std::uint64_t seed = 1);

}  // namespace asg::test
