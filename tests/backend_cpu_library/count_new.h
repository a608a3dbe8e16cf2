#pragma once

namespace asg::test {

// How often operator new was called so far, by anyone in the program.
long allocations();

}  // namespace asg::test
