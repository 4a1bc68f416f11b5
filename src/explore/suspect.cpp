#include "explore/suspect.h"

#include <pthread.h>

#include <atomic>
#include <cstdio>

#include "base/assert.h"
#include "trace/schedule.h"

namespace heddle::explore {
namespace {

// A hook can reach nothing but what is global. Explorers are few.
struct Slot {
  std::atomic<const trace::Execution*> execution;
  std::atomic<pthread_t> explorer;
};
constexpr std::size_t kSlots = 256;
constinit Slot slots[kSlots] = {};

void print(const trace::Execution& execution) {
  trace::SavedSchedule schedule;
  for (const trace::Step& s : execution.steps) schedule.steps.push_back({s.thread, s.choice});
  std::fprintf(stderr, "heddle: the execution at hand was\n%s", to_text(schedule).c_str());
}

// Returns whether there are any.
bool print_all(bool of_this_thread) {
  bool any = false;
  for (const Slot& slot : slots) {
    const trace::Execution* execution = slot.execution;
    if (execution == nullptr || (of_this_thread && !pthread_equal(slot.explorer, pthread_self()))) continue;
    print(*execution);
    any = true;
  }
  return any;
}

// The runtime of a native program fails on the stack, and with the identity, of any thread of that.
void print_suspects() {
  if (!print_all(true)) print_all(false);
}

}  // namespace

Suspect::Suspect(const trace::Execution& execution) : slot_(0) {
  set_failure_hook(print_suspects);
  for (; slot_ < kSlots; ++slot_) {
    const trace::Execution* none = nullptr;
    if (!slots[slot_].execution.compare_exchange_strong(none, &execution)) continue;
    slots[slot_].explorer = pthread_self();
    return;
  }
}

Suspect::~Suspect() {
  if (slot_ < kSlots) slots[slot_].execution = nullptr;
}

}  // namespace heddle::explore
