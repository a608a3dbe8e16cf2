#pragma once

#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "asg/core/error.h"
#include "asg/graph/attributes.h"

namespace asg::optim {

// A table of named values, such as a part of a recipe, while it is read. What was not asked for when it is done is a
// mistake. `place` is for messages: "course.early_stopping". The JSON must outlive it.
class JsonTable {
 public:
  using Json = nlohmann::ordered_json;

  JsonTable(const Json& json, std::string place);

  bool has(const std::string& key) const { return json_.contains(key); }
  void read(const std::string& key, std::string& to);
  void read(const std::string& key, double& to);
  void read(const std::string& key, std::int64_t& to, std::int64_t least = 0);
  void read(const std::string& key, int& to, int least = 0);
  void read(const std::string& key, std::uint64_t& to);
  void read(const std::string& key, bool& to);
  void read(const std::string& key, std::vector<std::string>& to);
  std::string choice(const std::string& key, const std::vector<std::string>& among, const std::string& otherwise);
  // A table inside; an empty one where there is none.
  JsonTable table(const std::string& key);
  std::vector<JsonTable> tables(const std::string& key);
  // Names, and tables as JSON, in any order.
  std::vector<std::string> descriptions(const std::string& key);
  // Everything that has not been asked for, as attributes.
  Attrs rest();

  void done() const;  // throws bad_attribute on keys that nobody asked for
  [[noreturn]] void refuse(const std::string& key, const std::string& needed) const;
  const std::string& place() const { return place_; }

 private:
  const Json* find(const std::string& key);
  std::string at(const std::string& key) const { return place_.empty() ? key : place_ + "." + key; }

  const Json& json_;
  std::string place_;
  std::set<std::string> asked_;
};

}  // namespace asg::optim
