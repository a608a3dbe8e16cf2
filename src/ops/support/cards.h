#pragma once

#include "asg/graph/card.h"

// Cards that other cards ask for: a gradient is about the op it belongs to, a sample of a loop needs ops to run.
namespace asg::cards {

OpCard card_adaptive_average_pool();
OpCard card_add();
OpCard card_average_pool();
OpCard card_input();
OpCard card_less();
OpCard card_mul();
OpCard card_neg();
OpCard card_tanh();

}  // namespace asg::cards
