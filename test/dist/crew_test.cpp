// A search and hands elsewhere, with messages that are lost, doubled, late, out of order and damaged on the way.
#include "dist/crew.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "base/random.h"
#include "check/random_script.h"
#include "dist/hand.h"
#include "dist/local_pool.h"
#include "dist/search.h"
#include "failing_program.h"

namespace heddle::dist {
namespace {

using namespace std::chrono_literals;

// What carries the messages, badly.
class Post {
 public:
  explicit Post(std::uint64_t seed, bool bad) : random_(seed), bad_(bad) {}

  void send(const std::string& subject, Bytes message) {
    const std::lock_guard lock(mutex_);
    const auto fate = bad_ ? random_.next() % 24 : 23;
    if (fate == 0) return;
    if (fate == 1) message[random_.next() % message.size()] ^= static_cast<std::uint8_t>(1 + random_.next() % 255);
    if (fate == 2) message.resize(random_.next() % message.size());
    auto& box = boxes_[subject];
    if (fate == 3)
      box.push_front(message);  // before those that were sent earlier
    else
      box.push_back(message);
    if (fate == 4) box.push_back(message);
    if (fate == 5) late_.emplace_back(subject, message);
    if (!late_.empty() && random_.next() % 8 == 0) {
      boxes_[late_.front().first].push_back(late_.front().second);
      late_.pop_front();
    }
    arrived_.notify_all();
  }

  std::optional<Bytes> take(const std::string& subject, std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    auto& box = boxes_[subject];
    arrived_.wait_for(lock, time, [&] { return !box.empty(); });
    if (box.empty()) return std::nullopt;
    Bytes message = std::move(box.front());
    box.pop_front();
    return message;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::string, std::deque<Bytes>> boxes_;
  std::deque<std::pair<std::string, Bytes>> late_;
  Random random_;
  bool bad_;
};

class Letterbox final : public Transport {
 public:
  Letterbox(Post& post, std::string own, std::vector<std::string> all) : post_(post), own_(std::move(own)), all_(all) {}
  void publish(const std::string& subject, const Bytes& message) override {
    if (subject == kToAll)
      for (const std::string& one : all_) post_.send(one, message);
    else
      post_.send(subject, message);
  }
  std::optional<Bytes> next(std::chrono::milliseconds time) override { return post_.take(own_, time); }

 private:
  Post& post_;
  std::string own_;
  std::vector<std::string> all_;
};

class ScriptShop final : public Workshop {
 public:
  explicit ScriptShop(const check::Script& script)
      : pool_([&] { return std::make_unique<FailingProgram>(script); }, {}, 1, true) {}
  WorkPool& pool() override { return pool_; }

 private:
  LocalPool pool_;
};

void expect_totals_of_one(std::uint64_t seed, bool bad) {
  const check::Script script = check::random_script(seed);
  FailingProgram program(script);
  explore::ExploreOptions engine;
  engine.all = true;
  const explore::ExploreResult alone = explore::explore(program, engine).value();
  Post post(seed, bad);
  const std::vector<std::string> hands{to_hand(1), to_hand(2)};
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  for (std::uint64_t hand = 1; hand <= 2; ++hand)
    threads.emplace_back([&, hand] {
      Letterbox box(post, to_hand(hand), {});
      HandOptions options{"same",
                          1,
                          20ms,
                          [&](const ReceivedJob& job, const AskSearch&) -> Result<std::unique_ptr<Workshop>> {
                            EXPECT_EQ(job.blob, Bytes(600'000, 7));
                            return std::unique_ptr<Workshop>(new ScriptShop(script));
                          },
                          [](const std::string&) {},
                          [&] { return !over.load(); }};
      EXPECT_TRUE(work(box, hand, options).ok());
    });
  Letterbox box(post, kToSearch, hands);
  Crew crew(box, {"script", {}, Bytes(600'000, 7), "same"}, nullptr, {400ms, 100ms, 20ms});
  Coordinator coordinator;
  SearchOptions how;
  how.all = true;
  how.longest_item = 5;
  const explore::ExploreResult together = search(coordinator, crew, how).value();
  over = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(together.executions, alone.executions);
  EXPECT_EQ(together.classes, alone.classes);
  EXPECT_EQ(together.failed, alone.failed);
  EXPECT_EQ(together.states, alone.states);
  EXPECT_EQ(together.findings.size(), alone.findings.size());
  EXPECT_TRUE(together.exhausted());
}

TEST(Crew, HasTheTotalsOfOne) { expect_totals_of_one(1, false); }

TEST(Crew, HasTheTotalsOfOneWhateverBecomesOfMessages) {
  for (std::uint64_t seed = 2; seed < 8; ++seed) expect_totals_of_one(seed, true);
}

TEST(Crew, AnotherBuildIsSentAway) {
  Post post(1, false);
  Letterbox box(post, kToSearch, {to_hand(1)});
  Crew crew(box, {"script", {}, {}, "one"}, nullptr);
  std::thread hand([&] {
    Letterbox own(post, to_hand(1), {});
    HandOptions options{"another", 1, 20ms, nullptr, [](const std::string&) {}, [] { return true; }};
    const auto done = work(own, 1, options);
    ASSERT_FALSE(done.ok());
    EXPECT_NE(done.error().message.find("another build"), std::string::npos);
  });
  for (int i = 0; i < 20; ++i) crew.wait(10ms);
  hand.join();
  EXPECT_EQ(crew.room(), 0u);
}

TEST(Letters, DamageIsNoticed) {
  const Letter letter{
      .word = Word::kAnswer, .search = 1, .text = "text", .content = "content", .beside = {{1, 2}}, .items = {{3, 4}}};
  const Bytes good = encode(letter);
  ASSERT_EQ(decode_letter(good).value(), letter);
  Random random(3);
  for (int i = 0; i < 3'000; ++i) {
    Bytes bad = good;
    bad[random.next() % bad.size()] ^= static_cast<std::uint8_t>(1 + random.next() % 255);
    EXPECT_FALSE(decode_letter(bad).ok());
    bad = good;
    bad.resize(random.next() % bad.size());
    EXPECT_FALSE(decode_letter(bad).ok());
    EXPECT_FALSE(decode_answer(bad).ok());
  }
}

}  // namespace
}  // namespace heddle::dist
