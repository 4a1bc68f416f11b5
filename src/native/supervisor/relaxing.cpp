#include "native/supervisor/relaxing.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

namespace heddle::supervisor {
namespace {

std::uint64_t first_pc(const protocol::WorkerResult& worker, std::uint32_t where) {
  const bool known = where < worker.positions.size() && !worker.positions[where].pcs.empty();
  return known ? worker.positions[where].pcs.front() : 0;
}

// By file, line, column, and what is done there.
using Key = std::tuple<std::string, long, long, trace::OpKind>;

Key key_of(const std::string& position, trace::OpKind kind) {
  const std::size_t column = position.rfind(':');
  const std::size_t line = column == position.npos || column == 0 ? position.npos : position.rfind(':', column - 1);
  if (line == position.npos) return {position, 0, 0, kind};
  return {position.substr(0, line), std::strtol(position.c_str() + line + 1, nullptr, 10),
          std::strtol(position.c_str() + column + 1, nullptr, 10), kind};
}

}  // namespace

std::vector<OrderGroup> order_groups(const protocol::WorkerResult& worker, const NativeDescriber& describer) {
  std::map<Key, OrderGroup> by_place;
  for (const protocol::OrderNote& note : worker.orders) {
    const std::uint64_t pc = first_pc(worker, note.where);
    if (pc == 0 || describer.inside_standard_library(note.where)) continue;
    OrderGroup& group = by_place[key_of(describer.position(note.where), note.kind)];
    if (group.pcs.empty()) group.where = note.where;
    group.pcs.push_back(pc);
  }
  std::vector<OrderGroup> groups;
  for (auto& [key, group] : by_place) groups.push_back(std::move(group));
  return groups;
}

explore::Relaxation in_terms_of(const std::vector<OrderGroup>& groups, const protocol::WorkerResult& worker) {
  explore::Relaxation relaxation = worker.result.relaxation.value_or(explore::Relaxation{});
  for (explore::RelaxedPlace& place : relaxation.places) {
    const std::uint64_t pc = first_pc(worker, place.where);
    for (const OrderGroup& group : groups)
      if (std::find(group.pcs.begin(), group.pcs.end(), pc) != group.pcs.end()) place.where = group.where;
  }
  return relaxation;
}

}  // namespace heddle::supervisor
