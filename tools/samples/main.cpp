#include <cstdio>
#include <exception>

#include "asg/graph/registry.h"
#include "asg/loss/loss.h"
#include "asg/nn/nn.h"
#include "samples.h"

// Writes the samples of all cards, or of those named, and the trainings of the layers and losses among them to the
// standard output: JSON, a line each.
int main(int argc, char** argv) {
  using namespace asg;
  try {
    register_layers();
    register_losses();
    std::vector<const OpCard*> cards;
    for (int at = 1; at < argc; ++at) cards.push_back(&Registry::global().get(argv[at]));
    if (cards.empty()) cards = Registry::global().all();
    for (const OpCard* op : cards) {
      std::printf("%s\n%s", samples::line_of(*op).c_str(), samples::training_lines(*op).c_str());
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "asg_samples: %s\n", error.what());
    return 1;
  }
}
