#include "stateful/marking_search.h"

#include "base/assert.h"
#include "base/random.h"
#include "stateful/stuck.h"
#include "trace/dependence.h"

namespace heddle::stateful {

using net::kNoLocal;
using net::kNoStep;
using net::kNoValue;
using net::LocalId;
using net::LocalState;
using net::Status;
using net::StepId;
using net::ValueId;

namespace {
// Some hundred bytes each. When there are as many, the search is depth first again.
constexpr std::size_t kMostPostponed = 1u << 17;
}  // namespace

MarkingSearch::MarkingSearch(const StatefulOptions& options)
    : options_(options), net_(options.net), judge_(net_, options.feasibility), tail_(net_, judge_) {
  if (!options.global.properties.empty()) states_ = std::make_unique<MarkedStates>(net_, options.global);
}

bool MarkingSearch::next(Schedule& schedule) {
  schedule = {};
  aim_ = Aim::kLearn;
  if (!begun_) return begun_ = true;
  // What the net does not model it cannot foretell: its schedules might lead nowhere.
  if (net_.waits_on_words() || statistics_.turns) return false;
  if (descend(schedule)) return true;
  statistics_.complete = !statistics_.stopped;
  return false;
}

void MarkingSearch::learn(const Execution& execution) {
  ++(aim_ == Aim::kLearn ? statistics_.executions : statistics_.confirmations);
  net_.learn(execution);
  if (states_) states_->learn(execution);
  note_limits(execution, statistics_);
  if (!options_.predict)
    for (const StepId t : net_.run()) run_.insert(t.value);
  previous_.clear();
  for (const Step& step : execution.steps) previous_.push_back({step.thread, step.choice});
  if (visited_.size() > 0 || depth_ > 0) return;
  Frame& root = push();  // line 4
  net_.starting().for_each_thread([&](ThreadId t) { root.marking.set(t, net_.root(t)); });
}

MarkingSearch::Frame& MarkingSearch::push() {
  if (stack_.size() == depth_) stack_.emplace_back();
  Frame& frame = stack_[depth_++];
  frame.marking.clear();
  frame.moves.clear();
  frame.next = 0;
  frame.asleep = {};
  frame.entered = false;
  return frame;
}

// Until an execution is wanted (true), or everything has been visited.
bool MarkingSearch::descend(Schedule& schedule) {
  constexpr std::uint64_t kOften = 1u << 16;
  for (std::uint64_t n = 1; depth_ > 0 || postponed_moves_ > 0; ++n) {
    if (n % kOften == 0 && options_.goes_on && !options_.goes_on()) {
      statistics_.stopped = true;
      return false;
    }
    if (depth_ == 0) {
      if (take_up(schedule)) return true;
      continue;
    }
    Frame& frame = stack_[depth_ - 1];
    if (!frame.entered && enter(frame, schedule)) return true;
    if (frame.next < frame.moves.size()) {
      if (fire(schedule)) return true;
    } else {
      --depth_;
      if (!path_.empty()) path_.pop_back();
    }
  }
  return false;
}

bool MarkingSearch::enter(Frame& frame, Schedule& schedule) {
  SLOW_INVARIANT(visited_.tells_apart(frame.marking));
  Visited::Entry& entry = visited_[frame.marking.hash()];  // line 6
  collect(frame);
  if (!entry.used) {
    if (options_.findings && look_for_findings(frame, schedule)) return true;
    visited_.fill(entry, frame.asleep);  // line 7
    std::erase_if(frame.moves, [&](const Move& m) { return frame.asleep.contains(m.decision.thread); });
  } else {
    const ThreadSet missing = entry.asleep - frame.asleep;
    entry.asleep = entry.asleep & frame.asleep;
    std::erase_if(frame.moves, [&](const Move& m) { return !missing.contains(m.decision.thread); });
  }
  frame.entered = true;
  return false;
}

// The transitions enabled in the marking, with those that can be foreseen (line 8).
void MarkingSearch::collect(Frame& frame) {
  frame.moves.clear();
  if (ended_by(net_, frame.marking) != kNoThread) return;
  for (std::size_t t = 0; t < frame.marking.threads(); ++t) collect(frame, ThreadId(static_cast<std::uint16_t>(t)));
}

void MarkingSearch::collect(Frame& frame, ThreadId t) {
  const LocalId p = frame.marking.local(t);
  if (p == kNoLocal || net_[p].status != Status::kPending) return;
  const LocalState& state = net_[p];
  if (state.kind == OpKind::kJoin) {
    if (has_ended(net_, frame.marking, state.peer))
      frame.moves.push_back({{t, 0}, net_.join(p, frame.marking.local(state.peer))});
    return;
  }
  const ValueId found = frame.marking.value(net_, state.object);
  if (!net_.outcome(p, found)) return;
  net_.choices(p, found).for_each([&](std::size_t c) {
    const auto choice = static_cast<std::uint16_t>(c);
    frame.moves.push_back({{t, choice}, net_.step(p, found, choice)});
  });
}

// The next move of the marking on top. True: an execution must show what it leads to.
bool MarkingSearch::fire(Schedule& schedule) {
  Frame& frame = stack_[depth_ - 1];
  const Move move = frame.moves[frame.next];
  const ThreadId t = move.decision.thread;
  const OpKind kind = net_[move.step].kind;
  const bool branches = kind == OpKind::kBranch || kind == OpKind::kAssume;
  bool goes = !net_.is_idle(move.step);
  if (branches && options_.feasibility != nullptr) {
    net::Marking after = frame.marking;
    after.set(t, net_[move.step].to);
    goes = judge_.feasible(after);
  }
  ThreadSet asleep;
  frame.asleep.for_each_thread([&](ThreadId u) {
    if (goes && independent(frame.marking, u, t)) asleep.insert(u);
  });
  if (goes && !foreseen(move.step)) {
    if (options_.predict && postponed_moves_ < kMostPostponed) {
      if (postponed_.size() <= path_.size()) postponed_.resize(path_.size() + 1);
      postponed_[path_.size()].push_back({move, frame.marking, asleep, path_});
      ++postponed_moves_;
    } else {
      if (target_ != move.step) return run_for(move, frame.marking, schedule);
      ++statistics_.missed;
    }
    goes = false;
  }
  ++frame.next;
  const bool last = frame.next == frame.moves.size() || frame.moves[frame.next].decision.thread != t;
  const std::size_t below = depth_ - 1;
  if (goes) go(move, stack_[below].marking, asleep);
  if (last) stack_[below].asleep.insert(t);
  return false;
}

// Has an execution shown all that the move does?
bool MarkingSearch::foreseen(StepId step) const {
  return net_.known(step) && (options_.predict || run_.contains(step.value));
}

void MarkingSearch::go(const Move& move, const net::Marking& from, ThreadSet asleep) {
  net_.admit(move.step);
  ++statistics_.visits;
  net::Marking after = from;
  after.fire(net_, move.step);  // line 12
  Frame& child = push();        // may move the stack
  std::swap(child.marking, after);
  child.asleep = asleep;
  path_.push_back(move.decision);  // line 13
}

// An execution that shows what the move leads to (line 10), and more.
bool MarkingSearch::run_for(const Move& move, const net::Marking& marking, Schedule& schedule) {
  target_ = move.step;
  write_schedule(schedule);
  schedule.steps.push_back(move.decision);
  net::Marking after = marking;
  after.fire(net_, move.step);
  tail_.append(after, schedule);
  return true;
}

// Goes on with what was postponed; true: an execution is needed. Short paths leave most to the execution.
bool MarkingSearch::take_up(Schedule& schedule) {
  auto shortest = postponed_.begin();
  while (shortest->empty()) ++shortest;
  Postponed& p = shortest->back();
  path_ = p.path;
  const bool idle = net_.is_idle(p.move.step);  // as has turned out meanwhile
  if (!idle && foreseen(p.move.step)) {
    go(p.move, p.marking, p.asleep);
  } else if (!idle) {
    if (target_ != p.move.step) return run_for(p.move, p.marking, schedule);
    ++statistics_.missed;
  }
  shortest->pop_back();
  --postponed_moves_;
  return false;
}

// Of two threads whose next operations are enabled.
bool MarkingSearch::independent(const net::Marking& marking, ThreadId a, ThreadId b) {
  const LocalId p = marking.local(a), q = marking.local(b);
  if (net_[p].kind == OpKind::kTerminate || net_[q].kind == OpKind::kTerminate) return false;
  if (net_[p].object == kNoObject || net_[p].object != net_[q].object) return true;
  const ValueId found = marking.value(net_, net_[p].object);
  const auto x = net_.outcome(p, found), y = net_.outcome(q, found);
  return x && y && !dependent_on_one_object(*x, *y);
}

void MarkingSearch::write_schedule(Schedule& schedule) const {
  schedule.steps = path_;
  const std::size_t n = std::min(path_.size(), previous_.size());
  while (schedule.fresh < n && path_[schedule.fresh] == previous_[schedule.fresh]) ++schedule.fresh;
}

// Runs the path and what follows, once for each `what`.
bool MarkingSearch::confirm(std::uint64_t what, Schedule& schedule, std::initializer_list<Decision> more) {
  if (!confirmed_.insert(what).second) return false;
  aim_ = Aim::kConfirm;
  write_schedule(schedule);
  for (const Decision& d : more) schedule.steps.push_back(d);
  return true;
}

bool MarkingSearch::look_for_findings(const Frame& frame, Schedule& schedule) {
  Stuck stuck;
  if (frame.moves.empty()) stuck = stuck_threads(net_, frame.marking);
  if (stuck.deadlocked) blocked_.insert(stuck.blocked);
  if (stuck.signature != 0 && confirm(stuck.signature, schedule, {})) return true;
  if (states_ && states_->wanted(frame.marking, stuck.deadlocked)) {
    aim_ = Aim::kConfirm;
    write_schedule(schedule);
    return true;
  }
  for (const Move& exit : frame.moves) {
    if (net_[exit.step].kind != OpKind::kTerminate) continue;
    for (const Move& other : frame.moves)
      if (other.decision.thread != exit.decision.thread && gives_to_others(net_[net_[other.step].from].kind) &&
          confirm(pair_key(1, net_[net_[exit.step].from].where, net_[net_[other.step].from].where), schedule,
                  {exit.decision}))
        return true;
  }
  if (!options_.races) return false;
  for (const Move& a : frame.moves)
    for (const Move& b : frame.moves)
      if (races(net_[a.step], net_[b.step], net_) &&
          confirm(pair_key(2, net_[net_[a.step].from].where, net_[net_[b.step].from].where), schedule,
                  {a.decision, b.decision}))
        return true;
  return false;
}

Statistics MarkingSearch::statistics() const {
  Statistics s = statistics_;
  s.net = net_.counts();
  s.markings = visited_.size();
  s.deadlocks = blocked_.size();
  s.unforeseen = net_.unforeseen();
  s.words = net_.waits_on_words();
  s.undecided = states_ && states_->undecided();
  s.bytes = net_.bytes() + visited_.bytes() + judge_.bytes();
  return s;
}

}  // namespace heddle::stateful
