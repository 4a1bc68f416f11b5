#include "native/runtime/sharing.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "native/runtime/isolation.h"
#include "native/runtime/learnt.h"
#include "native/runtime/parts.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/shadow.h"

namespace heddle::runtime {

constinit Sharing sharing;

namespace {

using Clock = std::vector<std::uint32_t>;  // by thread; trailing zeros are left out
constexpr std::uint32_t kUnknown = ~0u;

std::uint32_t component(const Clock& clock, std::size_t t) { return t < clock.size() ? clock[t] : 0; }

struct Threads {
  Clock clock;
  std::uint32_t place = kUnknown;
  std::size_t join_step = 0;            // the step of its last join,
  std::uint64_t steps_at_join = ~0ull;  // and how many it had made then
};

// Accesses that are already known, so that most need no look-up.
struct Recent {
  std::uint64_t granule = ~0ull;
  std::uint32_t place = kUnknown;
  std::uint8_t thread = 0;
  std::uint8_t read = 0, written = 0;
};

}  // namespace

struct Sharing::Tables {
  std::vector<Threads> threads{kMaxThreads};
  std::map<Clock, std::uint32_t> place_numbers;
  std::vector<Clock> places;
  struct Record {
    SharedAccess access;
    std::uint32_t next;  // of the same granule, 1 + index
  };
  std::vector<Record> records;
  std::unordered_map<std::uint64_t, std::uint32_t> first;  // by granule, 1 + index
  std::vector<SharedAccess> log;                           // as learnt, for other processes
  std::vector<Recent> recent{1 << 12};

