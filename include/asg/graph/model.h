#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "asg/graph/edit.h"
#include "asg/graph/graph.h"

namespace asg {

// A model as people edit it: the graph and the journal of all that was done to it since the first version. Only the
// model is edited; gradients and steps are derived from it anew. Copies share the versions and the edits.
class Model {
 public:
  explicit Model(Graph graph);

  const Graph& graph() const { return graph_; }
  const Graph& first() const { return first_; }

  EditOutcome check(const Edit& edit) const { return asg::check(graph_, edit); }
  // Applies the edit or throws its first problem; then nothing has changed.
  EditReport apply(const Edit& edit) { return apply(edit, check(edit)); }
  // The same with what `check` has just said of it.
  EditReport apply(const Edit& edit, EditOutcome checked);
  // The inverse of the last edit: the same ids stand again. Throws nothing_to_undo.
  EditReport undo();
  EditReport redo();
  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }
  std::size_t undo_count() const { return undo_.size(); }
  std::size_t redo_count() const { return redo_.size(); }

  // Every apply, undo and redo in order. Playing it on the first graph gives the present one, ids included.
  struct Entry {
    enum class Kind : std::uint8_t { apply, undo, redo } kind = Kind::apply;
    std::shared_ptr<const Edit> edit = nullptr;  // of apply
  };
  const std::vector<Entry>& journal() const { return journal_; }
  static Model replay(Graph first, const std::vector<Entry>& journal);

  std::string to_json() const;  // first graph, journal, counters
  static Model from_json(std::string_view text);

 private:
  using Versions = std::vector<std::shared_ptr<const Graph>>;
  EditReport step(Versions& from, Versions& to, Entry::Kind kind);

  Graph first_;
  Graph graph_;
  // Versions before and after the present one, nearest last. Versions share the nodes they have in common.
  Versions undo_;
  Versions redo_;
  std::vector<Entry> journal_;
};

}  // namespace asg
