#include "report/narrative.h"

#include <gtest/gtest.h>

#include "trace/waiting.h"
#include "traces.h"

namespace heddle::report {
namespace {

std::vector<std::string> texts(const explore::Finding& f) {
  std::vector<std::string> out;
  for (const Sentence& s : narrate(f.execution, Letters())) out.push_back(s.text);
  return out;
}

TEST(Narrative, WordsForOperations) {
  const auto f = TraceBuilder()
                     .step(0, OpKind::kRead, 0, 3, 3)
                     .step(0, OpKind::kWrite, 0, 3, static_cast<std::uint64_t>(-4))
                     .step(0, OpKind::kUpdate, 0, 4, 5)
                     .step(0, OpKind::kCas, 0, 5, 6)
                     .step(0, OpKind::kCasFailed, 0, 6, 5)
                     .step(0, OpKind::kAcquire, 1)
                     .step(1, OpKind::kTryFailed, 1, kHeldExclusively)
                     .step(0, OpKind::kRelease, 1)
                     .step(1, OpKind::kTryFailed, 1)
                     .step(0, OpKind::kSignal, 2)
                     .wakes(1)
                     .step(0, OpKind::kBroadcast, 2)
                     .step(0, OpKind::kSpawn, -1)
                     .peer(2)
                     .step(0, OpKind::kSemPost, 1, 7)
                     .step(0, OpKind::kArriveInTurn, 1, 0, 1)
                     .step(1, OpKind::kChoose, -1, 0, trace::kTellsWho)
                     .fails(0);
  const std::vector<std::string> expected{"read x = 3",
                                          "write x = -4",
                                          "update x: 4 -> 5",
                                          "cas x: 5 -> 6",
                                          "cas x failed: 6, not 5",
                                          "lock y",
                                          "try-lock y failed: held by a",
                                          "unlock y",
                                          "try-lock y failed",
                                          "signal z: wakes b",
                                          "broadcast z: wakes nobody",
                                          "spawn c",
                                          "sem-post y (was 7)",
                                          "arrive y",
                                          "tell a to be the serial thread"};
  EXPECT_EQ(texts(f), expected);
}

TEST(Narrative, PreemptionIsASwitchAwayFromAThreadThatCouldGoOn) {
  const auto sentences = narrate(lost_update().execution, Letters());
  std::vector<bool> preempts;
  for (const Sentence& s : sentences) preempts.push_back(s.preempts);
  EXPECT_EQ(preempts, (std::vector<bool>{false, true, false, false, false, false, false}));
}

TEST(Narrative, WhoWaitsForALock) {
  const auto f = TraceBuilder()
                     .step(0, OpKind::kAcquire, 0)
                     .step(1, OpKind::kAcquire, 1)
                     .blocked(0, OpKind::kAcquire, 1)
                     .blocked(1, OpKind::kAcquire, 0)
                     .deadlocks();
  const std::vector<std::string> expected{"a waits to lock y at dir/file.hed:90:1, held by b since dir/file.hed:2:1",
                                          "b waits to lock x at dir/file.hed:90:1, held by a since dir/file.hed:1:1"};
  EXPECT_EQ(waiting_in_the_end(f.execution, Letters()), expected);
}

TEST(Narrative, WhoWaitsForASignal) {
  // b was woken; a was not, and the lock it gave up while waiting is free.
  const auto f = TraceBuilder()
                     .step(0, OpKind::kAcquire, 1)
                     .step(0, OpKind::kWait, 2)
                     .step(0, OpKind::kWaitRelease, 1)
                     .step(1, OpKind::kWait, 2)
                     .step(2, OpKind::kSignal, 2)
                     .wakes(1)
                     .deadlocks();
  EXPECT_EQ(waiting_in_the_end(f.execution, Letters()),
            std::vector<std::string>{"a waits for a signal of z since dir/file.hed:2:1"});
}

}  // namespace
}  // namespace heddle::report
