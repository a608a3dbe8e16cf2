#include <array>

#include "asg/graph/node.h"

namespace asg {
namespace {

constexpr std::array<std::string_view, 4> kRoles = {"forward", "loss", "gradient", "update"};
static_assert(kRoles.size() == static_cast<std::size_t>(Role::update) + 1);

}  // namespace

std::string_view name_of(Role role) { return kRoles[static_cast<std::size_t>(role)]; }

}  // namespace asg
