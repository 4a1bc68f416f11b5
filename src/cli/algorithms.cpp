// `heddle algorithms`: every algorithm and modifier, one line each.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/commands.h"

namespace heddle::cli {
namespace {

void list(const char* title, const auto& rows) {
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.name.size());
  fmt::print("{}\n", title);
  for (const auto& row : rows)
    fmt::print("  {:<{}}  {} | {} | {}\n", row.name, width, row.guarantee, row.summary, row.source);
}

}  // namespace

int list_algorithms() {
  list("Algorithms (--algorithm=NAME): guarantee | idea | source", explore::algorithms());
  fmt::print("\n");
  list("Several of them (--algorithm=NAME)", std::span(&explore::automatic(), 1));
  fmt::print("\n");
  list("Modifiers", explore::modifiers());
  return kExitNoBug;
}

}  // namespace heddle::cli
