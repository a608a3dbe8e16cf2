#include "ops/cards.h"

#include "fixtures/one_card/cards.h"

namespace asg::test {

std::vector<const OpCard*> cards_under_test() { return register_one_card(); }

}  // namespace asg::test
