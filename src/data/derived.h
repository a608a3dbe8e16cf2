#pragma once

#include <memory>
#include <string>
#include <vector>

#include "asg/data/source.h"
#include "asg/data/transform.h"

// Sources made of others. What they are given has been checked.
namespace asg::data {

std::shared_ptr<const Source> make_mapped(std::shared_ptr<const Source> inner, Transform transform,
                                          std::vector<std::size_t> fields);
// The same by a table of what becomes of each byte of each channel; null where the field is not made of bytes, or the
// transform is not by value alone.
std::shared_ptr<const Source> make_looked_up(const std::shared_ptr<const Source>& inner, const Transform& transform,
                                             std::size_t field);
std::shared_ptr<const Source> make_subset(std::shared_ptr<const Source> inner, std::vector<std::int64_t> examples);
std::shared_ptr<const Source> make_renamed(std::shared_ptr<const Source> inner, std::size_t field, std::string name);
std::shared_ptr<const Source> make_concatenated(std::vector<std::shared_ptr<const Source>> parts);

}  // namespace asg::data
