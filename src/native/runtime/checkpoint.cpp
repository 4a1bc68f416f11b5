#include "native/runtime/checkpoint.h"

#include <string.h>
#include <x86intrin.h>

#include "native/runtime/heap.h"
#include "native/runtime/world.h"

namespace heddle::native {

constinit Checkpoint checkpoint;

namespace {

// A cycle copies some 8 bytes; what is saved must be worth twice that, and more than looking whether it serves.
constexpr std::uint64_t kBytesPerCycle = 8;
constexpr std::uint64_t kLeastCycles = 3000;
constexpr std::size_t kMostBytes = 16u << 20;

std::size_t live_stack() {
  const Thread& main = rt.thread[0];
  return main.stack.high - reinterpret_cast<std::uintptr_t>(main.stack_pointer);
}

}  // namespace

void Checkpoint::begin_prefix() {
  taken_ = false;
  began_ = __rdtsc();
}

bool Checkpoint::wanted() const {
  if (off_ || taken_ || !rt.execution->failures.empty() || !rt.local.empty() || !rt.execution->inputs.empty())
    return false;
  const Stack& stack = rt.thread[0].stack;
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const std::size_t bytes = world.hot_pages() * 4096 + heap.used_by_main() + (stack.high - here);
  const std::uint64_t cycles = __rdtsc() - began_;
  return bytes <= kMostBytes && cycles > kLeastCycles + 2 * bytes / kBytesPerCycle;
}

void Checkpoint::take() {
  const auto& steps = rt.execution->steps;
  prefix_.assign(steps.begin(), steps.end());
  decisions_.clear();
  for (const Step& step : steps) decisions_.push_back({step.thread, step.choice});
  main_ = rt.thread[0];
  const auto low = static_cast<const char*>(main_.stack_pointer);
  stack_.assign(low, low + live_stack());
  world.keep_as_middle();
  heap.keep_as_middle();
  for (Included& part : included_)
    part.copy.assign(static_cast<char*>(part.place), static_cast<char*>(part.place) + part.size);
  taken_ = true;
}

bool Checkpoint::serves(const trace::Schedule& schedule) const {
  const std::size_t n = decisions_.size();
  return taken_ && schedule.fresh >= n && schedule.steps.size() >= n &&
         schedule.tail.kind == trace::TailKind::kFirst &&
         memcmp(schedule.steps.data(), decisions_.data(), n * sizeof(trace::Decision)) == 0;
}

void Checkpoint::restore() {
  world.rewind_to_middle();
  heap.rewind_to_middle();
  for (std::size_t i = 0; i < included_count_; ++i)
    memcpy(included_[i].place, included_[i].copy.data(), included_[i].size);
  rt.thread[0] = main_;
  memcpy(main_.stack_pointer, stack_.data(), stack_.size());
}

}  // namespace heddle::native
