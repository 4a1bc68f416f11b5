// Source positions. While exploring, a position is one program counter, looked up in a hash table in a few
// nanoseconds; when a finding is run again for the report, it is the whole call stack.
#include <unwind.h>

#include <algorithm>
#include <unordered_map>

#include "native/runtime/data_log.h"
#include "native/runtime/engine_memory.h"
#include "native/runtime/runtime.h"
#include "native/runtime/shadow.h"
#include "native/runtime/shared_ids.h"

namespace heddle::runtime {

using protocol::Position;
namespace {

constexpr std::size_t kSlots = 1u << 14;
constexpr std::size_t kMostFrames = 64;

struct Slot {
  const void* pc;
  std::uint32_t where;
};
Slot slots[kSlots];

// Neighbouring code in neighbouring slots: few cache lines and pages.
std::size_t first_slot(const void* pc) { return (reinterpret_cast<std::uintptr_t>(pc) >> 2) % kSlots; }

std::vector<Position>& table() {
  static std::vector<Position>* positions = nullptr;
  if (!positions) {
    positions = new (engine_memory.allocate(sizeof(std::vector<Position>))) std::vector<Position>(1);
  }
  return *positions;
}

// The whole stacks in the table by their hash: a deep recursion makes a new one at every level.
std::unordered_multimap<std::uint64_t, std::uint32_t>& stacks_by_hash() {
  using Stacks = std::unordered_multimap<std::uint64_t, std::uint32_t>;
  static Stacks* stacks = nullptr;
  if (!stacks) stacks = new (engine_memory.allocate(sizeof(Stacks))) Stacks;
  return *stacks;
}

std::uint64_t hash_of(const Position& position) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto mix = [&](std::uint64_t word) { hash = (hash ^ word) * 0x100000001b3; };
  for (const std::uint64_t pc : position.pcs) mix(pc);
  for (const std::uint64_t sp : position.stack_pointers) mix(sp);
  return hash;
}

struct Walk {
  std::uint64_t pcs[kMostFrames];
  std::uint64_t stack_pointers[kMostFrames];
  std::size_t count;
};

_Unwind_Reason_Code collect(_Unwind_Context* context, void* argument) {
  auto& walk = *static_cast<Walk*>(argument);
  const std::uint64_t pc = _Unwind_GetIP(context);
  if (pc == 0 || walk.count == kMostFrames) return _URC_END_OF_STACK;
  walk.pcs[walk.count] = pc;
  walk.stack_pointers[walk.count++] = _Unwind_GetCFA(context);
  return _URC_NO_REASON;
}

// A program may have written over its stack: then the walk ends in a fault, and with what was found until there.
void* walk_escape[5];
bool walking = false;

__attribute__((noinline)) void walk_stack(Walk& walk) {
  walking = true;
  if (__builtin_setjmp(walk_escape) == 0) _Unwind_Backtrace(collect, &walk);
  walking = false;
}

std::uint32_t whole_stack(const void* pc) {
  Walk walk;
  walk.count = 0;
  walk_stack(walk);
  // The innermost frames are the runtime's own: begin at the call we were told of.
  const auto end = walk.pcs + walk.count;
  auto begin = std::find(walk.pcs, end, reinterpret_cast<std::uint64_t>(pc));
  Position position;
  if (begin == end) position.pcs = {reinterpret_cast<std::uint64_t>(pc)};
  position.pcs.insert(position.pcs.end(), begin, end);
  if (begin != end && table().size() < kSlots / 2)  // beyond, variables of the frames have no names
    position.stack_pointers.assign(walk.stack_pointers + (begin - walk.pcs), walk.stack_pointers + walk.count);
  const std::uint64_t hash = hash_of(position);
  const auto [first, last] = stacks_by_hash().equal_range(hash);
  for (auto known = first; known != last; ++known)
    if (table()[known->second] == position) return known->second;
  return add_position(std::move(position));
}

}  // namespace

void leave_broken_stack() {
  if (walking) __builtin_longjmp(walk_escape, 1);
}

std::uint32_t where_of(const void* pc) {
  rt.pc = pc;
  if (rt.detailed) [[unlikely]] {
    EngineScope scope;
    if (rt.data_logged) data_log.pass(pc);
    return whole_stack(pc);
  }
  for (std::size_t i = first_slot(pc);; i = (i + 1) % kSlots) {
    Slot& slot = slots[i];
    if (slot.pc == pc) [[likely]]
      return slot.where;
    if (slot.pc == nullptr) {
      EngineScope scope;
      if (table().size() > kSlots / 2) return 0;  // more call sites than fit: nameless from here on
      return add_position({{reinterpret_cast<std::uint64_t>(pc)}});
    }
  }
}

// One that names a single place is found again by it, every one as a stack: also those that another process has met, or
// the next process would give the same stack another number.
std::uint32_t add_position(Position position) {
  auto& positions = table();
  auto where = static_cast<std::uint32_t>(positions.size());
  const auto shared = ids_are_shared() ? shared_position(position) : std::nullopt;
  if (shared) {
    where = *shared;
    if (where == 0) return 0;                                                    // no room: nameless
    if (where > positions.size()) positions.resize(where);                       // those of others are gaps
    if (where < positions.size() && positions[where] == position) return where;  // it is entered already
  }
  if (position.pcs.size() == 1) {
    const auto pc = reinterpret_cast<const void*>(position.pcs[0]);
    std::size_t i = first_slot(pc);
    while (slots[i].pc != nullptr && slots[i].pc != pc) i = (i + 1) % kSlots;
    if (slots[i].pc == nullptr) slots[i] = {pc, where};
  }
  stacks_by_hash().emplace(hash_of(position), where);
  if (where == positions.size())
    positions.push_back(std::move(position));
  else
    positions[where] = std::move(position);
  return where;
}

const Position& position_at(std::uint32_t where) { return table()[where < table().size() ? where : 0]; }

std::uint64_t first_address(std::uint32_t where) {
  const std::vector<Position>& positions = table();
  return where < positions.size() && !positions[where].pcs.empty() ? positions[where].pcs.front() : 0;
}

void fill_positions(std::vector<Position>& positions) { positions = table(); }

}  // namespace heddle::runtime
