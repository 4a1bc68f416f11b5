// The conductor decides, step by step, who runs next. It is the small piece of the engine that runs inside every
// front end: it follows the schedule's steps, then its tail, keeps the sleep set, and writes the execution
// down. A front end owns the program's state and tells the conductor three things:
//
//   conductor.begin(schedule, execution);
//   conductor.announce(t, step);       // t's next operation (also when it changes)
//   while (auto d = conductor.decide(enabled)) {     // who runs
//     ... perform the operation, deciding its outcome ...
//     conductor.performed(step);       // as it happened
//     ... run t to its next operation; announce it, or conductor.retire(t) ...
//   }
//   conductor.end(enabled);
//
// Sleep sets (Godefroid 1996; in this two-sided form Saarikivi et al. 2012 §IV-D): the schedule carries the set that
// holds at step `fresh`; from there on a sleeping step is dropped when something dependent with it runs.
//
// It must compile into the native runtime: no exceptions, no libc state, no allocation once warm.
#pragma once

#include <array>
#include <optional>

#include "base/assert.h"
#include "base/random.h"
#include "trace/dependence.h"
#include "trace/execution.h"
#include "trace/footprint.h"
#include "trace/schedule.h"
#include "trace/uniform_walk.h"
#include "trace/wanted_reads.h"

namespace heddle::trace {

class Conductor {
 public:
  void begin(const Schedule& schedule, Execution& execution) {
    schedule_ = &schedule;
    execution_ = &execution;
    execution.clear();
    position_ = 0;
    wish_ = 0;
    current_ = kNoThread;
    live_ = {};
    sleep_.clear();
    asleep_ = {};
    stopped_ = Stop::kNo;
    if (samples()) begin_random();
    if (schedule.fresh == 0) fall_asleep();
  }

  // The same from the middle on: the first steps of `execution` stay, and `announce_all` announces what threads had
  // announced then.
  struct Middle {
    std::size_t steps = 0;
    std::size_t threads = 0;  // that had occurred
  };
  template <class AnnounceAll>
  void resume(const Schedule& schedule, Execution& execution, Middle done, AnnounceAll&& announce_all) {
    std::vector<Step> kept;
    kept.swap(execution.steps);
    begin(schedule, execution);
    execution.steps.swap(kept);
    execution.steps.resize(done.steps);
    execution.threads = done.threads;
    position_ = done.steps;
    if (done.steps > 0) current_ = execution.steps.back().thread;
    announce_all();
    if (schedule.fresh == done.steps) fall_asleep();
  }
  // What is announced, by thread.
  void keep(std::vector<Step>& announced) const {
    live_.for_each([&](std::size_t t) { announced.push_back(pending_[t]); });
  }

  // `step.set` must hold the alternatives of an operation that has any, at the latest when it is decided.
  void announce(ThreadId t, const Step& step) {
    pending_[t.index()] = step;
    announce(t);
  }
  // The same for a front end that has written the operation to its place, pending(t).
  void announce(ThreadId t) {
    pending_[t.index()].thread = t;
    live_.insert(t);
    if (t.index() >= execution_->threads) execution_->threads = t.index() + 1;
    if (schedule_->tail.kind == TailKind::kPos) priority_[t.index()] = random_.next();
  }

  // t has ended, failed, or waits for a wake-up without an operation of its own.
  void retire(ThreadId t) {
    live_.erase(t);
    if (t.index() >= execution_->threads) execution_->threads = t.index() + 1;
  }

  Step& pending(ThreadId t) { return pending_[t.index()]; }

  // Who runs next, and with which alternative? Nothing: the execution is over.
  std::optional<Decision> decide(ThreadSet enabled) {
    const ThreadId t = next_thread(enabled);
    if (t == kNoThread) return std::nullopt;
    return Decision{t, choice_};
  }

