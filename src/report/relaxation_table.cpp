#include "report/relaxation_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace heddle::report {
namespace {

using namespace trace;
using explore::RelaxedPlace;

std::string result_text(const RelaxedPlace& place, const std::optional<MemoryOrder>& order) {
  if (!order) return "?";
  return *order == place.own ? "needed" : order_name(place.kind, *order);
}

using Row = std::array<std::string, 5>;

std::string laid_out(const std::vector<Row>& rows) {
  std::array<std::size_t, 5> widths{};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string out;
  for (const Row& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format(" {:<{}} ", row[i], widths[i]);
    out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return out;
}

}  // namespace

const char* access_name(OpKind kind) {
  switch (kind) {
    case OpKind::kRead:
      return "load";
    case OpKind::kWrite:
      return "store";
    case OpKind::kFence:
      return "fence";
    default:
      return "read-modify-write";
  }
}

std::string order_name(OpKind kind, MemoryOrder order) {
  return kind == OpKind::kFence && order == MemoryOrder::kRelaxed ? "none" : name_of(order);
}

std::string relaxation_table(const explore::Relaxation& relaxation, const Describer& describer) {
  if (relaxation.places.empty() && relaxation.open.empty())
    return "weaker orders: none of the program's own is stronger than relaxed\n";
  std::vector<Row> rows = {{"place", "operation", "order", "alone", "together"}};
  for (const RelaxedPlace& place : relaxation.places)
    rows.push_back({describer.position(place.where), access_name(place.kind), name_of(place.own),
                    result_text(place, place.alone), result_text(place, place.together)});
  std::string out = fmt::format("weaker orders, for this test ({} searches, {} executions, all that there are):\n",
                                relaxation.trials, relaxation.executions);
  out += laid_out(rows);
  if (!relaxation.open.empty()) out += "not all were found out: " + relaxation.open + '\n';
  const auto weak = [&](OpKind kind) {
    return std::ranges::any_of(relaxation.places, [&](const RelaxedPlace& place) {
      return place.kind == kind && place.together == MemoryOrder::kRelaxed && place.own != MemoryOrder::kRelaxed;
    });
  };
  if (weak(OpKind::kRead) && weak(OpKind::kWrite))
    out += "load buffering, which relaxed loads before relaxed stores allow, was not explored\n";
  return out + "another test may show what an order is there for: only what this one does was looked at\n";
}

}  // namespace heddle::report
