#include "stateful/planned_tail.h"

#include <algorithm>

#include "stateful/stuck.h"
#include "trace/dependence.h"
#include "trace/object.h"

namespace heddle::stateful {

using net::kNoLocal;
using net::kNoStep;
using net::kNoValue;
using net::LocalId;
using net::LocalState;
using net::Status;
using net::StepId;
using net::ValueId;
using trace::OpKind;

void PlannedTail::append(const net::Marking& from, trace::Schedule& schedule) {
  constexpr int kDraws = 8, kRandom = 16;
  best_.moves.clear();
  best_.certain = best_.shown = 0;
  for (int i = 0; i < kDraws; ++i) {
    draw(from);
    if (drawn_.shown > best_.shown) std::swap(best_, drawn_);
  }
  const auto certain = best_.moves.begin() + static_cast<std::ptrdiff_t>(best_.certain);
  schedule.steps.insert(schedule.steps.end(), best_.moves.begin(), certain);
  for (auto move = certain; move != best_.moves.end(); ++move) schedule.tail.wishes.push_back(move->thread);
  for (int i = 0; i < kRandom; ++i)
    schedule.tail.wishes.push_back(ThreadId(static_cast<std::uint16_t>(random_.below(from.threads()))));
}

// A way to where nobody can go on, or nobody knows how.
void PlannedTail::draw(const net::Marking& from) {
  constexpr std::size_t kLongest = 1000;
  drawn_.moves.clear();
  drawn_.certain = kLongest;
  guessed_ = lost_ = {};
  new_.clear();
  marking_ = from;
  for (std::size_t t = 0; t < from.threads(); ++t) {
    const ThreadId thread(static_cast<std::uint16_t>(t));
    if (const LocalId p = from.local(thread); p != kNoLocal && net_[p].status == Status::kUnknown)
      guess(thread, net_[p].parent);
  }
  drawn_.shown = 0;  // by the way itself
  std::size_t last = 0;
  while (drawn_.moves.size() < kLongest) {
    moves_.clear();
    for (std::size_t t = 0; t < marking_.threads(); ++t) collect(ThreadId(static_cast<std::uint16_t>(t)));
    std::erase_if(moves_, [&](const Move& move) { return !goes(move); });
    if (moves_.empty()) break;
    const std::size_t before = drawn_.shown;
    go(moves_[random_.below(moves_.size())]);
    if (drawn_.shown > before) last = drawn_.moves.size();
  }
  drawn_.moves.resize(last);
  drawn_.certain = std::min(drawn_.certain, last);
}

void PlannedTail::collect(ThreadId t) {
  const LocalId p = marking_.local(t);
  if (p == kNoLocal || net_[p].status != Status::kPending || lost_.contains(t)) return;
  const LocalState& state = net_[p];
  if (state.kind == OpKind::kJoin) {
    if (has_ended(net_, marking_, state.peer))
      moves_.push_back({{t, 0}, net_.find_join(p, marking_.local(state.peer))});
    return;
  }
  const ValueId found = marking_.value(net_, state.object);
  if (!net_.outcome(p, found)) return;
  net_.choices(p, found).for_each([&](std::size_t c) {
    const auto choice = static_cast<std::uint16_t>(c);
    moves_.push_back({{t, choice}, net_.find_step(p, found, choice)});
  });
}

bool PlannedTail::goes(const Move& move) {
  const LocalState& from = net_[marking_.local(move.decision.thread)];
  if (from.kind == OpKind::kTerminate) return false;
  const ValueId found = marking_.value(net_, from.object);
  // What a value is that nobody has seen written is not known.
  if (found != kNoValue && !net_[found].known && net_[found].writer != kNoLocal) return false;
  const bool branches = from.kind == OpKind::kBranch || from.kind == OpKind::kAssume;
  if (move.step == kNoStep) return !trace::is_on_counted(from.kind) && !trace::may_wake(from.kind) && !branches;
  if (net_.is_idle(move.step)) return false;
  if (!net_.wakes(move.step).empty()) return !guesses();
  if (!branches || guessed_.contains(move.decision.thread)) return true;
  net::Marking after = marking_;
  // Whoever is led on by a guess may have taken the other branch.
  guessed_.for_each_thread([&](ThreadId t) { after.set(t, left_[t.index()]); });
  after.set(move.decision.thread, net_[move.step].to);
  return judge_.feasible(after);
}

void PlannedTail::go(const Move& move) {
  const ThreadId thread = move.decision.thread;
  const LocalId from = marking_.local(thread);
  const ObjectId object = net_[from].object;
  const bool reads = trace::access_of(net_[from].kind) == trace::Access::kReads;
  const bool finds_new = net_[from].kind == OpKind::kJoin ? guessed_.contains(net_[from].peer)
                                                          : net_[from].kind != OpKind::kWrite && is_new(object);
  if (guessed_.contains(thread) || finds_new) drawn_.certain = std::min(drawn_.certain, drawn_.moves.size());
  drawn_.moves.push_back(move.decision);
  const LocalId next = net_[from].next;
  const bool writes = net_[from].kind == OpKind::kWrite && next != kNoLocal;  // whatever it overwrites
  const bool runs = move.step != kNoStep || writes;
  if (move.step != kNoStep) {
    marking_.fire(net_, move.step);
  } else if (writes) {
    marking_.set(thread, next);
    marking_.set(net_, object, net_[next].wrote);
  }
  if (!runs || finds_new || net_[marking_.local(thread)].status == Status::kUnknown) guess(thread, from);
  if (object == kNoObject || reads || trace::is_on_counted(net_[from].kind)) return;
  std::erase(new_, object);
  if (guessed_.contains(thread)) new_.push_back(object);
}

// Leads a thread on that has come to where nobody has been.
void PlannedTail::guess(ThreadId t, LocalId before) {
  if (!guessed_.contains(t)) {
    ++drawn_.shown;
    if (left_.size() <= t.index()) left_.resize(t.index() + 1);
    left_[t.index()] = marking_.local(t);
  }
  guessed_.insert(t);
  if (before == kNoLocal || net_[before].next == kNoLocal)
    lost_.insert(t);
  else
    marking_.set(t, net_[before].next);
}

bool PlannedTail::is_new(ObjectId object) const { return std::find(new_.begin(), new_.end(), object) != new_.end(); }

}  // namespace heddle::stateful
