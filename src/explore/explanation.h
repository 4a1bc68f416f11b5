// What Heddle can say about a failing execution beyond the execution itself: how far it was shortened, where the last
// way out was, and which two steps had to come in this order for it to fail. Filled in by explain.h; plain data,
// which travels from a worker to the supervisor and into every report.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "trace/execution.h"
#include "trace/schedule.h"

namespace heddle::explore {

using namespace trace;

// How complicated a schedule is to follow, most important first. Steps count up to the failure.
struct ScheduleCost {
  std::uint32_t preemptions = 0;  // switches away from a thread that could have gone on
  std::uint32_t switches = 0;     // all of them
  std::uint32_t steps = 0;
  auto operator<=>(const ScheduleCost&) const = default;
};

ScheduleCost cost_of(const Execution& execution, EventIndex steps);

enum class Pattern : std::uint8_t {
  kNone,
  kLostUpdate,     // read, another thread writes, write of what was computed from the old value
  kCheckThenAct,   // what was checked has changed before it is acted upon
  kLostWakeup,     // the signal came before the wait
  kLockOrder,      // locks taken in different orders, each waits for the other
  kUseAfterFree,   // one thread frees what another one has got hold of through shared memory
  kUseAfterScope,  // a variable ends with its scope while another thread may still use it
  kAba,            // compare-and-swap finds the old value again, but not the old state
  kBareWait,       // a thread that was woken goes on without looking again
  kWrongWaiter,    // the signal woke a thread that could not use it, and one that could goes on waiting
  kTooFewWoken,    // the signal woke one thread, and others wait for the same
  kNoSignal,       // a thread waits for what nobody ever signals
  kUpgrade,        // a reader waits to become a writer, and for itself to let go
  kPublication,    // handed over by an access that does not order what was written before
  kTooEarly,       // handed over before it is written
  kWaitsWithLock,  // a thread waits for what another one would do, and holds the lock which that one waits for
  kShutdown,       // what another thread uses is taken away, and only then that thread is joined
  kInvalidated,    // a container gives its storage back while a thread still points into it
};
inline constexpr std::uint64_t kPatterns = static_cast<std::uint64_t>(Pattern::kInvalidated) + 1;

// "lost update", ...
const char* name_of(Pattern pattern);

// Under a memory model: an access or a fence that would have to have a stronger order (graph/strengthen.h).
struct StrongerOrder {
  EventIndex step = kNoEvent;  // there in the finding's execution, or kNoEvent
  std::uint32_t where = 0;
  OpKind kind = OpKind::kRead;
  MemoryOrder own = MemoryOrder::kRelaxed;
  MemoryOrder wanted = MemoryOrder::kRelaxed;
};
enum class Orders : std::uint8_t {
  kNotTried,
  kHelp,       // with the orders of `stronger` no execution fails like this, and with fewer some do
  kDoNotHelp,  // some execution does even if everything is sequentially consistent
};

struct Explanation {
  bool minimized = false;  // the finding's execution is the shortest we found, not the first
  ScheduleCost found;      // of the execution that was found first
  ScheduleCost shown;      // of the finding's execution
  std::uint64_t runs = 0;  // executions spent on all this

  // The step after which no continuation we know of ends well; before it, `reversed` or another one did.
  EventIndex critical = kNoEvent;
  bool critical_certain = false;  // every continuation after it was explored, not only some
  bool inevitable = false;        // not even from the start: this is no matter of scheduling
  bool inevitable_certain = false;

  // The decisive pair: in the finding's execution `first` comes before `second`; in `reversed` it is the other way
  // round, and that run does not fail. Indices into the execution's steps; from their number on, into its pending
  // operations. `second` is kNoEvent if it is the alternative taken by `first` (signal, choose) that decides.
  EventIndex first = kNoEvent;
  EventIndex second = kNoEvent;
  Execution reversed;                       // really run, and good; of a data race: run, or empty if it cannot be
  std::vector<Decision> reversed_schedule;  // replays it

  Pattern pattern = Pattern::kNone;
  // The unit that the pattern breaks apart: read and write of a lost update, check and act, read and compare-and-swap
  // (steps of one thread) or the signal and the wait. kNoEvent where the pattern has none; `act` may be pending.
  EventIndex check = kNoEvent;
  EventIndex act = kNoEvent;

  Orders orders = Orders::kNotTried;
  std::vector<StrongerOrder> stronger;
  std::vector<StrongerOrder> fences;  // to be put before these accesses instead, where that is less to change

  // Of a data race: who of the two leaves the scope of the variable.
  ThreadId leaves_scope = kNoThread;
  // Of a data race: the program calls code that was not looked at, which might order the two.
  bool beside_unseen_code = false;

  bool has_pair() const { return first != kNoEvent; }
};

// The step that an index of an explanation means: performed, or pending in the end. Null if there is none.
inline const Step* step_at(const Execution& execution, EventIndex index) {
  if (index < execution.steps.size()) return &execution.steps[index];
  const std::size_t rest = index - execution.steps.size();
  return index != kNoEvent && rest < execution.pending.size() ? &execution.pending[rest].step : nullptr;
}

}  // namespace heddle::explore
