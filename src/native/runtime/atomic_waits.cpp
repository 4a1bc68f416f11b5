#include "native/runtime/atomic_waits.h"

#include <algorithm>
#include <vector>

#include "native/runtime/happens_before.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"
#include "native/runtime/unmodelled.h"

namespace heddle::native {
namespace {

// What one execution has seen.
struct Wait {
  std::uintptr_t address;
  ThreadId thread;
  bool over;
};
struct Notification {
  std::uintptr_t address;
  bool all;
  const void* pc;
  ThreadId thread;
  EventIndex position;                // the steps before the call
  std::vector<std::uint32_t> before;  // epochs of other threads that happen before the call
};
struct Seen {
  std::uint32_t generation = 0;
  std::vector<Wait> waits;
  std::vector<Notification> notifications;
};

Seen& seen() {
  static auto& all = *new Seen;
  if (all.generation != rt.generation) {
    all.generation = rt.generation;
    all.waits.clear();
    all.notifications.clear();
  }
  return all;
}

const Wait* wait_of(ThreadId thread) {
  for (const Wait& wait : seen().waits)
    if (wait.thread == thread && !wait.over) return &wait;
  return nullptr;
}

bool happens_before(EventIndex store, const Notification& notification) {
  const std::size_t writer = rt.execution->steps[store].thread.index();
  if (writer == notification.thread.index()) return store < notification.position;
  return writer < notification.before.size() && notification.before[writer] >= weak_memory.epoch_at(store);
}

void notify(std::uintptr_t address, bool all, const void* pc) {
  Notification notification{address, all, pc, rt.current, rt.conductor.position(), {}};
  notification.before.resize(rt.threads);
  for (std::size_t t = 0; t < rt.threads; ++t) notification.before[t] = clocks.seen(rt.current, t);
  seen().notifications.push_back(std::move(notification));
}

}  // namespace

bool waits_for_notification(ThreadId thread) { return wait_of(thread) != nullptr; }

bool stays_asleep(ThreadId thread, ObjectId object, const std::vector<EventIndex>& newer) {
  const Wait* const wait = wait_of(thread);
  if (wait == nullptr || objects[object].address != wait->address) return false;
  const Notification* one = nullptr;
  for (const Notification& notification : seen().notifications) {
    const auto wakes = [&](EventIndex store) { return happens_before(store, notification); };
    const bool sure = notification.address == wait->address && std::any_of(newer.begin(), newer.end(), wakes);
    if (sure && notification.all) return false;
    if (sure) one = &notification;
  }
  if (one == nullptr) return true;
  const auto other = [&](const Wait& w) { return w.address == wait->address && w.thread != thread; };
  if (std::any_of(seen().waits.begin(), seen().waits.end(), other))
    note_unmodelled(one->pc, "which of several threads notify_one wakes under a memory model");
  return false;
}

}  // namespace heddle::native

using namespace heddle::native;

extern "C" {
int heddle_wait_begins(const volatile void* address) noexcept {
  if (!rt.weak || !controlled()) return 0;
  EngineScope scope;
  seen().waits.push_back({reinterpret_cast<std::uintptr_t>(address), rt.current, false});
  return 1;
}

void heddle_wait_ends() noexcept {
  EngineScope scope;
  for (Wait& wait : seen().waits)
    if (wait.thread == rt.current) wait.over = true;
}

int heddle_notifies(const volatile void* address, int all) noexcept {
  if (!rt.weak || !controlled()) return 0;
  EngineScope scope;
  notify(reinterpret_cast<std::uintptr_t>(address), all != 0, __builtin_return_address(0));
  return 1;
}
}
