#pragma once

#include <string>
#include <string_view>
#include <vector>

// In which order the checkpoints of a folder were written, where their steps do not tell: a training that returned to
// an earlier step goes on with lower numbers than it had.
namespace asg::train {

inline constexpr std::string_view kOrderFile = "order.json";

// Names of folders, the first written first; nothing where there is no such file. A damaged one is told as a warning
// and is taken for none.
std::vector<std::string> noted_order(const std::string& folder);

// On the disk when it returns. No names: the steps tell the order. Throws io_error.
void note_order(const std::string& folder, const std::vector<std::string>& names);

}  // namespace asg::train
