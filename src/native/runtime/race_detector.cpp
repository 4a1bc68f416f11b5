#include "native/runtime/race_detector.h"

#include <string.h>

#include <algorithm>

#include "native/runtime/assumptions.h"
#include "native/runtime/atomic_sections.h"
#include "native/runtime/barriers.h"
#include "native/runtime/data_log.h"
#include "native/runtime/freed_objects.h"
#include "native/runtime/happens_before.h"
#include "native/runtime/inputs.h"
#include "native/runtime/isolation.h"
#include "native/runtime/known_steps.h"
#include "native/runtime/learnt.h"
#include "native/runtime/object_state.h"
#include "native/runtime/parts.h"
#include "native/runtime/program_signals.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/scopes.h"
#include "native/runtime/sharing.h"
#include "native/runtime/spurious.h"
#include "native/runtime/suppressed_races.h"
#include "native/runtime/turn_writes.h"

namespace heddle::runtime {

using protocol::LearntKind;

namespace {

using History = std::vector<CellAccess>;
constinit std::vector<History> histories;  // storage is kept
constinit std::size_t histories_used = 0;  // in this execution
constinit std::vector<Cell*> touched;      // cells with a history in this execution, up to so many
constexpr std::size_t kMostTouched = 1u << 16;
// Bytes of a granule on which a race is reported in this execution.
struct Reported {
  const Cell* place;
  std::uint8_t bytes;
};
constinit std::vector<Reported> reported;

// Of all that, at a checkpoint.
struct Kept {
  struct SavedCell {
    Cell* place;
    Cell cell;
  };
  std::vector<SavedCell> cells;
  std::vector<Reported> reported;
  std::vector<History> lists;  // of cells with a full history
  std::size_t lists_used = 0;
};
constinit Kept kept_accesses[kMostCheckpoints];

// Neighbours share a granule, and each is reported: null, or what is reported of this one.
Reported* reported_in(const Cell& cell) {
  if ((cell.flags & kReported) == 0) return nullptr;
  const auto found = std::find_if(reported.rbegin(), reported.rend(), [&](const auto& r) { return r.place == &cell; });
  return found != reported.rend() ? &*found : nullptr;
}

void note_reported(Cell& cell, std::uint8_t bytes) {
  EngineScope scope;
  if (Reported* known = reported_in(cell))
    known->bytes |= bytes;
  else
    reported.push_back({&cell, bytes});
  cell.flags |= kReported;
}

std::uint8_t mask_of(std::uintptr_t address, std::size_t size) {
  return static_cast<std::uint8_t>(((1u << size) - 1) << (address & 7));
}

bool conflict(const CellAccess& before, const CellAccess& now) {
  return (before.mask & now.mask) != 0 && (before.write || now.write) && !(before.atomic && now.atomic) &&
         before.thread != now.thread && !clocks.ordered(before.thread, before.clock, ThreadId(now.thread));
}

const char* name_of_access(const CellAccess& access) {
  if (access.atomic) return access.write ? "an atomic write" : "an atomic read";
  return access.write ? "a write" : "a read";
}

void report(Cell& cell, std::uintptr_t granule, const CellAccess& before, const CellAccess& now) {
  const auto overlap = static_cast<std::uint8_t>(before.mask & now.mask);
  if ((overlap & ~cell.visible) != 0) {
    make_visible(cell, overlap);
    grow_visible_set({LearntKind::kVisibleBytes, granule, overlap});
    note_lesson({.granule = granule, .visible = overlap});
  }
  if (!rt.report_races || before.possible || now.possible) return;
  if (const auto* known = reported_in(cell); known != nullptr && (known->bytes & overlap) != 0) return;
  const std::uintptr_t address = granule + static_cast<unsigned>(__builtin_ctz(overlap));
  if (is_suppressed(before.where, now.where, address)) return;
  note_reported(cell, overlap);
  EngineScope scope;
  protocol::FailureDetail detail;
  detail.address = address;
  detail.size = static_cast<std::uint32_t>(__builtin_popcount(overlap));
  detail.write = now.write;
  detail.frees = now.frees;
  detail.leaves_scope = is_end_of_scope(now.where) || is_end_of_scope(before.where);
  detail.other_leaves_scope = is_end_of_scope(before.where);
  detail.other_thread = ThreadId(before.thread);
  detail.other_where = before.where;
  detail.other_write = before.write;
  if (Heap::contains(reinterpret_cast<void*>(granule))) {
    if (Block* block = heap.block_of(detail.address)) {
      detail.allocated_at = block->allocated_at;
      detail.block_size = block->size;
      detail.offset = detail.address - reinterpret_cast<std::uintptr_t>(block->user());
    }
  }
  record_failure(
      trace::FailureKind::kDataRace, now.where,
      std::string("data race: ") + name_of_access(now) + " and " + name_of_access(before) + " of another thread",
      detail);
  // An atomic access is under way and not a step yet; as for plain ones, the failure comes after it.
  if (now.atomic) ++rt.execution->failures.back().step;
}

void note_touched(Cell& cell) {
  if (touched.size() > kMostTouched) return;
  EngineScope scope;
  touched.push_back(&cell);
}

History& full_history(Cell& cell) {
  if (cell.flags & kFullHistory) return histories[cell.write_clock];
  EngineScope scope;
  if (histories_used == histories.size()) histories.emplace_back();
  History& list = histories[histories_used];
  list.clear();
  if (cell.write_mask)
    list.push_back({cell.write_clock, cell.write_where, cell.write_thread, cell.write_mask, true, false});
  if (cell.read_mask)
    list.push_back({cell.read_clock, cell.read_where, cell.read_thread, cell.read_mask, false, false});
  cell.flags |= kFullHistory;
  cell.write_clock = static_cast<std::uint32_t>(histories_used++);
  return list;
}

// Does `now` tell at least as much as `before` to any later access?
bool superseded(const CellAccess& before, const CellAccess& now) {
  if ((before.mask & ~now.mask) != 0) return false;
  if (before.atomic != now.atomic && !before.atomic) return false;
  if (now.possible && !before.possible) return false;
  if (before.write && !now.write) return false;
  return before.thread == now.thread || clocks.ordered(before.thread, before.clock, ThreadId(now.thread));
}

void check_full(Cell& cell, std::uintptr_t granule, const CellAccess& now) {
  History& list = full_history(cell);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (conflict(list[i], now)) report(cell, granule, list[i], now);
    if (!superseded(list[i], now)) list[kept++] = list[i];
  }
  list.resize(kept);
  EngineScope scope;
  list.push_back(now);
}

void check(Cell& cell, std::uintptr_t granule, const CellAccess& now) {
  if (cell.generation != rt.generation) {
    cell.generation = rt.generation;
    cell.write_mask = cell.read_mask = 0;
    cell.flags &= kKept;
    note_touched(cell);
  }
  if (now.atomic || now.possible || (cell.flags & kFullHistory) != 0) return check_full(cell, granule, now);
  const CellAccess write{cell.write_clock, cell.write_where, cell.write_thread, cell.write_mask, true, false};
  const CellAccess read{cell.read_clock, cell.read_where, cell.read_thread, cell.read_mask, false, false};
  if (now.write) {
    // A write replaces everything it covers, provided it comes after it.
    const bool simple = (write.mask == 0 || superseded(write, now)) && (read.mask == 0 || superseded(read, now));
    if (!simple) return check_full(cell, granule, now);
    cell.write_clock = now.clock;
    cell.write_where = now.where;
    cell.write_thread = now.thread;
    cell.write_mask = now.mask;
    cell.read_mask = 0;
    return;
  }
  if (write.mask != 0 && conflict(write, now)) return check_full(cell, granule, now);
  if (read.mask != 0 && !superseded(read, now)) {
    // The same thread re-reading part of what it read in the same epoch adds nothing.
    if (read.thread == now.thread && read.clock == now.clock && (now.mask & ~read.mask) == 0) return;
    return check_full(cell, granule, now);
  }
  cell.read_clock = now.clock;
  cell.read_where = now.where;
  cell.read_thread = now.thread;
  cell.read_mask = now.mask;
}

// An access to bytes that have raced: a visible operation. The access itself is the program's next instruction, so it
// is one operation however many granules it touches; those that it brings together are one object (shadow.h).
void visible_access(std::uintptr_t address, std::size_t size, bool write, std::uint32_t where) {
  value_at(address, size);  // crash here, not in the middle of scheduling
  if (!rt.report_races && !explores_weaker_orders())
    note_assumption(trace::AssumptionKind::kSequentialConsistency, rt.pc, kPlainAccess);
  const ObjectId object =
      objects.at(reinterpret_cast<void*>(address), static_cast<std::uint32_t>(size), protocol::ObjectKind::kMemory);
  VisibleOperation op(write ? OpKind::kWrite : OpKind::kRead, object, where);
  if (rt.weak) op.op().order = trace::MemoryOrder::kPlain;
  op.depends_on(0);
  op.await();
  op.op().before = op.op().after = value_at(address, size);
  op.performed();
  if (write || rt.weak) remember_plain_write(address, size);
}

// From now on atomic accesses are recorded too.
void note_plain(Cell& cell, std::uintptr_t address) {
  if ((cell.flags & kPlainShared) != 0) return;
  cell.flags |= kPlainShared;
  note_lesson({.granule = address, .flags = kPlainShared});
  if (cell.flags & kAtomicAccess) {
    known_steps.switch_off();
    grow_visible_set({LearntKind::kMixedAccesses, address, 0});
  }
}

bool visible(std::uintptr_t address, std::size_t size) {
  return (shadow.at(address).visible & mask_of(address, size)) != 0;
}

// The part of an access that lies in one granule, for races.
void record_access(std::uintptr_t address, std::size_t size, bool write, const void* pc, bool freeing) {
  Cell& cell = shadow.at(address);
  const std::uint8_t mask = mask_of(address, size);
  // What happens before the first thread is created happens before everything that other threads do.
  if (rt.threads == 1) return;
  if (sharing.watched() && !freeing) sharing.access(address & ~std::uintptr_t{7}, mask, write, false);
  known_steps.note_access(cell, write);
  const std::uint32_t epoch = clocks.epoch(rt.current);
  const auto thread = static_cast<std::uint8_t>(rt.current.value);
  // Most accesses repeat the last one.
  if (cell.generation == rt.generation && (cell.flags & kFullHistory) == 0) {
    if (cell.write_thread == thread && cell.write_clock == epoch && (mask & ~cell.write_mask) == 0 &&
        (cell.read_mask == 0 || !write))
      return;
    if (!write && cell.read_thread == thread && cell.read_clock == epoch && (mask & ~cell.read_mask) == 0) return;
  }
  note_plain(cell, address);
  check(cell, address & ~std::uintptr_t{7}, {epoch, where_of(pc), thread, mask, write, false, freeing});
}

template <class F>
void for_each_granule(std::uintptr_t address, std::size_t size, F&& f) {
  while (size > 0) {
    const std::size_t part = 8 - (address & 7) < size ? 8 - (address & 7) : size;
    f(address, part);
    address += part;
    size -= part;
  }
}

void access_granule(std::uintptr_t address, std::size_t size, bool write, const void* pc) {
  if ((rt.threads > 1 || rt.states_watched) && visible(address, size)) {
    visible_access(address, size, write, where_of(pc));
    // It may have been freed while this thread waited to be chosen.
    check_heap_access(reinterpret_cast<void*>(address), size, write, pc);
  }
  record_access(address, size, write, pc, false);
}

void access_granules(std::uintptr_t address, std::size_t size, bool write, const void* pc) {
  if ((rt.threads > 1 || rt.states_watched) && any_visible(address, size)) {
    visible_access(address, size, write, where_of(pc));
    check_heap_access(reinterpret_cast<void*>(address), size, write, pc);
  }
  for_each_granule(address, size, [&](std::uintptr_t a, std::size_t n) { record_access(a, n, write, pc, false); });
}

}  // namespace

