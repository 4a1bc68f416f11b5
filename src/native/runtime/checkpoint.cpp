#include "native/runtime/checkpoint.h"

#include <string.h>

#include <algorithm>

#include "native/runtime/sharing.h"
#include "native/runtime/spinning.h"
#include "native/runtime/threads.h"
#include "native/runtime/turns.h"

namespace heddle::runtime {

constinit Checkpoints checkpoints;

namespace {

// A cycle copies some 8 bytes; besides, there are the two switches and many small parts.
constexpr std::uint64_t kBytesPerCycle = 8;
constexpr std::uint64_t kLeastCycles = 1000;
constexpr std::size_t kMostBytes = 16u << 20;
constexpr std::size_t kBytesPerThread = 1024;  // stack and record, typically

// Whose stack may still be read: by the thread itself, if it goes on; by others that have pointers to its locals, and
// by who judges what it waited for, if it was stopped. An ended thread's locals are dead, but a program that is wrong
// about that is the kind that is under test: what it reads there must not come from another execution. They are kept as
// deep as the thread's last operation was; deeper frames were never anybody else's to know. A thread that failed is in
// no checkpoint (possible()).
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

// What a checkpoint takes more than the hot pages, which are put back in any case.
std::size_t bytes_beyond_pages() {
  return heap.bytes_beyond_start() + accesses_remembered() * sizeof(Cell) + rt.threads * kBytesPerThread;
}

}  // namespace

void Checkpoints::forget() {
  size_ = 0;
  prefix_.clear();
  decisions_.clear();
  observed_ = 0;
  window_ = kLeastWindow;
}

void Checkpoints::prepare(const trace::Schedule& schedule) {
  rt.checkpoint_at = kNoCheckpoint;
  if (off_ || schedule.tail.kind != trace::TailKind::kFirst) return forget();
  drop_others(schedule);
  plan(std::min(schedule.fresh, schedule.steps.size()));
}

void Checkpoints::drop_others(const trace::Schedule& schedule) {
  if (size_ == 0) return;
  const std::size_t known = std::min({decisions_.size(), schedule.fresh, schedule.steps.size()});
  std::size_t common = known;
  if (memcmp(decisions_.data(), schedule.steps.data(), known * sizeof(trace::Decision)) != 0)
    common = static_cast<std::size_t>(std::mismatch(decisions_.begin(),
                                                    decisions_.begin() + static_cast<std::ptrdiff_t>(known),
                                                    schedule.steps.begin())
                                          .first -
                                      decisions_.begin());
  if (stack_[size_ - 1].position <= common) return;
  while (size_ > 0 && stack_[size_ - 1].position > common) --size_;
  const std::size_t left = size_ > 0 ? stack_[size_ - 1].position : 0;
  prefix_.resize(left);
  decisions_.resize(left);
  observed_ = 0;
  window_ = kLeastWindow;
}

void Checkpoints::observe_from(std::size_t fresh) {
  observed_ = 0;
  floor_ = fresh;
}

void Checkpoints::plan(std::size_t fresh) {
  fresh_ = fresh;
  if (observed_ == window_) {
    window_ = std::min(2 * window_, kLargestWindow);
    observed_ = 0;
  }
  if (observed_ == 0) observe_from(fresh);
  ++observed_;
  floor_ = std::min(floor_, fresh);
  if (size_ == kMost) return;
  // Step n ends the stretch number n: the first is the way to the first step.
  const std::size_t done = size_ > 0 ? stack_[size_ - 1].position + 1 : 0;
  if (floor_ < done) return;
  const std::uint64_t bytes = bytes_beyond_pages();
  const std::uint64_t less = size_ > 0 ? stack_[size_ - 1].bytes : 0;
  const std::uint64_t restoring = bytes > less ? (bytes - less) / kBytesPerCycle : 0;
  const std::uint64_t running = (floor_ + 1 - done) * cycles_per_step_;
  if (running <= restoring) return;
  const std::uint64_t taking = kLeastCycles + (bytes + 4096 * world.hot_pages()) / kBytesPerCycle;
  if (observed_ * (running - restoring) > taking) rt.checkpoint_at = floor_;
}

bool Checkpoints::possible() {
  const bool ok = rt.conductor.position() <= fresh_ && rt.execution->failures.empty() && rt.execution->inputs.empty() &&
                  !off_ && !sharing.watched() && accesses_known() &&
                  bytes_beyond_pages() + 4096 * world.hot_pages() <= kMostBytes;
  if (!ok) rt.checkpoint_at = kNoCheckpoint;
  return ok;
}

void Checkpoints::add_piece(Checkpoint& c, void* place, std::size_t size) {
  const auto from = static_cast<char*>(place);
  c.pieces.push_back({from, size});
  c.contents.insert(c.contents.end(), from, from + size);
}

void Checkpoints::take() {
  rt.checkpoint_at = kNoCheckpoint;
  Checkpoint& c = stack_[size_++];
  c.position = rt.conductor.position();
  c.bytes = bytes_beyond_pages();
  c.current = rt.current;
  c.pending = rt.pending;
  c.blocking = rt.blocking;
  c.joining = rt.joining;
  c.signalling = rt.signalling;
  c.threads = rt.threads;
  c.threads_seen = rt.execution->threads;
  c.stopped = rt.execution->stopped;
  c.idle_turns = rt.execution->idle_turns;
  c.round_trips = rt.execution->round_trips;
  c.unwanted = rt.execution->unwanted;
  c.exit_code = rt.exit_code;
  c.exited = rt.exited;
  c.announced.clear();
  rt.conductor.keep(c.announced);
  c.pieces.clear();
  c.contents.clear();
  for (std::size_t t = 0; t < rt.threads; ++t) {
    Thread& thread = rt.thread[t];
    add_piece(c, &thread, offsetof(Thread, keys) + keys_in_use() * sizeof(void*));
    if (heddle_spinning_suspected) {
      Turns& own = turns[t];
      add_piece(c, &own, offsetof(Turns, visit) + own.visits * sizeof(Turns::Visit));
      if (own.writes > 0) add_piece(c, own.write, own.writes * sizeof(LoggedWrite));
      if (ways_watched) add_piece(c, &own.way, sizeof own - offsetof(Turns, way));
    }
    if (has_stack(thread) || t == rt.current.index()) add_piece(c, thread.stack_pointer, live_stack(thread));
  }
  for (std::size_t i = 0; i < included_count_; ++i) add_piece(c, included_[i].place, included_[i].size);
  world.keep(c.world);
  heap.keep(c.heap);
  clocks.keep(c.clocks);
  keep_accesses(c.accesses);
  const auto& steps = rt.execution->steps;
  prefix_.assign(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(c.position));
  decisions_.clear();
  for (const Step& step : prefix_) decisions_.push_back({step.thread, step.choice});
  observed_ = 0;
  window_ = kLeastWindow;
}

void Checkpoints::restore() {
  const Checkpoint& c = stack_[size_ - 1];
  world.rewind_to(c.world);
  heap.rewind_to(c.heap);
  if (heddle_spinning_suspected)
    for (std::size_t t = 0; t < c.threads; ++t) turns[t].forget();  // it may not have been when the state was kept
  const char* from = c.contents.data();
  for (const auto& [place, size] : c.pieces) {
    memcpy(place, from, size);
    from += size;
  }
  clocks.rewind_to(c.clocks);
  rewind_accesses(c.accesses);
  rt.current = c.current;
  rt.local = {};
  rt.pending = c.pending;
  rt.blocking = c.blocking;
  rt.joining = c.joining;
  rt.signalling = c.signalling;
  rt.threads = c.threads;
  rt.exit_code = c.exit_code;
  rt.exited = c.exited;
  rt.plain_write_size = 0;
}

void Checkpoints::measure(std::uint64_t cycles, std::size_t steps) {
  cycles_per_step_ = (7 * cycles_per_step_ + cycles / (steps + 1)) / 8;
}

}  // namespace heddle::runtime
