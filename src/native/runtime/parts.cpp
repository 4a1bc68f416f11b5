#include "native/runtime/parts.h"

#include <string.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "base/assert.h"

namespace heddle::runtime {
namespace {

// What lies above may be written to by who begins below: memory comes first, then what the program keeps with the C
// library and the kernel, then what the engine remembers of its steps, and at last who runs.
constexpr const Part* kParts[] = {
    &world_part,       &heap_part,         &keys_part,      &exit_part,     &signals_part,
    &requests_part,    &kernel_state_part, &failures_part,  &tries_part,    &data_log_part,
    &clocks_part,      &uses_part,         &io_order_part,  &accesses_part, &sharing_part,
    &weak_memory_part, &threads_part,      &scheduler_part, &inputs_part,
};

constexpr std::size_t kMostMemory = 8;
constinit Part::Memory memory[kMostMemory];
constinit std::size_t memory_count = 0;
constinit std::vector<std::uint8_t> contents[kMostCheckpoints];

// Unrolled, so that each call is one that the processor has seen to go to the same function before: beginning an
// execution is some hundred instructions, and a loop of calls that go to different places is mispredicted.
template <class F>
void for_each_part(F&& f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (f(*kParts[I]), ...);
  }(std::make_index_sequence<std::size(kParts)>());
}

}  // namespace

void keep_parts_as_start() {
  for (const Part* part : kParts)
    for (const Part::Memory& m : part->memory) {
      if (m.place == nullptr) continue;
      INVARIANT(memory_count < kMostMemory && m.size % sizeof(std::uint64_t) == 0);
      memory[memory_count++] = m;
    }
  for (std::size_t i = std::size(kParts); i-- > 0;)
    if (kParts[i]->keep_as_start) kParts[i]->keep_as_start();
}

void begin_parts() {
  for_each_part([](const Part& part) {
    if (part.begin) part.begin();
  });
}

void end_parts() {
  for (std::size_t i = std::size(kParts); i-- > 0;)
    if (kParts[i]->end) kParts[i]->end();
}

void keep_parts(std::size_t checkpoint) {
  std::vector<std::uint8_t>& to = contents[checkpoint];
  to.clear();
  for (const Part::Memory& m : kept_memory()) {
    const auto from = static_cast<const std::uint8_t*>(m.place);
    to.insert(to.end(), from, from + m.size);
  }
  for (const Part* part : kParts)
    if (part->keep) part->keep(checkpoint);
}

void put_parts_back(std::size_t checkpoint) {
  const std::uint8_t* from = contents[checkpoint].data();
  for (const Part::Memory& m : kept_memory()) {
    memcpy(m.place, from, m.size);
    from += m.size;
  }
  for_each_part([=](const Part& part) {
    if (part.go_back) part.go_back(checkpoint);
  });
}

std::span<const Part::Memory> kept_memory() { return {memory, memory_count}; }

}  // namespace heddle::runtime
