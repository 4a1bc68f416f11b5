// `--relax` of native programs. The worker knows addresses, the supervisor which of them are one place of the source:
// so a first search notes what there is, and a second worker tries it (graph/relax.h).
#pragma once

#include "native/protocol/messages.h"
#include "native/supervisor/describer.h"

namespace heddle::supervisor {

// The atomic accesses and fences of the program itself, by places of the source in their order: each with the addresses
// of what the compiler has made of it.
struct OrderGroup {
  std::uint32_t where = 0;  // of the first search
  std::vector<std::uint64_t> pcs;
};
std::vector<OrderGroup> order_groups(const protocol::WorkerResult& worker, const NativeDescriber& describer);

// What the second worker says, with places of the first search.
explore::Relaxation in_terms_of(const std::vector<OrderGroup>& groups, const protocol::WorkerResult& worker);

}  // namespace heddle::supervisor
