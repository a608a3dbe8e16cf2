#include <algorithm>

#include "asg/graph/card.h"
#include "lab/scene_data.h"

namespace asg::lab {
namespace {

// Letters of ASCII only: names in other alphabets are compared as they are.
std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return result;
}

struct Match {
  int rank = 0;  // 0 is best
  Place place;
};

class Finder {
 public:
  Finder(const SceneData& data, std::string_view text) : data_(data), text_(lowered(text)) {}

  // All items in the order of the tree, layers opened.
  void visit(Frame& frame) {
    Sheet& sheet = *frame.sheet;
    for (std::size_t scope = 1; scope < sheet.scopes.size(); ++scope) {
      const int index = static_cast<int>(scope);
      const Scope& each = sheet.scopes[scope];
      consider({&frame, -1, index}, scope_path(frame, index), each.name, step_title(each.step), "");
    }
    for (std::size_t leaf = 0; leaf < sheet.leaves.size(); ++leaf) {
      const int index = static_cast<int>(leaf);
      const Leaf& each = sheet.leaves[leaf];
      consider({&frame, index, -1}, leaf_path(frame, index), each.name,
               each.graph != nullptr ? each.get().op->name : each.op, variables_of(frame, each));
      if (opens(each)) visit(frame_inside(data_, frame, index));
    }
  }

  Found finish(std::size_t limit) {
    Found found;
    for (int rank = 0; rank <= kWorst; ++rank) {
      for (const Match& match : matches_) {
        if (match.rank != rank) continue;
        if (found.entries.size() == limit) {
          ++found.more;
          continue;
        }
        Item item = match.place.leaf >= 0 ? item_of_leaf(data_, *match.place.frame, match.place.leaf)
                                          : item_of_scope(data_, *match.place.frame, match.place.scope);
        found.entries.push_back(
            {data_.view, std::move(item.path), std::move(item.op), std::move(item.name), std::move(item.category)});
      }
    }
    return found;
  }

 private:
  static constexpr int kWorst = 3;

  void consider(const Place& place, const std::string& path, const std::string& name, const std::string& op,
                const std::string& variables) {
    const std::string own = lowered(name);
    int rank = kWorst + 1;
    if (own == text_ || lowered(op) == text_) {
      rank = 0;
    } else if (own.find(text_) != std::string::npos || lowered(op).find(text_) != std::string::npos) {
      rank = 1;
    } else if (lowered(variables).find(text_) != std::string::npos) {
      rank = 2;
    } else if (lowered(path).find(text_) != std::string::npos) {
      rank = kWorst;
    }
    if (rank <= kWorst) matches_.push_back({rank, place});
  }

  std::string step_title(int step) const {
    if (step < 0) return "";
    const Program& program = data_.explanation->program;
    return title_of(program, program.steps[static_cast<std::size_t>(step)]);
  }

  std::string variables_of(const Frame& frame, const Leaf& leaf) const {
    if (leaf.graph == nullptr) return "";
    std::string names;
    for (const Binding& binding : leaf.get().bindings) {
      const VarId id = model_variable(frame, binding.variable);
      const Graph& graph = frame.outer == nullptr ? *leaf.graph : *data_.model;
      if (id && graph.has(id)) names += graph.variable(id).name + "\n";
    }
    return names;
  }

  const SceneData& data_;
  std::string text_;
  std::vector<Match> matches_;
};

}  // namespace

Found Scene::find(std::string_view text, std::size_t limit) const {
  const std::lock_guard lock(data_->mutex);
  if (text.empty()) return {};
  Finder finder(*data_, text);
  finder.visit(*data_->root);
  return finder.finish(limit);
}

}  // namespace asg::lab