  Recent& slot(std::uint64_t granule) { return recent[(granule >> 3) & (recent.size() - 1)]; }
};

void Sharing::watch() {
  EngineScope scope;
  if (!tables_) tables_ = new Tables;
}

void Sharing::begin() {
  EngineScope scope;
  for (std::size_t t = 0; t < rt.known_threads; ++t) tables_->threads[t] = {};
  tables_->threads[0].clock = {1};
}

constinit const Part sharing_part = described({
    .begin =
        [] {
          if (rt.races_checked && sharing.watched()) sharing.begin();
        },
    .not_kept = "there are no checkpoints while sharing is watched",
});

void Sharing::spawned(ThreadId parent, ThreadId child) {
  EngineScope scope;
  Threads& from = tables_->threads[parent.index()];
  Threads& to = tables_->threads[child.index()];
  to = {};
  to.clock = from.clock;
  if (to.clock.size() <= child.index()) to.clock.resize(child.index() + 1, 0);
  to.clock[child.index()] = 1;
  ++from.clock[parent.index()];
  from.place = kUnknown;
}

void Sharing::joined(ThreadId joiner, ThreadId ended) {
  EngineScope scope;
  Threads& self = tables_->threads[joiner.index()];
  const Clock& other = tables_->threads[ended.index()].clock;
  if (self.clock.size() < other.size()) self.clock.resize(other.size(), 0);
  for (std::size_t i = 0; i < other.size(); ++i) self.clock[i] = std::max(self.clock[i], other[i]);
  self.place = kUnknown;
  self.join_step = rt.execution->steps.size() - 1;
  self.steps_at_join = rt.self().steps;
}

bool Sharing::just_joined() const { return tables_->threads[rt.current.index()].steps_at_join == rt.self().steps; }

std::uint32_t Sharing::place_of(ThreadId t) {
  Threads& thread = tables_->threads[t.index()];
  if (thread.place == kUnknown) {
    const auto known = tables_->place_numbers.find(thread.clock);
    if (known == tables_->place_numbers.end()) learn_place(thread.clock);
    thread.place = tables_->place_numbers.at(thread.clock);
  }
  return thread.place;
}

void Sharing::learn_place(const Clock& clock) {
  const auto number = static_cast<std::uint32_t>(tables_->places.size());
  if (tables_->place_numbers.try_emplace(clock, number).second) tables_->places.push_back(clock);
}

bool Sharing::ordered(const SharedAccess& a, const SharedAccess& b) const {
  const Clock& x = tables_->places[a.place];
  const Clock& y = tables_->places[b.place];
  return component(y, a.thread) >= component(x, a.thread) || component(x, b.thread) >= component(y, b.thread);
}

bool Sharing::left_by_others(std::uintptr_t granule, std::uint8_t mask) const {
  const auto first = tables_->first.find(granule);
  if (first == tables_->first.end()) return false;
  for (std::uint32_t i = first->second; i != 0; i = tables_->records[i - 1].next) {
    const SharedAccess& known = tables_->records[i - 1].access;
    if (known.write && known.thread != rt.current.value && (known.mask & mask) != 0) return true;
  }
  return false;
}

void Sharing::look(std::uintptr_t granule, std::uint8_t mask, bool& blind) {
  blind = just_joined() && !left_by_others(granule, mask);
  if (just_joined() && !blind)
    rt.execution->steps[tables_->threads[rt.current.index()].join_step].op.after &= ~trace::kSawNothing;
}

void Sharing::access(std::uintptr_t granule, std::uint8_t mask, bool write, bool atomic) {
  EngineScope scope;
  SharedAccess access{granule, place_of(rt.current), static_cast<std::uint8_t>(rt.current.value), mask, write, atomic};
  Recent& recent = tables_->slot(granule);
  const bool same = recent.granule == granule && recent.place == access.place && recent.thread == access.thread;
  if (just_joined() && !write) {
    look(granule, mask, access.blind);
  } else if (same && !atomic && ((write ? recent.written : recent.read) & mask) == mask) {
    return;
  }
  if (!atomic) {
    if (!same) recent = {granule, access.place, access.thread, 0, 0};
    (write ? recent.written : recent.read) |= mask;
  }
  learn(access);
}

void Sharing::free(std::uintptr_t granule, std::uint8_t mask) {
  EngineScope scope;
  bool blind = false;
  look(granule, mask, blind);
  learn({granule, place_of(rt.current), static_cast<std::uint8_t>(rt.current.value), mask, true, false, blind});
}

void Sharing::learn(const SharedAccess& access) {
  std::uint32_t& first = tables_->first[access.granule];
  SharedAccess* same = nullptr;
  for (std::uint32_t i = first; i != 0 && !same; i = tables_->records[i - 1].next) {
    SharedAccess& known = tables_->records[i - 1].access;
    if (known.thread == access.thread && known.place == access.place && known.write == access.write &&
        known.atomic == access.atomic && known.blind == access.blind)
      same = &known;
  }
  if (same && (access.mask & ~same->mask) == 0) return;  // nothing new
  for (std::uint32_t i = first; i != 0; i = tables_->records[i - 1].next) {
    const SharedAccess& known = tables_->records[i - 1].access;
    if (known.thread == access.thread) continue;
    const auto overlap = static_cast<std::uint8_t>(known.mask & access.mask);
    if (overlap == 0 || !(known.write || access.write)) continue;
    // It was thought that nobody else leaves anything there: begin again, knowing better.
    if (known.blind && access.write) rt.visible_set_grown = true;
    if ((known.atomic && access.atomic) || ordered(known, access)) continue;
    Cell& cell = shadow.at(access.granule);
    if ((overlap & ~cell.visible) == 0) continue;
    make_visible(cell, overlap);
    grow_visible_set({protocol::LearntKind::kVisibleBytes, access.granule, overlap});
    note_lesson({.granule = access.granule, .visible = overlap});
  }
  if (same) {
    same->mask |= access.mask;
  } else {
    tables_->records.push_back({access, first});
    first = static_cast<std::uint32_t>(tables_->records.size());
  }
  tables_->log.push_back(access);
}

Sharing::Mark Sharing::mark() const {
  if (!watched()) return {};
  return {tables_->places.size(), tables_->log.size()};
}

std::vector<Clock> Sharing::places_since(const Mark& mark) const {
  if (!watched()) return {};
  return {tables_->places.begin() + static_cast<std::ptrdiff_t>(mark.places), tables_->places.end()};
}

std::vector<SharedAccess> Sharing::accesses_since(const Mark& mark) const {
  if (!watched()) return {};
  return {tables_->log.begin() + static_cast<std::ptrdiff_t>(mark.accesses), tables_->log.end()};
}

}  // namespace heddle::runtime