  // The same in registers: kNoThread when it is over; choice() is the alternative. (A result of six bytes that is
  // written in parts and read as a whole makes the processor wait longer than everything here takes.)
  ThreadId next_thread(ThreadSet enabled) {
    enabled_ = enabled;
    choice_ = 0;
    if (position_ < schedule_->steps.size()) [[likely]] {
      const Decision& d = schedule_->steps[position_];
      if (!enabled.contains(d.thread)) return diverge();
      const Step& p = pending_[d.thread.index()];
      if (has_alternatives(p.op.kind)) [[unlikely]] {
        if (p.set.empty()) {
          if (d.choice != kAnyChoice && d.choice != 0) return diverge();
        } else if (d.choice == kAnyChoice) {
          choice_ = first_awake_choice(p);
        } else if (p.set.contains(d.choice)) {
          choice_ = d.choice;
        } else {
          return diverge();
        }
      } else if (d.choice != 0 && d.choice != kAnyChoice) [[unlikely]] {
        choice_ = d.choice;  // which store, under a weak memory model
      }
      return d.thread;
    }
    if (goes_on(enabled)) [[likely]]
      return current_;
    return decide_tail(enabled);
  }
  std::uint16_t choice() const { return choice_; }

  // The decided thread's operation, as it happened.
  void performed(const Step& step) { note_performed(write_down(step)); }

  // The same in two parts, for a front end that says what happened only where the step is written down: a step that was
  // put together a moment ago field by field takes longer to copy than all the rest.
  Step& write_down(const Step& announced) {
    execution_->steps.push_back(announced);
    return execution_->steps.back();
  }
  void note_performed(Step& step) {
    SLOW_INVARIANT(enabled_.contains(step.thread) && live_.contains(step.thread));
    step.enabled = enabled_;
    if (position_ >= schedule_->fresh) wake_dependents(step);
    ++position_;
    if (position_ == schedule_->fresh) fall_asleep();
    current_ = step.thread;
    if (samples()) [[unlikely]]
      note_sampled(step);
  }

  // Has the schedule more steps of this thread?
  bool is_yet_to_run(ThreadId t) const {
    for (std::size_t i = position_; i < schedule_->steps.size(); ++i)
      if (schedule_->steps[i].thread == t) return true;
    return false;
  }

  // Does the schedule's tail draw threads at random?
  bool samples() const { return schedule_->tail.kind > TailKind::kLeftmost; }

  // Number of steps done.
  EventIndex position() const { return static_cast<EventIndex>(position_); }

  // Whatever is still announced is pending in the final state.
  void end(ThreadSet enabled) {
    end(enabled, [](const Step&) { return std::nullopt; });
  }
  // The same for a front end that can tell the state in which a step would find its object: without, an attempt is
  // taken for a change, and an execution may be begun in vain where the process ends before it.
  template <class Found>
  void end(ThreadSet enabled, Found&& found) {
    live_.for_each([&](std::size_t t) {
      Pending& p = execution_->pending.emplace_back(pending_[t], enabled.contains(t));
      if (p.enabled && is_attempt(p.step.op.kind)) p.found = found(p.step);
    });
  }

  bool stopped_asleep() const { return stopped_ == Stop::kAsleep; }
  bool diverged() const { return stopped_ == Stop::kDiverged; }

 private:
  enum class Stop : std::uint8_t { kNo, kAsleep, kDiverged };

  ThreadId diverge() {
    stopped_ = Stop::kDiverged;
    execution_->diverged_at = position();
    return kNoThread;
  }

  void fall_asleep() {
    sleep_.clear();
    asleep_ = {};
    sleep_footprint_ = {};
    for (const Step& s : schedule_->sleep) {
      sleep_.push_back(&s);
      put_asleep(s);
    }
  }

  void put_asleep(const Step& s) {
    asleep_.insert(s.thread);
    sleep_footprint_.add(s);
  }

  void wake_dependents(const Step& step) {
    if (sleep_.empty()) return;
    if (!sleep_footprint_.may_depend(step) && !asleep_.contains(step.thread)) return;
    std::size_t kept = 0;
    asleep_ = {};
    sleep_footprint_ = {};
    for (std::size_t i = 0; i < sleep_.size(); ++i) {
      if (dependent(*sleep_[i], step)) continue;
      put_asleep(*sleep_[i]);
      sleep_[kept++] = sleep_[i];
    }
    sleep_.resize(kept);
  }

  // Alternatives of a thread's next operation that are not asleep. A thread with a plain operation has one.
  SmallSet awake_choices(const Step& p) const {
    SmallSet awake = p.set;
    for (const Step* s : sleep_)
      if (s->thread == p.thread) awake.erase(s->choice);
    return awake;
  }

  std::uint16_t first_awake_choice(const Step& p) const {
    const SmallSet awake = awake_choices(p);
    const SmallSet from = awake.empty() ? p.set : awake;
    // A branch says which outcome the inputs at hand lead to.
    if (p.op.kind == OpKind::kBranch && from.contains(static_cast<std::size_t>(p.op.after)))
      return static_cast<std::uint16_t>(p.op.after);
    return static_cast<std::uint16_t>(from.first());
  }

