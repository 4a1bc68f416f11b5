#include "native/runtime/relaxing.h"

#include <algorithm>

#include "graph/relax.h"
#include "graph/strengthen.h"
#include "native/runtime/raw.h"
#include "native/runtime/runtime.h"
#include "native/runtime/shadow.h"
#include "native/runtime/signals.h"
#include "native/runtime/unmodelled.h"
#include "native/runtime/weak_memory.h"

namespace heddle::runtime {
namespace {

constinit std::vector<protocol::OrderNote> noted;

graph::OrderTrials trials_of(NativeProgram& program) {
  return {.model = weak_memory.model(),
          .give = [](auto orders, auto fences) { weak_memory.give_orders(orders, fences); },
          .changed = [&program] { return program.stale(); }};
}

std::size_t things_not_modelled() {
  std::vector<protocol::LeftOpen> all;
  add_unmodelled(all);
  return all.size();
}

}  // namespace

void explain_by_orders(NativeProgram& program, explore::ExploreResult& result) {
  graph::explain_by_orders(program, trials_of(program), result);
}

const std::vector<protocol::OrderNote>& noted_orders() { return noted; }

void note_orders(const trace::Execution& execution) {
  std::vector<graph::OrderPlace> places;
  note_places(execution, graph::RunWith::kOwnOrders, places);
  for (const graph::OrderPlace& place : places) {
    const bool known = std::any_of(noted.begin(), noted.end(), [&](const auto& o) { return o.where == place.where; });
    if (!known && place.own != trace::MemoryOrder::kRelaxed) noted.push_back({place.where, place.kind});
  }
}

explore::Relaxation relax_orders(NativeProgram& program, const protocol::WorkerOptions& options) {
  graph::RelaxOptions how;
  how.trials = trials_of(program);
  how.groups.emplace();
  for (const std::vector<std::uint64_t>& pcs : *options.relax) {
    std::vector<std::uint32_t>& group = how.groups->emplace_back();
    for (const std::uint64_t pc : pcs) group.push_back(where_of(reinterpret_cast<const void*>(pc)));
  }
  how.begin = [&] { program.begin_search(); };
  const std::size_t before = things_not_modelled();
  const double start = raw::seconds();
  how.stop = [&]() -> std::string {
    if (rt.asked_to_stop) return "it was interrupted";
    if (options.max_seconds && raw::seconds() - start >= *options.max_seconds) return "the time was over";
    if (things_not_modelled() > before) return "with weaker orders the program does what is not modelled";
    return {};
  };
  if (options.max_seconds) watch_deadline(*options.max_seconds);
  heed_requests_to_stop(!program.isolated());
  explore::Relaxation relaxation = graph::relax(program, how);
  heed_requests_to_stop(false);
  forget_deadline();
  return relaxation;
}

}  // namespace heddle::runtime
