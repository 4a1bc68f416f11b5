#include "native/runtime/spurious.h"

#include <unwind.h>

#include <algorithm>

#include "base/random.h"
#include "native/runtime/assumptions.h"
#include "native/runtime/heap.h"
#include "native/runtime/isolation.h"
#include "native/runtime/learnt.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/world.h"

namespace heddle::runtime {
namespace {

// --- places ---

constexpr std::size_t kMostFrames = 16;
constexpr std::size_t kFramesOfExchange = 3;            // without optimisation it is in a function of <atomic>
constexpr std::uint64_t kLibraries = 0x7000'0000'0000;  // and above; the program is linked below

struct Walk {
  std::uint64_t pc;  // the first one that counts
  std::uint64_t hash;
  std::size_t frames;
};

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* argument) {
  auto& walk = *static_cast<Walk*>(argument);
  const std::uint64_t pc = _Unwind_GetIP(context);
  if (pc == 0 || walk.frames == kMostFrames) return _URC_END_OF_STACK;
  if (walk.frames == 0 && pc != walk.pc) return _URC_NO_REASON;
  walk.hash = combine(walk.hash, pc);
  ++walk.frames;
  return _URC_NO_REASON;
}

// Like an address, so that it can be written down as one.
std::uint64_t number_of(std::uint64_t hash) { return (hash >> 17) | 1; }

// The program has frame pointers, libraries need not.
std::uint64_t site_of(const Call& call, std::size_t most_frames) {
  const auto pc = reinterpret_cast<std::uint64_t>(call.pc);
  if (pc >= kLibraries) {
    Walk walk{pc, 0, 0};
    _Unwind_Backtrace(add_frame, &walk);
    return number_of(walk.hash);
  }
  const Stack& stack = rt.self().stack;
  std::uint64_t hash = combine(0, pc);
  auto frame = *static_cast<const std::uint64_t*>(call.frame);  // of the function that calls
  for (std::size_t i = 1; i < most_frames && stack.contains(frame) && (frame & 7) == 0 && stack.high - frame >= 16;
       ++i) {
    const auto words = reinterpret_cast<const std::uint64_t*>(frame);
    hash = combine(hash, words[1]);
    if (words[0] <= frame) break;
    frame = words[0];
  }
  return number_of(hash);
}

constexpr std::size_t kSites = 1024;
std::uint64_t loops[kSites];
std::size_t known_loops = 0;

std::size_t slot_of(std::uint64_t site) {
  std::size_t i = site / 2 % kSites;
  while (loops[i] != 0 && loops[i] != site) i = (i + 1) % kSites;
  return i;
}

bool is_loop(std::uint64_t site) { return loops[slot_of(site)] == site; }

// --- states ---

std::uint64_t part_of(std::uintptr_t address, std::uint64_t word) { return mix(word ^ mix(address)); }

std::uint64_t hash_of(std::uintptr_t begin, std::uintptr_t end) {
  std::uint64_t all = 0;
  for (auto p = begin & ~std::uintptr_t{7}; p + 8 <= end; p += 8)
    all += part_of(p, *reinterpret_cast<const std::uint64_t*>(p));
  return all;
}

// All memory that the thread can have changed: what differs from the start, the heap, the others' frames.
std::uint64_t memory_now() {
  constexpr std::size_t kPage = 4096;
  std::uint64_t all = 0;
  for (const World::HotPage* hot = world.begin_hot(); hot != world.end_hot(); ++hot)
    for (std::size_t i = 0; i < kPage; i += 8) {
      const auto now = *reinterpret_cast<const std::uint64_t*>(hot->page + i);
      if (now != *reinterpret_cast<const std::uint64_t*>(hot->copy + i))
        all += part_of(reinterpret_cast<std::uintptr_t>(hot->page + i), now);
    }
  heap.for_each_arena([&](std::uintptr_t begin, std::uintptr_t end) { all += hash_of(begin, end); });
  for (std::size_t t = 0; t < rt.threads; ++t) {
    const Thread& thread = rt.thread[t];
    const auto top = reinterpret_cast<std::uintptr_t>(thread.stack_pointer);
    const bool suspended = thread.status == ThreadStatus::kPending || thread.status == ThreadStatus::kParked;
    if (t != rt.current.index() && suspended && thread.stack.contains(top)) all += hash_of(top, thread.stack.high);
  }
  return all;
}

// A wait that comes back to itself and never in the same state may be left at once a few times in a row.
constexpr std::uint8_t kMostRounds = 4;

bool nobody_else_has_run(const Spurious& last) {
  const auto& steps = rt.execution->steps;
  return std::all_of(steps.begin() + last.position, steps.end(), [](const Step& s) { return s.thread == rt.current; });
}

// Has the turn looked at anything but what it waits for, which is what it looked at first? What it finds there decides
// where it goes, and may be another time what it is not now.
bool looks_elsewhere(const Spurious& last) {
  ObjectId first = kNoObject;
  const auto& steps = rt.execution->steps;
  return std::any_of(steps.begin() + last.position, steps.end(), [&](const Step& s) {
    if (s.op.object == kNoObject) return false;
    if (first == kNoObject) first = s.op.object;
    return s.op.object != first && (s.op.kind == OpKind::kRead || s.op.kind == OpKind::kCasFailed);
  });
}

// The turn has led to where it began. That it always does is certain only if it looks at nothing else.
void come_round(const Spurious& last, Spontaneous what, const void* pc) {
  const bool condition = what == Spontaneous::kWait || what == Spontaneous::kTimedWait;
  if (!condition && looks_elsewhere(last)) note_assumption(trace::AssumptionKind::kNoSpuriousWakeUps, pc, kTriedAgain);
  learn_wait_loop(last.site);
}

// Going round because of that is no turn in vain (spinning.h): whether it is the same state is yet to be found out.
bool leave_at_once(Spurious& last) {
  rt.self().spin.unchanged = false;
  last.position = rt.conductor.position();
  last.state = local_state();
  last.memory = memory_now();
  return true;
}

// The thread was woken spuriously and is back. True: once more.
bool come_back(Spurious& last, Spontaneous what, const void* pc) {
  const std::uint64_t state = local_state(), memory = memory_now();
  const bool same_state = state != 0 && state == last.state;
  // Deadlines move on, and registers that are dead hold what they hold.
  const bool many = what != Spontaneous::kWait && what != Spontaneous::kSleep && last.rounds >= kMostRounds;
  if (memory == last.memory && (same_state || many)) {
    come_round(last, what, pc);
    return false;
  }
  return last.rounds++ < kMostRounds && leave_at_once(last);
}

bool chooses_to_leave(std::uint32_t where, Spontaneous what) {
  VisibleOperation choice(OpKind::kChoose, kNoObject, where);
  choice.step().set = SmallSet::below(2);
  choice.op().after = what == Spontaneous::kExchange ? trace::kSpuriousFailure : trace::kSpuriousWakeUp;
  choice.await();
  choice.step().choice = choice.choice();
  choice.performed();
  return choice.step().choice == 1;
}

}  // namespace

