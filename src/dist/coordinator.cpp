#include "dist/coordinator.h"

#include <algorithm>

#include "dist/merge.h"
#include "dist/terms.h"

namespace heddle::dist {

using explore::SavedNode;
using explore::SavedSearch;

namespace {

// Brings what those in front have added into the search of one who began from `before`. False: it has done what it
// would not have done.
bool take_over(const SavedSearch& before, const std::vector<SavedNode>& theirs, SavedSearch& ours) {
  std::vector<SavedNode> nodes;
  for (std::size_t m = 0; m < before.nodes.size(); ++m) {
    auto node = merged(before.nodes[m], theirs[m], ours.nodes[m], ours.path[m]);
    if (!node) return false;
    nodes.push_back(std::move(*node));
  }
  std::move(nodes.begin(), nodes.end(), ours.nodes.begin());
  return true;
}

}  // namespace

Coordinator::Coordinator() {
  segments_.push_back(whole(1));
  changes_.segments.insert(1);
  note_order();
}

Coordinator Coordinator::of_samples(std::uint64_t samples) {
  REQUIRE(samples > 0);
  Coordinator coordinator;
  coordinator.samples_ = samples;
  coordinator.segments_.front() = coordinator.whole(1);
  return coordinator;
}

Segment Coordinator::whole(std::uint64_t id) const {
  Segment whole;
  whole.id = id;
  whole.present.begun = samples_ > 0;
  whole.present.end_sample = samples_;
  whole.before = whole.present;
  return whole;
}

Coordinator::Coordinator(SearchRecord record, std::vector<Segment> segments,
                         const std::vector<explore::SeenClass>& classes, const symbolic::TermParcel& terms)
    : record_(std::move(record)), segments_(std::move(segments)) {
  const auto numbers = symbolic::unpack(terms_, terms);
  REQUIRE(numbers && terms_.size() == terms.size() + 1);  // so they have the numbers that they had
  told_terms_ = terms_.size();
  // Whoever had something then is not there any more; the numbers go on, so that nobody's answer counts.
  for (Segment& segment : segments_) segment.out = false, ++segment.attempt;
  for (const explore::SeenClass& seen : classes) classes_.insert(seen.fingerprint);
  advance();
}

std::optional<WorkItem> Coordinator::take(const Budget& budget) {
  for (Segment& segment : segments_) {
    if (!can_be_given(segment)) continue;
    segment.out = true;
    ++segment.attempt;
    return WorkItem{segment.id,     segment.attempt, &segment == &segments_.front(),
                    budget,         segment.present, parcel_for(terms_, segment.present),
                    record_.threads};
  }
  return std::nullopt;
}

bool Coordinator::accept(WorkResult result) {
  const auto segment =
      std::find_if(segments_.begin(), segments_.end(), [&](const Segment& s) { return s.id == result.segment; });
  if (segment == segments_.end() || !segment->out || segment->attempt != result.attempt) return false;
  segment->out = false;
  if (!take_terms(terms_, result)) return false;
  segment->present = std::move(result.search);
  changes_.segments.insert(segment->id);
  if (segment == segments_.begin()) {
    commit(std::move(result.tally));
    // Who had it as speculation may know fewer.
    if (result.threads.size() > record_.threads.size()) record_.threads = std::move(result.threads);
  } else {
    add(segment->tally, std::move(result.tally));
    remember(*segment);
  }
  advance();
  return true;
}

// When there are many, every other one is enough.
void Coordinator::remember(Segment& segment) {
  constexpr std::size_t kMost = 12;
  auto& past = segment.checkpoints;
  if (past.size() == kMost) {
    for (std::size_t i = 0; 2 * i + 1 < kMost; ++i) past[i] = std::move(past[2 * i + 1]);
    past.resize(kMost / 2);
  }
  past.push_back({segment.present, segment.tally, record_.next_id});
}

void Coordinator::lost(std::uint64_t id, std::uint32_t attempt) {
  for (Segment& segment : segments_)
    if (segment.id == id && segment.attempt == attempt) segment.out = false;
  advance();  // somebody may have waited for it
}

void Coordinator::hold(std::uint64_t id, std::uint32_t attempt) {
  for (Segment& segment : segments_)
    if (segment.id == id && segment.attempt == attempt) segment.held = true;
  lost(id, attempt);
}

bool Coordinator::is_front(std::uint64_t segment, std::uint32_t attempt) const {
  return !segments_.empty() && segments_.front().id == segment && segments_.front().attempt == attempt &&
         segments_.front().out;
}

void Coordinator::begin_anew() {
  segments_.clear();
  classes_.clear();
  changes_ = {};
  changes_.anew = true;
  segments_.push_back(whole(record_.next_id++));  // answers that are still to come are about others
  changes_.segments.insert(segments_.back().id);
  curve_ = {};
  record_.committed = {};
  record_.redone = record_.divided = 0;
  note_order();
}

bool Coordinator::can_be_given(const Segment& segment) const {
  return !segment.out && segment.present.is_open() && (!segment.held || &segment == &segments_.front());
}

bool Coordinator::divide() {
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    Segment& left = segments_[i];
    if (left.out || left.held || !left.present.begun) continue;
    auto parts = samples_ > 0 ? divided_samples(left) : divided(left);
    if (!parts) continue;
    for (const Segment& part : *parts) changes_.segments.insert(part.id);
    changes_.segments.insert(left.id);
    segments_.insert(segments_.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::make_move_iterator(parts->begin()),
                     std::make_move_iterator(parts->end()));
    ++record_.divided;
    note_order();
    return true;
  }
  return false;
}

