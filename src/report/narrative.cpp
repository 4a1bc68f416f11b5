#include "report/narrative.h"

#include <fmt/format.h>

#include <map>

#include "trace/dependence.h"

namespace heddle::report {
namespace {

using namespace trace;

// Locks and condition variables as the trace implies them. Reports know no front end, so ownership is
// recomputed from the steps.
class Ownership {
 public:
  explicit Ownership(const Execution& execution) : execution_(execution) {}

  void after(EventIndex index) {
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

  // The acquisition by which `object` is held, or kNoEvent.
  EventIndex held_since(ObjectId object) const {
    const auto found = holders_.find(object);
    return found == holders_.end() || found->second.empty() ? kNoEvent : found->second.back();
  }

  std::map<ThreadId, std::size_t> counts() const {
    std::map<ThreadId, std::size_t> all;
    for (const auto& [object, held] : holders_)
      for (const EventIndex since : held) ++all[execution_.steps[since].thread];
    return all;
  }

  // Threads parked at a condition variable or barrier, with the step that parked them.
  const std::map<ThreadId, EventIndex>& parked() const { return waits_; }

 private:
  void release(const Step& step) {
    auto& held = holders_[step.op.object];
    for (std::size_t i = held.size(); i-- > 0;) {
      if (execution_.steps[held[i]].thread != step.thread) continue;
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
  }
  void wake(const Step& step) {
    woken_by(step).for_each_thread([&](ThreadId t) { waits_.erase(t); });
  }

  const Execution& execution_;
  std::map<ObjectId, std::vector<EventIndex>> holders_;
  std::map<ThreadId, EventIndex> waits_;
};

std::string names(const Bits128& threads, const Describer& describer) {
  std::string out;
  threads.for_each_thread([&](ThreadId t) { out += (out.empty() ? "" : ", ") + describer.thread_name(t); });
  return out.empty() ? "nobody" : out;
}

std::string holder_of(const Execution& e, ObjectId lock, const Ownership& owned, const Describer& d) {
  const EventIndex since = owned.held_since(lock);
  return since == kNoEvent ? std::string() : d.thread_name(e.steps[since].thread);
}

std::string sentence(const Execution& e, const Step& s, const Ownership& owned, const Describer& d) {
  const std::string object = s.op.object == kNoObject ? std::string() : d.object_name(s.op.object);
  const char* word = name_of(s.op.kind);
  switch (s.op.kind) {
    case OpKind::kRead:
      return fmt::format("read {} = {}", object, d.value_text(s.op.object, s.op.before));
    case OpKind::kWrite:
      return fmt::format("write {} = {}", object, d.value_text(s.op.object, s.op.after));
    case OpKind::kUpdate:
    case OpKind::kCas:
      return fmt::format("{} {}: {} -> {}", word, object, d.value_text(s.op.object, s.op.before), d.value_text(s.op.object, s.op.after));
    case OpKind::kCasFailed:
      return fmt::format("cas {} failed: {}, not {}", object, d.value_text(s.op.object, s.op.before), d.value_text(s.op.object, s.op.after));
    case OpKind::kTryFailed: {
      const std::string holder = holder_of(e, s.op.object, owned, d);
      return fmt::format("try-lock {} failed{}", object, holder.empty() ? "" : ": held by " + holder);
    }
    case OpKind::kAcquire:
    case OpKind::kRelease:
    case OpKind::kTryAcquire:
    case OpKind::kSharedAcquire:
    case OpKind::kSharedRelease:
    case OpKind::kWaitRelease:
    case OpKind::kWait:
    case OpKind::kTimeout:
    case OpKind::kArrive:
      return fmt::format("{} {}", word, object);
    case OpKind::kSemWait:
    case OpKind::kSemTry:
    case OpKind::kSemTryFailed:
    case OpKind::kSemPost:
      return fmt::format("{} {} (was {})", word, object, d.value_text(s.op.object, s.op.before));
    case OpKind::kSignal:
    case OpKind::kBroadcast:
      return fmt::format("{} {}: wakes {}", word, object, names(woken_by(s), d));
    case OpKind::kSpawn:
    case OpKind::kJoin:
      return fmt::format("{} {}", word, d.thread_name(s.op.peer));
    case OpKind::kChoose:
      return fmt::format("choose {}", s.choice);
    case OpKind::kBranch:
      return fmt::format("branch {}", s.choice);
    case OpKind::kAssume:
      return "assume";
    case OpKind::kTerminate:
      return "terminate";
  }
  return word;
}

std::string at(const std::string& position) { return position.empty() ? "" : " at " + position; }
std::string since(const std::string& position) { return position.empty() ? "" : " since " + position; }

}  // namespace

std::vector<Sentence> narrate(const Execution& execution, const Describer& describer) {
  std::vector<Sentence> sentences;
  sentences.reserve(execution.steps.size());
  Ownership owned(execution);
  for (EventIndex i = 0; i < execution.steps.size(); ++i) {
    const Step& step = execution.steps[i];
    const bool switched = i > 0 && execution.steps[i - 1].thread != step.thread;
    sentences.push_back({sentence(execution, step, owned, describer),
                         switched && step.enabled.contains(execution.steps[i - 1].thread)});
    owned.after(i);
    sentences.back().holding = owned.counts();
  }
  return sentences;
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

std::vector<std::string> waiting_in_the_end(const Execution& execution, const Describer& describer) {
  std::vector<std::string> lines;
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
    line += at(describer.position(s.where));
    if (const EventIndex held = owned.held_since(s.op.object); s.op.object != kNoObject && held != kNoEvent) {
      const Step& acquisition = execution.steps[held];
      line += ", held by " + describer.thread_name(acquisition.thread) +
              since(describer.position(acquisition.where));
    }
    lines.push_back(line);
  }
  for (const auto& [thread, index] : owned.parked()) {
    const Step& wait = execution.steps[index];
    lines.push_back(describer.thread_name(thread) + " waits " +
                    (wait.op.kind == OpKind::kArrive ? "at barrier " : "for a signal of ") +
                    describer.object_name(wait.op.object) + since(describer.position(wait.where)));
  }
  return lines;
}

}  // namespace heddle::report
