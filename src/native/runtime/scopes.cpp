// Where the scope of a local variable ends that other threads may know, it is given back, as a block on the heap is by
// free: an access by another thread that nothing orders with that is a data race, whichever comes first in an
// execution. A thread that is detached and still uses what it has captured by reference is found like that.
//
// A lock is not accessed but used, which races with nothing. One in a frame that has been left may look as it was all
// the same, so the last access to its place is asked for.
//
// Scopes are the compiler's (pass/instrument.cpp). Most of them end when every other thread has been joined, or with
// variables that nobody else has seen.
#include <vector>

#include "native/runtime/atomic_sections.h"
#include "native/runtime/freed_objects.h"
#include "native/runtime/happens_before.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/scopes.h"
#include "native/runtime/unseen_libraries.h"

namespace heddle::runtime {
namespace {

std::vector<bool> ends;  // by position; kept

// All that others have done, and will do, happens before what the current thread does next.
bool others_are_over() {
  for (std::size_t t = 0; t < rt.threads; ++t) {
    if (t == rt.current.index()) continue;
    const ThreadStatus status = rt.thread[t].status;
    if (status == ThreadStatus::kAbsent) continue;
    if (status != ThreadStatus::kEnded ||
        !clocks.ordered(t, clocks.epoch(ThreadId(static_cast<std::uint16_t>(t))), rt.current))
      return false;
  }
  return true;
}

void note_end(std::uint32_t where) {
  if (where < ends.size() && ends[where]) return;
  EngineScope scope;
  if (where >= ends.size()) ends.resize(where + 1);
  ends[where] = true;
}

}  // namespace

bool is_end_of_scope(std::uint32_t where) { return where < ends.size() && ends[where]; }

void check_scope(const Object& object, std::uint32_t where) {
  const std::optional<CellAccess> end = end_of_scope_beside(object.address);
  if (!end) return;
  note_use_behind_end(object);
  protocol::FailureDetail detail;
  detail.address = object.address;
  detail.size = object.size;
  detail.leaves_scope = detail.other_leaves_scope = true;
  detail.other_thread = ThreadId(end->thread);
  detail.other_where = end->where;
  fail_thread(trace::FailureKind::kMutexMisuse, reinterpret_cast<const void*>(first_address(where)),
              "an object is used whose scope another thread has left", detail);
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

extern "C" void heddle_scope_ends(const void* local, std::size_t size) {
  if (!controlled() || rt.threads < 2 || !rt.races_checked || in_section() || others_are_over()) return;
  if (unseen_code_was_called()) return;  // which may have waited for the others
  const void* const pc = __builtin_return_address(0);
  note_end(where_of(pc));
  const auto address = reinterpret_cast<std::uintptr_t>(local);
  await_free(address, size, pc);
  constexpr std::size_t kLarge = 1024;  // of larger ones only what has been accessed
  free_access(address, size, pc, size <= kLarge);
}
