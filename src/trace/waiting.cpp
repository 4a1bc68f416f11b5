#include "trace/waiting.h"

#include "trace/object.h"

namespace heddle::trace {

void Ownership::after(EventIndex index) {
  const Step& step = execution_.steps[index];
  if (takes_lock(step.op.kind)) holders_[step.op.object].push_back(index);
  if (gives_lock(step.op.kind)) release(step);
  if (may_wake(step.op.kind)) wake(step);
  if (queue_after(step, {}).contains(step.thread.index()) || waits_at_barrier(step)) waits_[step.thread] = index;
  if (step.op.kind == OpKind::kTimeout) waits_.erase(step.thread);
}

EventIndex Ownership::held_since(ObjectId object) const {
  const auto found = holders_.find(object);
  return found == holders_.end() || found->second.empty() ? kNoEvent : found->second.back();
}

std::map<ThreadId, std::size_t> Ownership::counts() const {
  std::map<ThreadId, std::size_t> all;
  for (const auto& [object, held] : holders_)
    for (const EventIndex since : held) ++all[execution_.steps[since].thread];
  return all;
}

void Ownership::release(const Step& step) {
  auto& held = holders_[step.op.object];
  for (std::size_t i = held.size(); i-- > 0;) {
    if (execution_.steps[held[i]].thread != step.thread) continue;
    held.erase(held.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

void Ownership::wake(const Step& step) {
  woken_by(step).for_each_thread([&](ThreadId t) { waits_.erase(t); });
}

std::vector<Waiter> waiters(const Execution& execution, const Describer& describer) {
  const auto n = static_cast<EventIndex>(execution.steps.size());
  Ownership owned(execution);
  for (EventIndex i = 0; i < n; ++i) owned.after(i);
  const auto name = [&](const Step& step) {
    return step.op.object == kNoObject ? std::string() : describer.object_name(step.op.object);
  };
  std::vector<Waiter> all;
  for (EventIndex k = 0; k < execution.pending.size(); ++k) {
    const Step& step = execution.pending[k].step;
    if (execution.pending[k].enabled) continue;
    if (is_arrival(step.op.kind)) {
      all.push_back({&step, n + k, nullptr, "at barrier " + name(step)});
      continue;
    }
    const std::string whom = step.op.kind == OpKind::kJoin ? describer.thread_name(step.op.peer) : name(step);
    const EventIndex held = step.op.object == kNoObject ? kNoEvent : owned.held_since(step.op.object);
    all.push_back({&step, n + k, held == kNoEvent ? nullptr : &execution.steps[held],
                   std::string(name_of(step.op.kind)) + " " + whom});
  }
  for (const auto& [thread, since] : owned.parked()) {
    const Step& step = execution.steps[since];
    all.push_back({&step, kNoEvent, nullptr, (is_arrival(step.op.kind) ? "at barrier " : "signal of ") + name(step)});
  }
  return all;
}

WaitCycle wait_cycle(const Execution& execution, const Describer& describer) {
  struct Wait {
    std::string what;
    ThreadId whom;
  };
  std::map<ThreadId, Wait> waits;
  for (const Waiter& waiter : waiters(execution, describer)) {
    const Step& step = *waiter.step;
    if (waiter.holder != nullptr)
      waits[step.thread] = {describer.object_name(step.op.object), waiter.holder->thread};
    else if (step.op.kind == OpKind::kJoin)
      waits[step.thread] = {"its end", step.op.peer};
  }
  for (const auto& [start, wait] : waits) {
    WaitCycle cycle{{}, describer.thread_name(start)};
    ThreadId thread = start;
    for (std::size_t i = 0; i < waits.size() && waits.contains(thread); ++i) {
      cycle.threads.push_back(thread);
      cycle.text += " -> " + waits[thread].what + " -> " + describer.thread_name(waits[thread].whom);
      thread = waits[thread].whom;
      if (thread == start) return cycle;
    }
  }
  return {};
}

std::vector<std::string> waiting_in_the_end(const Execution& execution, const Describer& describer, Places places) {
  // " at bank.cpp:7:3"
  const auto place = [&](const char* word, const Step& step) {
    const std::string position = places == Places::kShown ? describer.position(step.where) : std::string();
    return position.empty() ? std::string() : word + position;
  };
  std::vector<std::string> lines;
  for (const Waiter& waiter : waiters(execution, describer)) {
    const Step& step = *waiter.step;
    std::string line = describer.thread_name(step.thread) + " waits ";
    if (is_arrival(step.op.kind))
      line += waiter.text + place(" since ", step);
    else if (waiter.pending == kNoEvent)
      line += "for a " + waiter.text + place(" since ", step);
    else if (step.op.kind == OpKind::kJoin)
      line += "for " + describer.thread_name(step.op.peer) + " to end" + place(" at ", step);
    else
      line += "to " + waiter.text + place(" at ", step);
    if (waiter.holder != nullptr)
      line += ", held by " + describer.thread_name(waiter.holder->thread) + place(" since ", *waiter.holder);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace heddle::trace
