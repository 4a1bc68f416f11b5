#include "trace/waiting.h"

#include "trace/dependence.h"

namespace heddle::trace {

void Ownership::after(EventIndex index) {
  const Step& step = execution_.steps[index];
  switch (step.op.kind) {
    case OpKind::kAcquire:
    case OpKind::kTryAcquire:
    case OpKind::kSharedAcquire:
      holders_[step.op.object].push_back(index);
      break;
    case OpKind::kRelease:
    case OpKind::kSharedRelease:
    case OpKind::kWaitRelease:
      release(step);
      break;
    case OpKind::kWait:
    case OpKind::kSleep:
      waits_[step.thread] = index;
      break;
    case OpKind::kArrive:
      waits_[step.thread] = index;
      wake(step);
      if (!step.set.empty()) waits_.erase(step.thread);
      break;
    case OpKind::kTimeout:
      waits_.erase(step.thread);
      break;
    case OpKind::kSignal:
    case OpKind::kBroadcast:
      wake(step);
      break;
    case OpKind::kRead:
    case OpKind::kWrite:
    case OpKind::kUpdate:
    case OpKind::kCas:
    case OpKind::kCasFailed:
    case OpKind::kTryFailed:
    case OpKind::kSleepRefused:
    case OpKind::kSemWait:
    case OpKind::kSemTry:
    case OpKind::kSemTryFailed:
    case OpKind::kSemPost:
    case OpKind::kSpawn:
    case OpKind::kJoin:
    case OpKind::kChoose:
    case OpKind::kBranch:
    case OpKind::kAssume:
    case OpKind::kTerminate:
      break;
  }
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

std::string wait_cycle(const Execution& execution, const Describer& describer) {
  Ownership owned(execution);
  for (EventIndex i = 0; i < execution.steps.size(); ++i) owned.after(i);
  struct Wait {
    std::string what;
    ThreadId whom;
  };
  std::map<ThreadId, Wait> waits;
  for (const Pending& p : execution.pending) {
    const Operation& op = p.step.op;
    if (p.enabled) continue;
    if (op.kind == OpKind::kJoin)
      waits[p.step.thread] = {"its end", op.peer};
    else if (const EventIndex held = op.object == kNoObject ? kNoEvent : owned.held_since(op.object); held != kNoEvent)
      waits[p.step.thread] = {describer.object_name(op.object), execution.steps[held].thread};
  }
  for (const auto& [start, wait] : waits) {
    std::string text = describer.thread_name(start);
    ThreadId thread = start;
    for (std::size_t i = 0; i < waits.size() && waits.contains(thread); ++i) {
      text += " -> " + waits[thread].what + " -> " + describer.thread_name(waits[thread].whom);
      thread = waits[thread].whom;
      if (thread == start) return text;
    }
  }
  return {};
}

std::vector<std::string> waiting_in_the_end(const Execution& execution, const Describer& describer, Places places) {
  std::vector<std::string> lines;
  // " at bank.cpp:7:3"
  const auto place = [&](const char* word, const Step& step) {
    const std::string position = places == Places::kShown ? describer.position(step.where) : std::string();
    return position.empty() ? std::string() : word + position;
  };
  Ownership owned(execution);
  for (EventIndex i = 0; i < execution.steps.size(); ++i) owned.after(i);
  for (const Pending& p : execution.pending) {
    if (p.enabled) continue;
    const Step& s = p.step;
    std::string line = describer.thread_name(s.thread) + " waits";
    if (s.op.kind == OpKind::kJoin) {
      line += " for " + describer.thread_name(s.op.peer) + " to end";
    } else if (s.op.object != kNoObject) {
      line += " to " + std::string(name_of(s.op.kind)) + " " + describer.object_name(s.op.object);
    }
    line += place(" at ", s);
    if (const EventIndex held = owned.held_since(s.op.object); s.op.object != kNoObject && held != kNoEvent) {
      const Step& acquisition = execution.steps[held];
      line += ", held by " + describer.thread_name(acquisition.thread) +
              place(" since ", acquisition);
    }
    lines.push_back(line);
  }
  for (const auto& [thread, index] : owned.parked()) {
    const Step& wait = execution.steps[index];
    lines.push_back(describer.thread_name(thread) + " waits " +
                    (wait.op.kind == OpKind::kArrive ? "at barrier " : "for a signal of ") +
                    describer.object_name(wait.op.object) + place(" since ", wait));
  }
  return lines;
}

}  // namespace heddle::trace