std::optional<CellAccess> end_of_scope_beside(std::uintptr_t address) {
  const Cell& cell = shadow.at(address);
  if (cell.generation != rt.generation) return std::nullopt;
  const auto is_one = [&](const CellAccess& a) {
    return a.write && (a.mask & mask_of(address, 1)) != 0 && a.thread != rt.current.value && is_end_of_scope(a.where) &&
           !clocks.ordered(a.thread, a.clock, rt.current);
  };
  if ((cell.flags & kFullHistory) == 0) {
    const CellAccess write{cell.write_clock, cell.write_where, cell.write_thread, cell.write_mask, true, false};
    return is_one(write) ? std::optional(write) : std::nullopt;
  }
  const History& list = histories[cell.write_clock];
  const auto found = std::find_if(list.begin(), list.end(), is_one);
  return found != list.end() ? std::optional(*found) : std::nullopt;
}

std::size_t accesses_remembered() { return touched.size(); }
bool accesses_known() { return touched.size() <= kMostTouched; }

namespace {

void forget_accesses() {
  if (!rt.races_checked) return;
  histories_used = 0;
  touched.clear();
  reported.clear();
}

void keep_accesses(std::size_t checkpoint) {
  Kept& to = kept_accesses[checkpoint];
  to.cells.clear();
  for (Cell* cell : touched) to.cells.push_back({cell, *cell});
  to.reported = reported;
  if (to.lists.size() < histories_used) to.lists.resize(histories_used);
  to.lists_used = histories_used;
  for (std::size_t i = 0; i < histories_used; ++i) to.lists[i] = histories[i];
}

// What was learnt about a granule since (kept flags, visible bytes, its object) stays.
void go_back_to_accesses(std::size_t checkpoint) {
  const Kept& from = kept_accesses[checkpoint];
  for (std::size_t i = from.cells.size(); i < touched.size(); ++i) touched[i]->generation = 0;
  touched.resize(from.cells.size());
  reported = from.reported;
  for (const auto& [place, saved] : from.cells) {
    const Cell now = *place;
    *place = saved;
    place->object = now.object;
    place->visible = now.visible;
    place->sharers = now.sharers;
    place->flags = static_cast<std::uint8_t>((saved.flags & ~kKept) | (now.flags & kKept));
  }
  histories_used = from.lists_used;
  for (std::size_t i = 0; i < histories_used; ++i) histories[i] = from.lists[i];
}

}  // namespace

