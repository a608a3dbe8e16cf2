#pragma once

#include <vector>

#include "asg/graph/card.h"

// Samples, cost and tolerance of RNN, GRU and LSTM.
namespace asg::ops {

// Sums of many steps, each of which rounds.
inline constexpr Tolerance kRecurrentTolerance = {.f64 = 1e-12, .f32 = 1e-5, .f16 = 2e-2, .bf16 = 1.5e-1};

// Two FLOPs per weight, element of the batch and element of the sequence.
Cost recurrent_cost(const CostContext& ctx);

// Every value of every attribute in all pairs; `extra` is what this op has beside the common attributes.
std::vector<Sample> recurrent_samples(int gates, const Attrs& extra = {});

// Two directions, as PyTorch computes them.
Sample rnn_exact();
Sample gru_exact();
Sample lstm_exact();

std::vector<Sample> join_cases(std::vector<Sample> samples, Sample exact);

}  // namespace asg::ops