// The shallowest node with a branch to take has the largest subtrees; there must be something to do below it as well.
// What comes behind `left` from then on: what is left at the cut, and what is above it, where nothing is to be done as
// yet.
std::optional<std::vector<Segment>> Coordinator::divided(Segment& left) {
  const SavedSearch& whole = left.present;
  std::size_t cut = whole.floor;
  while (cut < whole.nodes.size() && !whole.nodes[cut].open) ++cut;
  const bool more =
      std::any_of(whole.nodes.begin() + static_cast<std::ptrdiff_t>(std::min(cut + 1, whole.nodes.size())),
                  whole.nodes.end(), [](const SavedNode& node) { return node.open; });
  if (!more) return std::nullopt;
  const auto part = [&](std::size_t nodes, std::uint32_t floor) {
    Segment segment;
    segment.id = record_.next_id++;
    segment.parent = left.id;
    segment.present.begun = true;
    segment.present.floor = floor;
    segment.present.path.assign(whole.path.begin(), whole.path.begin() + static_cast<std::ptrdiff_t>(nodes));
    segment.present.nodes.assign(whole.nodes.begin(), whole.nodes.begin() + static_cast<std::ptrdiff_t>(nodes));
    segment.before = segment.present;
    return segment;
  };
  std::vector<Segment> parts;
  parts.push_back(part(cut + 1, static_cast<std::uint32_t>(cut)));
  if (cut > whole.floor) parts.push_back(part(cut, whole.floor));
  left.present.floor = static_cast<std::uint32_t>(cut + 1);
  return parts;
}

// The first samples show how long executions are.
std::optional<std::vector<Segment>> Coordinator::divided_samples(Segment& left) {
  constexpr std::uint64_t kFirst = 16, kFewest = 32;
  const std::uint64_t samples = left.present.end_sample - left.present.next_sample;
  if (left.present.next_sample < kFirst || samples < kFewest) return std::nullopt;
  Segment right;
  right.id = record_.next_id++;
  right.parent = left.id;
  right.present = left.present;
  left.present.end_sample -= samples / 2;
  right.present.next_sample = left.present.end_sample;
  right.before = right.present;
  return std::vector<Segment>{std::move(right)};
}

// The front segment makes way as soon as it is done.
void Coordinator::advance() {
  while (!segments_.empty() && !segments_.front().out && !segments_.front().present.is_open()) {
    if (segments_.size() > 1) {
      if (!hand_over(segments_[0], segments_[1])) return;
      commit(std::move(segments_[1].tally));
      segments_[1].tally = {};
      segments_[1].checkpoints.clear();
      changes_.segments.insert(segments_[1].id);
    }
    changes_.segments.erase(segments_.front().id);
    changes_.gone.insert(segments_.front().id);
    segments_.erase(segments_.begin());
    note_order();
  }
}

