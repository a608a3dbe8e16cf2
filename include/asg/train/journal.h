#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "asg/graph/model.h"

namespace asg::train {

// A text in the two languages of the product, made while the program runs.
struct Sentence {
  std::string en;
  std::string ru;

  bool empty() const { return en.empty(); }
  friend bool operator==(const Sentence&, const Sentence&) = default;
};

// What an edit did: "replaced block/feed_forward/activation by Gelu". Nodes and variables that it gives by id are
// called as in `graph`, where that has them.
Sentence words_of(const Edit& edit, const Graph* graph = nullptr);

// An entry of the journal of a model, for people.
struct JournalEntry {
  std::int64_t id = 0;     // from 1
  std::int64_t step = -1;  // after which it was made; -1: not known
  Model::Entry::Kind how = Model::Entry::Kind::apply;
  Sentence text;
  bool undone = false;  // an edit that is not in force now
  Edit edit;            // of apply; of undo and redo the one that they took back or applied again
};

// All that was done to a model. `steps`: of each entry; those beyond its end are not known.
std::vector<JournalEntry> journal_of(const Model& model, const std::vector<std::int64_t>& steps);

}  // namespace asg::train
