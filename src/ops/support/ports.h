#pragma once

#include <vector>

#include "asg/graph/card.h"

// Ports that the cards of elementwise ops have in common.
namespace asg::ops {

// One input x and one output y of the same type.
std::vector<Port> x_port(DTypeSet dtypes = kFloats);
std::vector<Port> y_port(DTypeSet dtypes = kFloats);

// Two operands a and b that are broadcast together, and the result y: of their dtype, or bool.
std::vector<Port> operand_ports(DTypeSet dtypes);
// The first of any number of operands that are broadcast together, and the others.
std::vector<Port> variadic_ports(DTypeSet dtypes);
std::vector<Port> broadcast_port(DTypeSet dtypes);
std::vector<Port> bool_port();

// The input and the axes of a reduction, and its result.
std::vector<Port> reduction_inputs(DTypeSet dtypes);
std::vector<Port> reduction_output(DTypeSet dtypes);
std::vector<AttrSpec> reduction_attributes();

// Ops whose result is the same to the last bit everywhere: choosing, comparing, changing a sign.
inline constexpr Tolerance kExact = {0, 0, 0, 0};

}  // namespace asg::ops
