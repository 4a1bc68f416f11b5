// Loops that wait on plain memory (spinning.h).
#include <algorithm>

#include "native/runtime/race_detector.h"
#include "native/runtime/spinning.h"

namespace heddle::runtime {

namespace {

// So many accesses are looked at before the clock is asked again.
constexpr std::uint32_t kWatched = 20'000;

struct Read {
  std::uintptr_t address;
  std::size_t size;
};

struct Watch {
  ThreadId thread = kNoThread;
  EventIndex position = 0;
  const void* pc = nullptr;  // where it may begin a turn
  std::uint64_t state = 0;
  std::uint32_t since = 0, patience = 0;  // accesses since then, and how many before another beginning is tried
  std::uint32_t left = 0;
  Read reads[16] = {};
  std::size_t used = 0;
};
constinit Watch watch;

void begin_turn(const void* pc, std::uint64_t state) {
  watch.pc = pc;
  watch.state = state;
  watch.since = 0;
  watch.used = 0;
}

}  // namespace

void suspect_plain_loop() {
  if (rt.plain_loop_suspected || !rt.races_checked || rt.threads < 2) return;
  watch = {};
  watch.thread = rt.current;
  watch.position = rt.conductor.position();
  watch.left = kWatched;
  rt.plain_loop_suspected = true;
}

void watch_plain_loop(std::uintptr_t address, std::size_t size, bool write, const void* pc) {
  const bool moves = rt.current != watch.thread || rt.conductor.position() != watch.position;
  if (moves || --watch.left == 0) {
    rt.plain_loop_suspected = false;
    return;
  }
  if (rt.self().stack.contains(address)) return;
  if (write) {
    watch.pc = nullptr;  // no turn in vain: begin again
    return;
  }
  EngineScope scope;
  rt.pc = pc;
  // A turn may be several of an inner loop, which comes to this place with other states: the beginning stays (Brent's
  // way to find cycles, with distances that double).
  if (watch.pc == pc && watch.used > 0 && watch.state != 0 && local_state() == watch.state) {
    rt.plain_loop_suspected = false;
    for (std::size_t i = 0; i < watch.used; ++i) make_polled_visible(watch.reads[i].address, watch.reads[i].size);
    return;
  }
  if (watch.pc == nullptr || ++watch.since > watch.patience) {
    watch.patience = 2 * watch.patience + 1;
    begin_turn(pc, local_state());
  }
  const bool listed = std::any_of(watch.reads, watch.reads + watch.used,
                                  [&](const Read& r) { return r.address == address && r.size == size; });
  if (!listed && watch.used < std::size(watch.reads)) watch.reads[watch.used++] = {address, size};
}

}  // namespace heddle::runtime
