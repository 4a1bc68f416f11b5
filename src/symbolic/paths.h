// Path constraints as a tree. A path is a sequence of conditions from the root, each node one more; a node whose
// conditions were found satisfiable keeps inputs that satisfy them. An exploration that follows a path again, or leaves
// it by another branch, has its answers and its inputs already.
//
// The order of conditions matters to the tree and not to their truth: two orders are two nodes, and the question below
// them is answered once by the caches of queries.h.
#pragma once

#include "symbolic/queries.h"

namespace heddle::symbolic {

using PathId = std::uint32_t;
inline constexpr PathId kEmptyPath = 0;

class Paths {
 public:
  Paths(TermStore& store, Queries& queries) : store_(store), queries_(queries) { forget(); }

  // Can the path go on with this condition? The answer is remembered, and the inputs with it.
  Answer feasible(PathId path, TermId condition);
  // The path that goes on with it. Whether it can is the caller's to know, or to ask; if `inputs` are given, they
  // satisfy it.
  PathId extend(PathId path, TermId condition, const Assignment* inputs);

  bool has_inputs(PathId path) const { return nodes_[path].inputs != nullptr; }
  const Assignment& inputs(PathId path) const { return *nodes_[path].inputs; }

  // The conditions on the path.
  std::vector<TermId> conditions(PathId path) const;

  // Drops all paths if there are very many; true if it did. Between executions only.
  bool trim();

 private:
  struct Node {
    PathId parent = kEmptyPath;
    TermId condition = kNoTerm;
    Answer answer = Answer::kUnknown;
    bool answered = false;
    std::shared_ptr<const Assignment> inputs;
  };

  void forget();
  PathId child(PathId path, TermId condition);

  TermStore& store_;
  Queries& queries_;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, PathId> children_;  // by parent and condition
};

}  // namespace heddle::symbolic
