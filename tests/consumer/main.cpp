// A program outside the project: what find_package(asg) gives must be enough to build and run it.
#include <cstdio>

#include "asg/version.h"

int main() {
  std::printf("asg %s\n", asg::kVersion);
  return 0;
}