constinit const Part accesses_part = described({
    .begin = forget_accesses,
    .keep = keep_accesses,
    .go_back = go_back_to_accesses,
});

void plain_access(std::uintptr_t address, std::size_t size, bool write, const void* pc) {
  if (!controlled()) return;
  if (in_section()) [[unlikely]]
    return section_access(address, size, write, pc);
  if (rt.asked != 0 || rt.data_logged) [[unlikely]] {
    if (rt.asked != 0) note_access_in_handler(address, size);
    if (rt.data_logged && !any_visible(address, size)) data_log.access(address, size, write, pc);
  }
  known_steps.look_at(address);
  // A visible access looks when it is performed (access_granule). While an unfolding is built it must be seen to be
  // one.
  if (!sharing.watched() || !any_visible(address, size))
    check_heap_access(reinterpret_cast<void*>(address), size, write, pc);
  if (write && rt.self().spin.unchanged) note_plain_write(address, size);
  if (write && rt.weak) [[unlikely]]
    weak_memory.initialise(address, size);
  if (rt.accesses_watched) [[unlikely]] {
    note_seen(address, size, write);
    if (rt.ways_watched) watch_ways(address, size, write);
  }
  if (rt.plain_loop_suspected) [[unlikely]]
    watch_plain_loop(address, size, write, pc);
  // Nobody else is there, and nobody is interested (access_granule would find out, from memory that is cold).
  if (!rt.races_checked || (rt.threads == 1 && !shadow.anything_visible)) return;
  if ((address & 7) + size <= 8) [[likely]]
    return access_granule(address, size, write, pc);
  access_granules(address, size, write, pc);
}