  // Without pre-emption, does the running thread simply go on? What the rules below come to for most steps.
  bool goes_on(ThreadSet enabled) const {
    if (schedule_->tail.kind != TailKind::kFirst || current_ == kNoThread || !enabled.contains(current_)) return false;
    if (wish_ < schedule_->tail.wishes.size()) [[unlikely]]
      return false;
    const OpKind next = pending_[current_.index()].op.kind;
    return next < OpKind::kSignal && !asleep_.contains(current_);
  }

  ThreadId decide_tail(ThreadSet enabled) {
    if (enabled.empty()) return kNoThread;
    ThreadSet candidates = enabled;
    if (!asleep_.empty()) {
      candidates = enabled - asleep_;
      (enabled & asleep_).for_each([&](std::size_t t) {
        if (has_alternatives(pending_[t].op.kind) && !awake_choices(pending_[t]).empty()) candidates.insert(t);
      });
      if (candidates.empty()) {
        if (schedule_->sleep_rule == SleepRule::kStop) {
          stopped_ = Stop::kAsleep;
          return kNoThread;
        }
        candidates = enabled;
      }
    }
    const ThreadId t = pick(candidates);
    const Step& p = pending_[t.index()];
    if (has_alternatives(p.op.kind) && !p.set.empty()) choice_ = pick_choice(p);
    return t;
  }

  ThreadId pick(ThreadSet candidates) {
    if (schedule_->tail.kind == TailKind::kFirst) [[likely]] {
      if (wish_ < schedule_->tail.wishes.size()) [[unlikely]]
        if (const ThreadId t = wished(candidates); t != kNoThread) return t;
      const bool stays = current_ != kNoThread && candidates.contains(current_);
      if (stays && gives_way(current_)) [[unlikely]]
        candidates = others_than_current(candidates);
      else if (stays && !(ends_process(current_) && schedule_->tail.end_last))
        return current_;
      // Ending the process comes last: races with it are seen only if the others have run.
      ThreadId first = candidates.first_thread();
      if (ends_process(first)) [[unlikely]]
        candidates.for_each_thread([&](ThreadId t) {
          if (ends_process(first)) first = t;
        });
      return first;
    }
    if (schedule_->tail.kind == TailKind::kLeftmost) return leftmost(candidates);
    return pick_random(candidates);
  }

  bool gives_way(ThreadId t) const {
    const Operation& op = pending_[t.index()].op;
    return op.kind == OpKind::kChoose && op.after == kGivesWay;
  }
  ThreadSet others_than_current(ThreadSet candidates) const;

  // Who begins to wait, and gives it up at once, goes before all others: a wake-up that comes first takes the latter
  // back, and then nobody would know of it.
  ThreadId leftmost(ThreadSet candidates) const;
  // The first of the tail's wishes that can be met.
  ThreadId wished(ThreadSet candidates);

  bool ends_process(ThreadId t) const { return pending_[t.index()].op.kind == OpKind::kTerminate; }

  std::uint16_t pick_choice(const Step& p) { return samples() ? pick_random_choice(p) : first_awake_choice(p); }

  void begin_random();
  ThreadId pick_random(ThreadSet candidates);
  std::uint16_t pick_random_choice(const Step& p);
  void note_sampled(const Step& ran);
  void redraw_priorities(const Step& ran);

  const Schedule* schedule_ = nullptr;
  Execution* execution_ = nullptr;
  std::size_t position_ = 0;
  std::size_t wish_ = 0;  // of the tail, the next one
  ThreadId current_ = kNoThread;
  ThreadSet live_;
  ThreadSet enabled_;
  std::uint16_t choice_ = 0;
  Stop stopped_ = Stop::kNo;
  std::vector<const Step*> sleep_;  // of the schedule's
  ThreadSet asleep_;
  Footprint sleep_footprint_;
  std::array<Step, kMaxThreads> pending_;

  // Sampling tails only (conductor.cpp).
  Random random_{0};
  std::array<std::uint64_t, kMaxThreads> priority_{};
  std::vector<std::uint32_t> change_points_;
  UniformWalk uniform_walk_;
  WantedReads wanted_reads_;
};

}  // namespace heddle::trace
