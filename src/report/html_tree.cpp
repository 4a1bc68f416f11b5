#include "report/html_tree.h"

#include <map>

#include "report/narrative.h"

namespace heddle::report {
namespace {

using namespace trace;
using Json = nlohmann::ordered_json;

struct TrieNode {
  std::map<std::pair<std::uint16_t, std::uint16_t>, std::size_t> children;  // by thread and choice
  std::vector<std::size_t> order;                                           // children in the order they came
  std::vector<std::size_t> ends;                                            // executions that end here
  std::uint16_t thread = 0;
  std::string text;
};

std::vector<TrieNode> trie_of(const std::vector<Execution>& executions, const Describer& describer) {
  std::vector<TrieNode> nodes(1);
  for (std::size_t e = 0; e < executions.size(); ++e) {
    const auto sentences = narrate(executions[e], describer);
    std::size_t at = 0;
    for (std::size_t i = 0; i < executions[e].steps.size(); ++i) {
      const Step& s = executions[e].steps[i];
      const auto [child, added] = nodes[at].children.try_emplace({s.thread.value, s.choice}, nodes.size());
      const std::size_t next = child->second;
      if (added) {
        nodes[at].order.push_back(next);
        nodes.push_back({});
        nodes.back().thread = s.thread.value;
        nodes.back().text = sentences[i].text;
      }
      at = next;
    }
    nodes[at].ends.push_back(e);
  }
  return nodes;
}

Json end_json(const Execution& execution, std::size_t number) {
  Json out = {{"execution", number + 1}, {"outcome", name_of(execution.outcome)}};
  if (!execution.failures.empty()) out["kind"] = name_of(execution.failures.front().kind);
  return out;
}

}  // namespace

Json page_tree(const std::vector<Execution>& executions, const Describer& describer) {
  Json out = Json::array();
  if (executions.empty()) return out;
  const std::vector<TrieNode> nodes = trie_of(executions, describer);
  struct Task {
    std::size_t node;
    int parent;
  };
  std::vector<Task> tasks{{0, -1}};
  while (!tasks.empty()) {
    const auto [first, parent] = tasks.back();
    tasks.pop_back();
    std::size_t last = first, steps = first == 0 ? 0 : 1;
    while (nodes[last].order.size() == 1 && nodes[last].ends.empty()) {
      last = nodes[last].order.front();
      ++steps;
    }
    const std::size_t label = first == 0 && !nodes[0].order.empty() ? nodes[0].order.front() : first;
    const int index = static_cast<int>(out.size());
    out.push_back({{"parent", parent}, {"thread", nodes[label].thread}, {"steps", steps}, {"text", nodes[first].text}});
    const TrieNode& end = nodes[last];
    // An execution that ends where others go on (asleep) gets a leaf of its own.
    const bool leaf = end.order.empty() && end.ends.size() == 1;
    if (leaf) out.back().update(end_json(executions[end.ends.front()], end.ends.front()));
    for (std::size_t i = end.order.size(); i-- > 0;) tasks.push_back({end.order[i], index});
    if (!leaf)
      for (const std::size_t e : end.ends) {
        Json stub = {{"parent", index}, {"thread", end.thread}, {"steps", 0}, {"text", ""}};
        stub.update(end_json(executions[e], e));
        out.push_back(std::move(stub));
      }
  }
  return out;
}

}  // namespace heddle::report