// False: not yet, because somebody is at work on the next one and what comes of it is not known.
bool Coordinator::hand_over(const Segment& front, Segment& next) {
  if (front.present.longest != next.before.longest) {
    if (next.out) return false;
    next.before.longest = front.present.longest;
    go_back(next, Checkpoint{next.before, {}, next.id + 1});
    next.checkpoints.clear();
    changes_.segments.insert(next.id);
    return true;
  }
  const std::size_t shared = next.before.nodes.size();
  INVARIANT(front.present.nodes.size() >= shared && next.present.nodes.size() >= shared);
  const auto& theirs = front.present.nodes;
  if (std::equal(theirs.begin(), theirs.begin() + static_cast<std::ptrdiff_t>(shared), next.before.nodes.begin()))
    return true;
  if (next.out) return false;
  // From the present back to the beginning, at which there is nothing to contradict.
  std::vector<Checkpoint> past = std::move(next.checkpoints);
  past.insert(past.begin(), Checkpoint{next.before, {}, next.id + 1});
  if (past.size() == 1 || !(past.back().search == next.present))
    past.push_back({next.present, next.tally, record_.next_id});
  while (true) {
    Checkpoint checkpoint = std::move(past.back());
    past.pop_back();
    if (!take_over(next.before, theirs, checkpoint.search)) continue;
    go_back(next, checkpoint);
    return true;
  }
}

// What goes beyond the checkpoint was for nothing, and so is what was cut off from the segment since.
void Coordinator::go_back(Segment& next, const Checkpoint& to) {
  record_.redone += next.tally.executions - to.tally.executions;
  next.present = to.search;
  next.tally = to.tally;
  // What was cut off before stays, with all that was cut off from that, whenever it was.
  std::set<std::uint64_t> gone;
  for (const Segment& segment : segments_) {
    if (part_of(next.id, segment) < to.next_id) continue;
    record_.redone += segment.tally.executions;
    gone.insert(segment.id);
    changes_.segments.erase(segment.id);
  }
  changes_.gone.insert(gone.begin(), gone.end());
  std::erase_if(segments_, [&](const Segment& segment) { return gone.contains(segment.id); });
}

// The segment that was cut off from `whole` and that this one is, or was cut off from in turn; 0: none.
std::uint64_t Coordinator::part_of(std::uint64_t whole, const Segment& one) const {
  for (const Segment* s = &one; s != nullptr; s = segment(s->parent))
    if (s->parent == whole) return s->id;
  return 0;
}

void Coordinator::commit(Tally tally) {
  for (const explore::Sample& sample : std::exchange(tally.drawn, {})) curve_.add(sample);
  drop_known(classes_, tally);
  for (const explore::SeenClass& seen : tally.seen) {
    classes_.insert(seen.fingerprint);
    changes_.classes.push_back(seen);
  }
  tally.seen.clear();
  add(record_.committed, std::move(tally));
}

void Coordinator::note_order() {
  record_.order.clear();
  for (const Segment& segment : segments_) record_.order.push_back(segment.id);
}

std::size_t Coordinator::out() const {
  return static_cast<std::size_t>(
      std::count_if(segments_.begin(), segments_.end(), [](const Segment& s) { return s.out; }));
}

std::size_t Coordinator::waiting() const {
  return static_cast<std::size_t>(
      std::count_if(segments_.begin(), segments_.end(), [&](const Segment& s) { return can_be_given(s); }));
}

Tally Coordinator::so_far() const {
  Tally all = record_.committed;
  auto known = classes_;
  explore::SampleCurve curve = curve_;
  for (const Segment& segment : segments_) {
    Tally tally = segment.tally;
    drop_known(known, tally);
    for (const explore::SeenClass& seen : tally.seen) known.insert(seen.fingerprint);
    tally.seen.clear();
    for (const explore::Sample& sample : std::exchange(tally.drawn, {})) curve.add(sample);
    add(all, std::move(tally));
  }
  if (samples_ > 0) all.curve = curve.points();
  return all;
}

const Segment* Coordinator::segment(std::uint64_t id) const {
  const auto found = std::find_if(segments_.begin(), segments_.end(), [&](const Segment& s) { return s.id == id; });
  return found == segments_.end() ? nullptr : &*found;
}

Changes Coordinator::take_changes() {
  changes_.terms = symbolic::pack_from(terms_, std::exchange(told_terms_, terms_.size()));
  return std::exchange(changes_, {});
}

}  // namespace heddle::dist