void make_polled_visible(std::uintptr_t address, std::size_t size) {
  for_each_granule(address, size, [&](std::uintptr_t a, std::size_t n) {
    Cell& cell = shadow.at(a);
    const std::uint8_t mask = mask_of(a, n);
    const std::uintptr_t granule = a & ~std::uintptr_t{7};
    if ((mask & ~cell.visible) == 0) return;
    make_visible(cell, mask);
    grow_visible_set({LearntKind::kVisibleBytes, granule, mask});
    note_lesson({.granule = granule, .visible = mask});
  });
}

void possible_read(std::uintptr_t address, std::size_t size, const void* pc) {
  if (!rt.races_checked || rt.threads == 1) return;
  for_each_granule(address, size, [&](std::uintptr_t a, std::size_t n) {
    Cell& cell = shadow.at(a);
    const std::uint8_t mask = mask_of(a, n);
    if (sharing.watched()) sharing.access(a & ~std::uintptr_t{7}, mask, false, false);
    note_plain(cell, a);
    const auto thread = static_cast<std::uint8_t>(rt.current.value);
    check(cell, a & ~std::uintptr_t{7},
          {clocks.epoch(rt.current), where_of(pc), thread, mask, false, false, false, true});
  });
}

bool any_visible(std::uintptr_t address, std::size_t size) {
  if (!shadow.anything_visible) return false;
  bool any = false;
  for_each_granule(address, size,
                   [&](std::uintptr_t a, std::size_t n) { any = any || (shadow.at(a).visible & mask_of(a, n)) != 0; });
  return any;
}

