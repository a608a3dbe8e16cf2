#pragma once

#include <span>
#include <string>
#include <vector>

#include "asg/graph/card.h"

// The generator: everything that follows from the cards and is kept in the tree. `make generate` writes it, a test
// checks that it is fresh.
namespace asg::generate {

struct File {
  std::string path;  // relative to the root of the tree
  std::string content;
};

using Cards = std::span<const OpCard* const>;

// Typed C++ builders: include/asg/ops/generated/<category>.h, include/asg/nn/generated/layers.h …
std::vector<File> builder_headers(Cards cards);
// docs/ops/<Op>.md, the index with the support table, and the catalogue as JSON.
std::vector<File> op_pages(Cards cards);

// docs/protocol.md, from docs/protocol.schema.json below `root`.
File protocol_page(const std::string& root);
// web/src/generated/protocol.ts, from the same: messages and events as types of TypeScript.
File protocol_types(const std::string& root);
// tests/fuzz/corpus/lab_message/<message>.json, from the same: an example of each, for the fuzzer of the Lab's reader.
std::vector<File> message_seeds(const std::string& root);

// Whether the op has a typed builder. Leaves are made by functions of Graph, and user blocks by edits.
bool has_builder(const OpCard& op);
// "Tensor softmax(const Tensor& x, const SoftmaxOptions& options = {})", for pages.
std::string signature_for_people(const OpCard& op);

// The command line: asg_generate --root DIR [--out DIR] [--check]. The cards are those of the global registry.
// Returns the exit status: 0, 1 where files are stale, 2 where the call or a file is wrong.
int run(std::span<const char* const> arguments);

}  // namespace asg::generate
