// A backward slice over values. It begins at what the failing thread looked at last: before an assertion the values
// that were compared, before a wait its condition. What it found there somebody wrote; what that thread had looked at
// since its last visible operation is what it may have computed that value, or decided to write, from; and so on. The
// idea is that of dynamic slicing (Agrawal, Horgan, PLDI 1990), but we see accesses and no registers: between two
// visible operations everything read before a write counts as its source. So the slice is too large rather than too
// small, and what is far from the failure is shown last.
//
// What a thread has looked at in the critical sections before the one in which it writes may be why it writes at all;
// that is one step further still.
//
// Memory that only one thread knows explains nothing that its source does not: its stack, blocks that it keeps to
// itself.
#include "explore/data_slice.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "explore/data_note.h"

namespace heddle::explore {
namespace {

using namespace trace;

constexpr std::uint8_t kFarthest = 4;
constexpr std::size_t kLastSegments = 3;  // between two visible operations, that are gone through backwards

class Slicer {
 public:
  Slicer(const std::vector<PlainAccess>& all, const Finding& finding)
      : all_(all),
        execution_(finding.execution),
        failure_(finding.failure),
        why_(finding.explanation),
        distance_(all.size(), kUnrelated) {
    find_locked();
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (failure_.thread != kNoThread && all_[i].step > failure_.step) continue;  // came later
      segments_[{all_[i].thread.value, all_[i].step}].push_back(i);
      each_granule(all_[i], [&](std::uint64_t granule) { at_[granule].push_back(i); });
    }
  }

