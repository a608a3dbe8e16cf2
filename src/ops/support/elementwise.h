#pragma once

#include <vector>

#include "asg/graph/card.h"

// Families of elementwise ops. Each function takes the card with what is the op's own and fills in what the family has
// in common; what the card already says is kept.
namespace asg::ops {

// y = f(x) element by element: ports x and y of one type, its type rule, a rule or zero as gradient, and the refusal of
// dtypes that the op does not take.
OpCard unary_op(OpCard own, DTypeSet dtypes = kFloats);
// The same with the kernel of a function of floats.
OpCard float_function(OpCard own, double (*f)(double));
// A function of the maths library: also its category and its cost.
OpCard maths_function(OpCard own, double (*f)(double));
// A staircase of whole numbers, such as Floor: exact, with a gradient that is zero.
OpCard rounding(OpCard own, double (*f)(double));

// Samples of a staircase; the steps are given.
std::vector<Sample> rounding_samples(std::vector<double> inputs, std::vector<double> expected);

// y = f(a, b) with broadcasting: operands of one type, result of that type, and the refusal of shapes and dtypes.
OpCard binary_op(OpCard own, DTypeSet dtypes = kNumbers);
// y = f(x, others…) with broadcasting: any number of inputs of one type.
OpCard variadic_op(OpCard own, DTypeSet dtypes = kNumbers);

// Folds the inputs of a variadic op from the left, in smaller ops; one input alone is passed on.
template <class Combine>
void variadic_body(BodyContext& ctx, Combine combine) {
  Tensor result = ctx.in(0);
  for (int index = 1; index < ctx.input_count(); ++index) result = combine(result, ctx.in(index));
  ctx.output(ctx.input_count() == 1 ? add_op("Identity", {result}) : result);
}

// Inputs of a variadic op: one, two, three, each of them broadcast in turn, scalars, no elements.
std::vector<Sample> variadic_samples();

}  // namespace asg::ops