bool wakes_spuriously(const Call& call, Spontaneous what) {
  if (rt.spurious == 0) {
    if (rt.threads > 1) note_assumption(trace::AssumptionKind::kNoSpuriousWakeUps, call.pc);
    return false;
  }
  EngineScope scope;
  const std::uint64_t site = site_of(call, what == Spontaneous::kExchange ? kFramesOfExchange : kMostFrames);
  Spurious& last = rt.self().spurious;
  // A loop whose first turn the compiler has put before it tries again elsewhere: the same exchange, and nothing has
  // changed.
  const bool tries_again =
      what == Spontaneous::kExchange && last.site != 0 && last.site != site && last.operands == call.operands;
  if (tries_again && nobody_else_has_run(last) && memory_now() == last.memory) {
    come_round(last, what, call.pc);
    learn_wait_loop(site);
    return false;
  }
  if (is_loop(site)) {
    const bool condition = what == Spontaneous::kWait || what == Spontaneous::kTimedWait;
    if (condition && rt.threads > 1)
      note_assumption(trace::AssumptionKind::kNoSpuriousWakeUps, call.pc, kOneStandsForAll);
    return false;
  }
  const std::uint32_t where = where_of(call.pc);
  if (last.site == site && nobody_else_has_run(last)) return come_back(last, what, call.pc);
  last.site = 0;
  if (last.used >= rt.spurious || !chooses_to_leave(where, what)) return false;
  rt.in_engine = true;
  ++last.used;
  last.site = site;
  last.operands = call.operands;
  last.rounds = 1;
  return leave_at_once(last);
}

void learn_wait_loop(std::uint64_t site) {
  const std::size_t slot = slot_of(site);
  if (loops[slot] == site || known_loops == kSites / 2) return;
  loops[slot] = site;
  ++known_loops;
  grow_visible_set({protocol::LearntKind::kWaitLoop, site, 0});
  note_lesson({.wait_loop = site});
}

}  // namespace heddle::runtime
