#include "dist/work_item.h"

#include <algorithm>

#include "dist/search_fields.h"
#include "explore/parallel.h"

namespace heddle::dist {
namespace {

template <class T>
Result<T> sound(Result<T> read) {
  if (read && !is_sound(read->search)) return Error{"a part of a search contradicts itself; begin the search anew"};
  return read;
}

template <class T>
void add_missing(std::vector<T>& to, const std::vector<T>& from) {
  for (const T& value : from)
    if (std::find(to.begin(), to.end(), value) == to.end()) to.push_back(value);
}

}  // namespace

void drop_known(const std::unordered_set<std::uint64_t>& known, Tally& part) {
  std::erase_if(part.seen, [&](const explore::SeenClass& seen) {
    if (!known.contains(seen.fingerprint)) return false;
    --part.classes;
    part.deadlocked -= seen.outcome == trace::Outcome::kDeadlock ? 1 : 0;
    part.failed -= seen.outcome == trace::Outcome::kFailed ? 1 : 0;
    return true;
  });
}

void add(Tally& whole, Tally part) {
  if (whole.algorithm.empty()) whole.algorithm = part.algorithm;
  if (!whole.preemptions) whole.preemptions = part.preemptions;
  if (!whole.seen.empty() && !part.seen.empty()) {
    std::unordered_set<std::uint64_t> known;
    for (const auto& seen : whole.seen) known.insert(seen.fingerprint);
    drop_known(known, part);
  }
  add_missing(whole.gaps, part.gaps);
  for (const trace::Assumption& assumption : part.assumptions) {
    const auto same = [&](const trace::Assumption& a) {
      return a.kind == assumption.kind && a.text == assumption.text;
    };
    const auto known = std::find_if(whole.assumptions.begin(), whole.assumptions.end(), same);
    if (known == whole.assumptions.end())
      whole.assumptions.push_back(assumption);
    else
      add_missing(known->places, assumption.places);
  }
  whole.seen.insert(whole.seen.end(), part.seen.begin(), part.seen.end());
  part.seen.clear();
  std::move(part.drawn.begin(), part.drawn.end(), std::back_inserter(whole.drawn));
  part.gaps.clear();
  part.assumptions.clear();
  const double seconds = whole.seconds + part.seconds;
  explore::merge(whole, std::move(part));
  whole.seconds = seconds;
}

Bytes encode(const WorkItem& item) { return written(FrameKind::kItem, item); }
Bytes encode(const WorkResult& result) { return written(FrameKind::kResult, result); }
Bytes encode(const Tally& tally) { return written(FrameKind::kTally, tally); }
Result<WorkItem> decode_item(std::span<const std::uint8_t> bytes) {
  return sound(read<WorkItem>(FrameKind::kItem, bytes, "work item"));
}
Result<WorkResult> decode_result(std::span<const std::uint8_t> bytes) {
  return sound(read<WorkResult>(FrameKind::kResult, bytes, "result of a work item"));
}
Result<Tally> decode_tally(std::span<const std::uint8_t> bytes) {
  return read<Tally>(FrameKind::kTally, bytes, "count of executions");
}

}  // namespace heddle::dist