  std::vector<SlicedAccess> slice(std::size_t most) {
    for (const EventIndex decisive : {why_.first, why_.second, why_.check, why_.act}) reach_after(decisive);
    for (const ThreadId thread : failing_threads()) reach_last_segments(thread, kNoEvent, all_.size(), 0);
    for (std::size_t next = 0; next < work_.size(); ++next) explain(work_[next]);
    std::vector<SlicedAccess> chosen;
    for (const auto& [key, segment] : segments_)
      for (const std::size_t i : segment)
        if (is_told(i)) chosen.push_back({i, distance_[i]});
    std::stable_sort(chosen.begin(), chosen.end(), [](const SlicedAccess& a, const SlicedAccess& b) {
      return a.distance != b.distance ? a.distance < b.distance : a.index > b.index;
    });
    if (chosen.size() > most) chosen.resize(most);
    std::sort(chosen.begin(), chosen.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
    return chosen;
  }

 private:
  template <class F>
  static void each_granule(const PlainAccess& access, F&& f) {
    constexpr std::uint64_t kMost = 16;  // of a long range the beginning will do
    const std::uint64_t first = access.address >> 3, last = (access.address + std::max(access.size, 1u) - 1) >> 3;
    for (std::uint64_t granule = first; granule <= last && granule < first + kMost; ++granule) f(granule);
  }
  static bool overlap(const PlainAccess& a, const PlainAccess& b) {
    return a.address < b.address + b.size && b.address < a.address + a.size;
  }
  void find_locked() {
    std::vector<std::size_t> held(execution_.threads + 1, 0);
    for (const Step& step : execution_.steps) {
      std::size_t& own = held[std::min<std::size_t>(step.thread.index(), execution_.threads)];
      switch (step.op.kind) {
        case OpKind::kAcquire:
        case OpKind::kTryAcquire:
        case OpKind::kSharedAcquire:
        case OpKind::kSharedTry:
          ++own;
          break;
        case OpKind::kRelease:
        case OpKind::kSharedRelease:
        case OpKind::kWaitRelease:
          own -= own > 0 ? 1 : 0;
          break;
        default:
          break;
      }
      locked_.push_back(own > 0);
    }
  }
  bool under_a_lock(const PlainAccess& access) const {
    return access.step > 0 && access.step <= locked_.size() && locked_[access.step - 1] &&
           execution_.steps[access.step - 1].thread == access.thread;
  }
  bool changes(std::size_t i) const { return all_[i].write && (all_[i].size > 8 || all_[i].before != all_[i].after); }
  // By what another thread had written there, if only with the same value: an update may be lost by it.
  bool overwrites(std::size_t i) const {
    const auto found = at_.find(all_[i].address >> 3);
    if (!all_[i].write || found == at_.end()) return false;
    const auto last = std::find_if(found->second.rbegin(), found->second.rend(), [&](std::size_t other) {
      return other < i && all_[other].write && overlap(all_[i], all_[other]);
    });
    return last != found->second.rend() && all_[*last].thread != all_[i].thread;
  }
  bool is_changed(std::size_t i) const {
    const auto found = at_.find(all_[i].address >> 3);
    return found != at_.end() && std::any_of(found->second.begin(), found->second.end(), [&](std::size_t other) {
             return changes(other) && overlap(all_[i], all_[other]);
           });
  }
  bool is_shared(std::size_t i) const {
    const auto found = at_.find(all_[i].address >> 3);
    return found != at_.end() && std::any_of(found->second.begin(), found->second.end(), [&](std::size_t other) {
             return all_[other].thread != all_[i].thread && overlap(all_[i], all_[other]);
           });
  }

  bool is_told(std::size_t i) const {
    const PlainAccess& access = all_[i];
    if (access.write && !changes(i) && !overwrites(i)) return false;
    if (!access.write && distance_[i] == kUnrelated) return false;
    if (is_shared(i)) return true;
    if (distance_[i] == kUnrelated) return changes(i) && under_a_lock(access);
    return access.variable || (!access.own_stack && !is_changed(i));
  }

  // Whose last steps are to be explained.
  std::vector<ThreadId> failing_threads() const {
    std::vector<ThreadId> threads;
    if (failure_.thread != kNoThread) threads.push_back(failure_.thread);
    if (failure_.kind == FailureKind::kDeadlock || failure_.kind == FailureKind::kLivelock)
      for (std::size_t t = 0; t < execution_.threads; ++t) threads.push_back(ThreadId(static_cast<std::uint16_t>(t)));
    return threads;
  }

  // What the thread of a decisive step looked at right after it.
  void reach_after(EventIndex step) {
    if (step >= execution_.steps.size()) return;
    const auto segment = segments_.find({execution_.steps[step].thread.value, step + 1});
    if (segment == segments_.end()) return;
    for (const std::size_t i : segment->second)
      if (!all_[i].write) reach(i, 1);
  }

  // What a thread looked at before access `before`, in the stretch after so many steps and in those before it.
  void reach_last_segments(ThreadId thread, EventIndex step, std::size_t before, std::uint8_t distance) {
    auto segment = segments_.upper_bound({thread.value, step});
    for (std::size_t n = 0; n < kLastSegments && segment != segments_.begin(); ++n, ++distance) {
      --segment;
      if (segment->first.first != thread.value || distance > kFarthest) return;
      for (const std::size_t i : segment->second)
        if (i < before && !all_[i].write) reach(i, distance);
    }
  }

  void reach(std::size_t i, std::uint8_t distance) {
    if (distance_[i] <= distance) return;
    distance_[i] = distance;
    work_.push_back(i);
  }

  // Of a read: who wrote what it found. Of a write: what its thread had looked at before it.
  void explain(std::size_t i) {
    const std::uint8_t distance = distance_[i];
    if (all_[i].write) {
      if (distance >= kFarthest) return;
      reach_last_segments(all_[i].thread, all_[i].step, i, static_cast<std::uint8_t>(distance + 1));
      return;
    }
    each_granule(all_[i], [&](std::uint64_t granule) {
      for (const std::size_t other : at_[granule])
        if (other < i && (changes(other) || overwrites(other)) && overlap(all_[i], all_[other])) reach(other, distance);
    });
  }

  const std::vector<PlainAccess>& all_;
  const Execution& execution_;
  const Failure& failure_;
  const Explanation& why_;
  std::vector<bool> locked_;  // by step: its thread holds a lock after it
  std::vector<std::uint8_t> distance_;
  std::map<std::pair<std::uint16_t, EventIndex>, std::vector<std::size_t>> segments_;  // between two steps of a thread
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> at_;                     // by granule
  std::vector<std::size_t> work_;
};

}  // namespace

std::vector<SlicedAccess> data_slice(const std::vector<PlainAccess>& accesses, const Finding& finding,
                                     std::size_t most) {
  return Slicer(accesses, finding).slice(most);
}

}  // namespace heddle::explore