void atomic_access(const volatile void* p, std::size_t size, bool write, std::uint32_t epoch, std::uint32_t where) {
  if (rt.threads == 1) return;
  if (rt.accesses_watched) [[unlikely]]
    note_seen(reinterpret_cast<std::uintptr_t>(p), size, write);
  const auto thread = static_cast<std::uint8_t>(rt.current.value);
  for_each_granule(reinterpret_cast<std::uintptr_t>(p), size, [&](std::uintptr_t a, std::size_t n) {
    Cell& cell = shadow.at(a);
    if (sharing.watched()) sharing.access(a & ~std::uintptr_t{7}, mask_of(a, n), write, true);
    if ((cell.flags & kAtomicAccess) == 0) {
      cell.flags |= kAtomicAccess;
      note_lesson({.granule = a, .flags = kAtomicAccess});
      if (cell.flags & kPlainShared) {
        known_steps.switch_off();
        grow_visible_set({LearntKind::kMixedAccesses, a, 0});
      }
    }
    if (cell.sharers != 0) known_steps.note_access(cell, write);  // somebody has freed what was here
    if ((cell.flags & kPlainShared) == 0 && (cell.generation != rt.generation || cell.write_mask == 0)) return;
    check(cell, a & ~std::uintptr_t{7}, {epoch, where, thread, mask_of(a, n), write, true});
  });
}

namespace {

// The visible bytes of an access within a granule: every object by itself, so that freeing two members does not make
// them one, and then what no object is known of.
struct VisibleParts {
  struct Part {
    std::uintptr_t address;
    std::size_t size;
  };
  Part part[8];
  std::size_t count = 0;

  VisibleParts(std::uintptr_t address, std::size_t size) {
    const std::uintptr_t granule = address & ~std::uintptr_t{7};
    std::uint8_t left = shadow.at(granule).visible & mask_of(address, size);
    std::uint32_t roots[8];
    objects.for_each_in(granule, [&](const Object& o) {
      if (o.kind != protocol::ObjectKind::kMemory) return;
      const std::uint8_t bytes = mask_of(o.address, std::min<std::size_t>(o.size, granule + 8 - o.address));
      if ((bytes & left) == 0) return;
      left &= static_cast<std::uint8_t>(~bytes);
      if (std::find(roots, roots + count, o.root) != roots + count) return;
      roots[count] = o.root;
      part[count++] = {o.address, o.size};
    });
    for (unsigned i = 0; i < 8; ++i) {
      if ((left >> i & 1) == 0) continue;
      unsigned end = i;
      while (end < 8 && (left >> end & 1) != 0) ++end;
      part[count++] = {granule + i, end - i};
      i = end;
    }
  }
};

}  // namespace

void await_free(std::uintptr_t address, std::size_t size, const void* pc) {
  if (!controlled() || !rt.races_checked || rt.threads < 2) return;
  for_each_granule(address, size, [&](std::uintptr_t a, std::size_t n) {
    if (sharing.watched()) sharing.free(a & ~std::uintptr_t{7}, mask_of(a, n));
    if ((shadow.at(a).flags & kFreedBeside) != 0) await_end_of_objects(a, pc);
    if (!visible(a, n)) return;
    const VisibleParts visible(a, n);
    for (std::size_t i = 0; i < visible.count; ++i)
      visible_access(visible.part[i].address, visible.part[i].size, true, where_of(pc));
  });
}

void free_access(std::uintptr_t address, std::size_t size, const void* pc, bool may_be_used_later) {
  if (!controlled() || !rt.races_checked || rt.threads < 2) return;
  for_each_granule(address, size, [&](std::uintptr_t a, std::size_t n) {
    Cell& cell = shadow.at(a);
    known_steps.note_access(cell, true);
    if (cell.object != 0) note_end_of_objects(a);
    // Atomic accesses are not recorded until the granule is known to have plain ones, too: freeing is one.
    if (may_be_used_later || cell.generation == rt.generation || visible(a, n) || (cell.flags & kAtomicAccess) != 0 ||
        cell.object != 0)
      record_access(a, n, true, pc, true);
  });
}

}  // namespace heddle::runtime
