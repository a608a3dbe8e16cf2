// Made from the op cards by `make generate`; edit the cards instead.
#pragma once

#include "asg/ops/generated/activation.h"
#include "asg/ops/generated/arithmetic.h"
#include "asg/ops/generated/attention.h"
#include "asg/ops/generated/comparison.h"
#include "asg/ops/generated/control_flow.h"
#include "asg/ops/generated/convolution.h"
#include "asg/ops/generated/indexing.h"
#include "asg/ops/generated/linear_algebra.h"
#include "asg/ops/generated/logic.h"
#include "asg/ops/generated/loss.h"
#include "asg/ops/generated/maths.h"
#include "asg/ops/generated/normalization.h"
#include "asg/ops/generated/pooling.h"
#include "asg/ops/generated/random.h"
#include "asg/ops/generated/reduction.h"
#include "asg/ops/generated/shape.h"
