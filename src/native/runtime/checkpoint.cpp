#include "native/runtime/checkpoint.h"

#include <string.h>

#include <algorithm>

#include "native/runtime/heap.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/sharing.h"
#include "native/runtime/world.h"

namespace heddle::runtime {

constinit Checkpoints checkpoints;

namespace {

// A cycle copies some 8 bytes; besides, there are the two switches and many small parts.
constexpr std::uint64_t kBytesPerCycle = 8;
constexpr std::uint64_t kLeastCycles = 1000;
constexpr std::size_t kMostBytes = 16u << 20;
constexpr std::size_t kBytesPerThread = 1024;  // stack and record, typically

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
  if (size_ == kMostCheckpoints) return;
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

void Checkpoints::take() {
  rt.checkpoint_at = kNoCheckpoint;
  Checkpoint& c = stack_[size_];
  c.position = rt.conductor.position();
  c.bytes = bytes_beyond_pages();
  c.threads_seen = rt.execution->threads;
  c.stopped = rt.execution->stopped;
  c.idle_turns = rt.execution->idle_turns;
  c.round_trips = rt.execution->round_trips;
  c.unwanted = rt.execution->unwanted;
  c.announced.clear();
  rt.conductor.keep(c.announced);
  keep_parts(size_++);
  const auto& steps = rt.execution->steps;
  prefix_.assign(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(c.position));
  decisions_.clear();
  for (const Step& step : prefix_) decisions_.push_back({step.thread, step.choice});
  observed_ = 0;
  window_ = kLeastWindow;
}

void Checkpoints::restore() { put_parts_back(size_ - 1); }

void Checkpoints::measure(std::uint64_t cycles, std::size_t steps) {
  cycles_per_step_ = (7 * cycles_per_step_ + cycles / (steps + 1)) / 8;
}

}  // namespace heddle::runtime
