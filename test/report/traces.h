// Small hand-made executions, and names for what is in them.
#pragma once

#include <string>

#include "explore/explorer.h"
#include "trace/program.h"

namespace heddle::report {

using namespace trace;

// Threads are a, b, c, ...; objects x, y, z; positions file.hed:N:1.
class Letters final : public Describer {
 public:
  std::string thread_name(ThreadId t) const override { return std::string(1, static_cast<char>('a' + t.value)); }
  std::string object_name(ObjectId o) const override { return std::string(1, static_cast<char>('x' + o.value)); }
  std::string position(std::uint32_t where) const override {
    return where == 0 ? "" : "dir/file.hed:" + std::to_string(where) + ":1";
  }
  std::string source_line(std::uint32_t where) const override {
    return where == 0 ? "" : "line " + std::to_string(where);
  }
};

class TraceBuilder {
 public:
  TraceBuilder& step(int thread, OpKind kind, int object, std::uint64_t before = 0, std::uint64_t after = 0) {
    Step s;
    s.thread = ThreadId(static_cast<std::uint16_t>(thread));
    s.op.kind = kind;
    if (object >= 0) s.op.object = ObjectId(static_cast<std::uint32_t>(object));
    s.op.before = before;
    s.op.after = after;
    s.where = static_cast<std::uint32_t>(finding_.execution.steps.size() + 1);
    s.enabled = enabled_;
    finding_.execution.steps.push_back(s);
    finding_.execution.threads = std::max<std::size_t>(finding_.execution.threads, s.thread.index() + 1);
    return *this;
  }
  TraceBuilder& peer(int thread) {
    finding_.execution.steps.back().op.peer = ThreadId(static_cast<std::uint16_t>(thread));
    return *this;
  }
  TraceBuilder& wakes(int thread) {
    finding_.execution.steps.back().set.insert(static_cast<std::size_t>(thread));
    finding_.execution.steps.back().choice = static_cast<std::uint16_t>(thread);
    return *this;
  }
  TraceBuilder& enabled(ThreadSet set) {
    enabled_ = set;
    return *this;
  }
  TraceBuilder& blocked(int thread, OpKind kind, int object) {
    Pending p;
    p.step.thread = ThreadId(static_cast<std::uint16_t>(thread));
    p.step.op.kind = kind;
    p.step.op.object = ObjectId(static_cast<std::uint32_t>(object));
    p.step.where = 90;
    finding_.execution.pending.push_back(p);
    return *this;
  }
  explore::Finding fails(int thread, const std::string& message = "assert(x == 2)") {
    return ends({FailureKind::kAssertion, now(), ThreadId(static_cast<std::uint16_t>(thread)), 99, message},
                Outcome::kFailed);
  }
  explore::Finding deadlocks() {
    return ends({FailureKind::kDeadlock, now(), kNoThread, 0, "nobody can run"}, Outcome::kDeadlock);
  }

 private:
  EventIndex now() const { return static_cast<EventIndex>(finding_.execution.steps.size()); }
  explore::Finding ends(Failure failure, Outcome outcome) {
    finding_.failure = failure;
    finding_.execution.failures = {failure};
    finding_.execution.outcome = outcome;
    for (const Step& s : finding_.execution.steps) finding_.schedule.push_back({s.thread, s.choice});
    return finding_;
  }

  explore::Finding finding_;
  ThreadSet enabled_;
};

// Both threads read 0, both write 1; thread c finds 1 instead of 2.
inline explore::Finding lost_update() {
  return TraceBuilder()
      .enabled(ThreadSet::below(2))
      .step(0, OpKind::kRead, 0, 0, 0)
      .step(1, OpKind::kRead, 0, 0, 0)
      .step(1, OpKind::kWrite, 0, 0, 1)
      .enabled(ThreadSet::of(0))
      .step(0, OpKind::kWrite, 0, 1, 1)
      .enabled(ThreadSet::of(2))
      .step(2, OpKind::kJoin, -1)
      .peer(0)
      .step(2, OpKind::kJoin, -1)
      .peer(1)
      .step(2, OpKind::kRead, 0, 1, 1)
      .fails(2);
}

inline explore::ExploreResult result_with(explore::Finding finding) {
  explore::ExploreResult r;
  r.algorithm = "optimal-dpor";
  r.executions = 3;
  r.classes = 2;
  r.steps = 20;
  r.findings.push_back(std::move(finding));
  return r;
}

}  // namespace heddle::report
