#include "report/narrative.h"

#include <fmt/format.h>

#include "report/reads_from.h"
#include "trace/dependence.h"
#include "trace/waiting.h"

namespace heddle::report {
namespace {

using namespace trace;

std::string names(const SmallSet& threads, const Describer& describer) {
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
      return fmt::format("{} {}: {} -> {}", word, object, d.value_text(s.op.object, s.op.before),
                         d.value_text(s.op.object, s.op.after));
    case OpKind::kCasFailed:
      return fmt::format("cas {} failed: {}, not {}", object, d.value_text(s.op.object, s.op.before),
                         d.value_text(s.op.object, s.op.after));
    case OpKind::kSleepRefused:
      return fmt::format("sleep {} refused: {}, not {}", object, d.value_text(s.op.object, s.op.before),
                         d.value_text(s.op.object, s.op.after));
    case OpKind::kTryFailed:
    case OpKind::kSharedTryFailed: {
      const std::string holder = holder_of(e, s.op.object, owned, d);
      return fmt::format("{} {} failed{}", s.op.kind == OpKind::kTryFailed ? "try-lock" : "try-shared-lock", object,
                         holder.empty() ? "" : ": held by " + holder);
    }
    case OpKind::kAcquire:
    case OpKind::kRelease:
    case OpKind::kTryAcquire:
    case OpKind::kSharedAcquire:
    case OpKind::kSharedRelease:
    case OpKind::kSharedTry:
    case OpKind::kWaitRelease:
    case OpKind::kWait:
    case OpKind::kTimeout:
    case OpKind::kSleep:
    case OpKind::kArrive:
    case OpKind::kArriveInTurn:
      return fmt::format("{} {}", word, object);
    case OpKind::kSemWait:
    case OpKind::kSemTry:
    case OpKind::kSemTryFailed:
    case OpKind::kSemPost:
    case OpKind::kReceive:
    case OpKind::kSend:
      return fmt::format("{} {} (was {})", word, object, d.value_text(s.op.object, s.op.before));
    case OpKind::kSignal:
    case OpKind::kBroadcast:
      return fmt::format("{} {}: wakes {}", word, object, names(woken_by(s), d));
    case OpKind::kSpawn:
    case OpKind::kJoin:
      return fmt::format("{} {}", word, d.thread_name(s.op.peer));
    case OpKind::kChoose:
      if (s.op.after == trace::kSpuriousWakeUp) return s.choice == 1 ? "wake up spuriously" : "wait for a wake-up";
      if (s.op.after == trace::kSpuriousFailure) return s.choice == 1 ? "fail spuriously" : "try in earnest";
      if (s.op.after == trace::kGivesWay) return "sleep";
      if (s.op.after == trace::kInterruption) return s.choice == 1 ? "wait to be interrupted" : "wait for a wake-up";
      if (s.op.after == trace::kTellsWho)
        return "tell " + d.thread_name(ThreadId(s.choice)) + " to be the serial thread";
      return fmt::format("choose {}", s.choice);
    case OpKind::kBranch:
      return fmt::format("branch {}", s.choice);
    case OpKind::kAssume:
      return "assume";
    case OpKind::kFence:
      return fmt::format("{} {}", word, trace::name_of(s.op.order));
    case OpKind::kTerminate:
      return "terminate";
  }
  return word;
}

}  // namespace

std::vector<Sentence> narrate(const Execution& execution, const Describer& describer) {
  std::vector<Sentence> sentences;
  sentences.reserve(execution.steps.size());
  Ownership owned(execution);
  const std::vector<Seen> seen = reads_from(execution);
  for (EventIndex i = 0; i < execution.steps.size(); ++i) {
    const Step& step = execution.steps[i];
    const bool switched = i > 0 && execution.steps[i - 1].thread != step.thread;
    sentences.push_back({sentence(execution, step, owned, describer),
                         switched && step.enabled.contains(execution.steps[i - 1].thread)});
    const std::string note = staleness(step, seen[i]);
    sentences.back().text += note;
    sentences.back().note = note.size();
    owned.after(i);
    sentences.back().holding = owned.counts();
  }
  return sentences;
}

}  // namespace heddle::report
