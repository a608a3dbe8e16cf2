#include <cstddef>

#include "asg/loss/loss.h"
#include "asg/nn/nn.h"
#include "asg/ops/ops.h"
#include "generate.h"

int main(int argc, char** argv) { return asg::generate::run({argv, static_cast<std::size_t>(argc)}); }
