// Prints litmus tests as one C++ program and, as comments at its end, how many graphs each has under sc, tso and c++20:
//
//   // truth: NAME MODEL classes=N deadlocked=N infeasible=N racy=N
//
// Without a seed those of the literature (check/litmus_table.h), held to their table; with one, random ones by brute
// force.
//
// usage: emit_litmus [FIRST_SEED COUNT]
#include <cstdlib>
#include <iostream>
#include <optional>

#include "check/graph_enumeration.h"
#include "check/litmus_as_cxx.h"
#include "check/litmus_table.h"
#include "check/random_litmus.h"

using namespace heddle;

namespace {

constexpr std::size_t kMostGraphs = 400;

// Nothing if there are too many graphs.
std::optional<std::string> truths_of(const check::Litmus& litmus, const std::string& name) {
  std::string text;
  for (const trace::MemoryModel model : trace::kMemoryModels) {
    const check::GraphEnumeration graphs = check::enumerate_graphs(litmus, model, 100 * kMostGraphs);
    if (graphs.too_many || graphs.ends.size() > kMostGraphs) return std::nullopt;
    const std::size_t deadlocked = graphs.count(check::GraphEnd::kDeadlock);
    text += "// truth: " + name + " " + trace::name_of(model) +
            " classes=" + std::to_string(graphs.count(check::GraphEnd::kComplete) + deadlocked) +
            " deadlocked=" + std::to_string(deadlocked) +
            " infeasible=" + std::to_string(graphs.count(check::GraphEnd::kVoid)) +
            " racy=" + std::to_string(graphs.racy.size()) + "\n";
  }
  return text;
}

int emit_table() {
  std::string truths;
  int number = 0;
  for (const check::LitmusRow& row : check::kLitmusTable) {
    auto litmus = check::parse_litmus(row.program);
    if (!litmus) return 1;
    const std::string name = "l" + std::to_string(number++);
    std::cout << "// " << row.name << "\n" << check::to_cxx(*litmus, name, static_cast<std::size_t>(number));
    for (std::size_t m = 0; m < row.graphs.size(); ++m)
      truths += "// truth: " + name + " " + trace::name_of(trace::kMemoryModels[m]) +
                " classes=" + std::to_string(row.graphs[m]) + " infeasible=" + std::to_string(row.blocked) + "\n";
  }
  std::cout << truths;
  return 0;
}

void emit_random(std::uint64_t seed, int wanted) {
  std::string truths;
  for (; wanted > 0; ++seed) {
    const check::Litmus litmus = check::random_litmus(seed, {.locks = seed % 2 == 0});
    if (check::is_strange_in_cxx(litmus)) continue;
    const std::string name = "s" + std::to_string(seed);
    const auto known = truths_of(litmus, name);
    if (!known) continue;
    std::cout << check::to_cxx(litmus, name, seed);
    truths += *known;
    --wanted;
  }
  std::cout << truths;
}

}  // namespace

int main(int argc, char** argv) {
  std::cout << check::litmus_prelude();
  if (argc < 3) return emit_table();
  emit_random(std::strtoull(argv[1], nullptr, 10), std::atoi(argv[2]));
  return 0;
}
