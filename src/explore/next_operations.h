// The DPOR algorithms of Saarikivi et al. 2012 look, in every state, at the next operation of every thread. An
// execution records operations only where they ran; this walks its new states in order and supplies for each the next
// operation of every thread: the next one it ran, or the one it was left with at the end, or, in a timed wait from
// which it was woken later, its timeout (trace/withdrawal.h).
#pragma once

#include "explore/strategy.h"
#include "trace/object.h"
#include "trace/withdrawal.h"

namespace heddle::explore {

class NextOperations {
 public:
  // Calls f(state, step) for each state after step `fresh` and each thread with a next operation there;
  // `before` holds the events before the state. The execution's steps from `fresh` on are pushed to it.
  template <class F>
  void for_each(const Execution& execution, EventIndex fresh, HappensBefore& before, F&& f) {
    index(execution, fresh);
    const auto length = static_cast<EventIndex>(execution.steps.size());
    before.truncate(fresh);
    for (EventIndex state = fresh; state <= length; ++state) {
      // The state before the fresh step was looked at when its node was first reached.
      if (state > fresh || fresh == 0)
        for (std::size_t t = 0; t < execution.threads; ++t)
          if (const Step* step = next_of(execution, t, state)) f(state, *step);
      if (state == length) break;
      ++cursor_[execution.steps[state].thread.index()];
      before.push(execution.steps[state]);
    }
  }

  // Calls f(e, thread) for each new timeout of a thread that step e has taken away. After for_each().
  template <class F>
  static void for_each_withdrawn(const Execution& execution, EventIndex fresh, const HappensBefore& before, F&& f) {
    for (EventIndex i = fresh; i < execution.steps.size(); ++i)
      trace::for_each_withdrawn(execution.steps, i, before,
                                [&](EventIndex e, const Step& timeout) { f(e, timeout.thread); });
  }

 private:
  void index(const Execution& execution, EventIndex fresh) {
    steps_of_.resize(std::max(steps_of_.size(), execution.threads));
    cursor_.assign(steps_of_.size(), 0);
    final_.assign(steps_of_.size(), nullptr);
    for (auto& s : steps_of_) s.clear();
    for (EventIndex i = fresh; i < execution.steps.size(); ++i)
      steps_of_[execution.steps[i].thread.index()].push_back(i);
    for (const Pending& p : execution.pending) final_[p.step.thread.index()] = &p.step;
    withdrawn_.clear();
    for (EventIndex i = fresh; i < execution.steps.size(); ++i)
      trace::for_each_withdrawn_by(execution.steps, i,
                                   [&](const Step& timeout) { withdrawn_.push_back({i, timeout}); });
  }

  const Step* next_of(const Execution& execution, std::size_t t, EventIndex state) const {
    const bool runs = cursor_[t] < steps_of_[t].size();
    const EventIndex next = runs ? steps_of_[t][cursor_[t]] : kNoEvent;
    for (const Withdrawn& w : withdrawn_)
      if (w.timeout.thread.index() == t && state <= w.by && w.by < next) return &w.timeout;
    return runs ? &execution.steps[next] : final_[t];
  }

  struct Withdrawn {
    EventIndex by;
    Step timeout;
  };

  std::vector<std::vector<EventIndex>> steps_of_;
  std::vector<std::size_t> cursor_;
  std::vector<const Step*> final_;
  std::vector<Withdrawn> withdrawn_;
};

}  // namespace heddle::explore
