// The embedding API knows objects as everybody else does (trace/object.h).
#include "heddle/session.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

namespace heddle {
namespace {

constexpr ObjectId kLock{0}, kCount{1};

using Line = std::vector<Intent>;
// Called after each turn; false: the thread fails.
using Watch = std::function<bool(const Turn&)>;

Report explore(const std::vector<Line>& threads, const Watch& watch = [](const Turn&) { return true; }) {
  Options options;
  options.all = true;
  auto session = Session::create(options);
  while (session->begin()) {
    std::vector<std::size_t> at(threads.size(), 0);
    const auto go_on = [&](ThreadId t) {
      if (at[t.index()] < threads[t.index()].size())
        session->announce(t, threads[t.index()][at[t.index()]]);
      else
        session->ended(t);
    };
    for (std::uint16_t t = 0; t < threads.size(); ++t) go_on(ThreadId(t));
    while (const auto turn = session->next()) {
      session->performed();
      ++at[turn->thread.index()];
      if (watch(*turn))
        go_on(turn->thread);
      else
        session->fail(turn->thread, FailureKind::kAssertion, "as asked for");
    }
    session->finish();
  }
  EXPECT_FALSE(session->error());
  return session->conclude();
}

TEST(Session, ReadersHoldALockTogetherAndAWriterAlone) {
  std::map<std::uint16_t, int> readers;
  std::set<std::pair<int, bool>> seen;
  bool written = false;
  int reading = 0;
  const Report report = explore({{lock_shared(kLock), unlock_shared(kLock)},
                                 {lock_shared(kLock), unlock_shared(kLock)},
                                 {lock(kLock), unlock(kLock)}},
                                [&](const Turn& turn) {
                                  if (turn.kind == OpKind::kSharedAcquire) ++reading;
                                  if (turn.kind == OpKind::kSharedRelease) --reading;
                                  if (turn.kind == OpKind::kAcquire) written = true;
                                  if (turn.kind == OpKind::kRelease) written = false;
                                  seen.insert({reading, written});
                                  return true;
                                });
  EXPECT_EQ(report.verdict(), Verdict::kNoBug);
  EXPECT_TRUE(report.exhausted());
  EXPECT_TRUE(seen.contains({2, false}));
  EXPECT_FALSE(seen.contains({1, true}));
}

TEST(Session, TriesOfASemaphoreTellHowTheyWent) {
  std::set<bool> got;
  const Report report = explore({{semaphore_post(kCount)}, {semaphore_try_wait(kCount)}}, [&](const Turn& turn) {
    if (turn.kind == OpKind::kSemTry) got.insert(turn.succeeds);
    return true;
  });
  EXPECT_EQ(report.classes, 2u);
  EXPECT_EQ(got.size(), 2u);
}

TEST(Session, WhoJoinsAFailedThreadWaitsForGood) {
  bool went_on = false;
  const Report report = explore({{write(kCount)}, {join(ThreadId(0)), write(kCount)}}, [&](const Turn& turn) {
    if (turn.thread.value == 1) went_on = true;
    return turn.thread.value != 0;
  });
  EXPECT_EQ(report.verdict(), Verdict::kBug);
  EXPECT_EQ(report.findings.size(), 1u);
  EXPECT_FALSE(went_on);
}

TEST(Session, OfAReaderNothingIsUnlockedExclusively) {
  const Report report = explore({{lock_shared(kLock), unlock(kLock)}});
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].failure.kind, FailureKind::kUnlockNotHeld);
}

}  // namespace
}  // namespace heddle
