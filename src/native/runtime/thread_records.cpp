// Threads at a checkpoint: the runtime's record of each, the live part of its stack, and what it remembers of its turns
// in waiting loops.
#include <string.h>

#include <cstddef>
#include <vector>

#include "native/runtime/parts.h"
#include "native/runtime/runtime.h"
#include "native/runtime/spinning.h"
#include "native/runtime/threads.h"
#include "native/runtime/turns.h"

namespace heddle::runtime {
namespace {

// One piece of memory after the other.
struct Kept {
  struct Piece {
    char* place;
    std::size_t size;
  };
  std::size_t threads = 0;
  std::vector<Piece> pieces;
  std::vector<char> contents;

  void add(void* place, std::size_t size) {
    const auto from = static_cast<char*>(place);
    pieces.push_back({from, size});
    contents.insert(contents.end(), from, from + size);
  }
};
constinit Kept kept[kMostCheckpoints];

// Whose stack may still be read: by the thread itself, if it goes on; by others that have pointers to its locals, and
// by who judges what it waited for, if it was stopped. An ended thread's locals are dead, but a program that is wrong
// about that is the kind that is under test: what it reads there must not come from another execution. They are kept as
// deep as the thread's last operation was; deeper frames were never anybody else's to know. A thread that failed is in
// no checkpoint (Checkpoints::possible).
bool has_stack(const Thread& thread) {
  switch (thread.status) {
    case ThreadStatus::kPending:
    case ThreadStatus::kParked:
    case ThreadStatus::kStopped:
    case ThreadStatus::kEnded:
      return true;
    case ThreadStatus::kAbsent:
    case ThreadStatus::kLocal:
    case ThreadStatus::kFailed:
      return false;
  }
  return false;
}

std::size_t live_stack(const Thread& thread) {
  return thread.stack.high - reinterpret_cast<std::uintptr_t>(thread.stack_pointer);
}

void add_turns(Turns& own, Kept& to) {
  to.add(&own, offsetof(Turns, visit) + own.visits * sizeof(Turns::Visit));
  if (own.writes > 0) to.add(own.write, own.writes * sizeof(LoggedWrite));
  if (rt.ways_watched) to.add(&own.way, sizeof own - offsetof(Turns, way));
}

void keep(std::size_t checkpoint) {
  Kept& to = kept[checkpoint];
  to.threads = rt.threads;
  to.pieces.clear();
  to.contents.clear();
  for (std::size_t t = 0; t < rt.threads; ++t) {
    Thread& thread = rt.thread[t];
    to.add(&thread, offsetof(Thread, keys) + keys_in_use() * sizeof(void*));
    if (heddle_spinning_suspected) add_turns(turns[t], to);
    if (has_stack(thread) || t == rt.current.index()) to.add(thread.stack_pointer, live_stack(thread));
  }
}

void go_back(std::size_t checkpoint) {
  const Kept& from = kept[checkpoint];
  if (heddle_spinning_suspected)
    for (std::size_t t = 0; t < from.threads; ++t) turns[t].forget();  // it may not have been when the state was kept
  const char* contents = from.contents.data();
  for (const auto& [place, size] : from.pieces) {
    memcpy(place, contents, size);
    contents += size;
  }
}

}  // namespace

// A record is made anew when its thread is started.
constinit const Part threads_part = described({.keep = keep, .go_back = go_back});

}  // namespace heddle::runtime
