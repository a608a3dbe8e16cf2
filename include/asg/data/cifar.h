#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asg/data/dataset.h"

namespace asg::data {

// The binary form of CIFAR: records of a class (CIFAR-100: the coarse and the fine one) and 3 × 32 × 32 bytes. Features
// are u8[3, 32, 32], red first; labels are i64. Throws io_error where the bytes are no whole number of records,
// bad_index where a class is none.
Dataset read_cifar10(std::string name, std::string_view bytes);
Dataset read_cifar100(std::string name, std::string_view bytes);  // "labels" are the fine classes; "coarse" the others

Dataset read_cifar10_files(std::string name, const std::vector<std::string>& paths);
Dataset read_cifar100_files(std::string name, const std::vector<std::string>& paths);

}  // namespace asg::data
