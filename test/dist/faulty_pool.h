// For tests of one search by many: explorers that fail, and what must come out all the same.
#pragma once

#include <gtest/gtest.h>

#include <deque>

#include "base/random.h"
#include "dist/local_pool.h"
#include "dist/search.h"

namespace heddle::dist {

// Explorers that come and go, on a clock of their own: an item is explored when the seed says so; answers are lost,
// come twice, and come late. Everything goes through bytes.
class FaultyPool : public WorkPool {
 public:
  // Any of the programs may explore any item, so that what one has learnt another has not.
  FaultyPool(std::vector<OwnProgram> programs, const ItemOptions& options, std::size_t explorers, std::uint64_t seed)
      : programs_(std::move(programs)), options_(options), explorers_(explorers), random_(seed) {}

  std::size_t room() const override { return explorers_ - out_.size(); }
  void give(WorkItem item) override { out_.push_back(encode(item)); }
  void hurry(bool) override {}
  std::vector<Answer> wait(std::chrono::milliseconds) override {
    std::vector<Answer> answers;
    if (!late_.empty() && random_.next() % 3 == 0) {
      answers.push_back(answer(late_.front()));
      late_.pop_front();
    }
    if (out_.empty()) return answers;
    const std::size_t which = random_.next() % out_.size();
    const WorkItem item = decode_item(out_[which]).value();
    out_.erase(out_.begin() + static_cast<std::ptrdiff_t>(which));
    const auto fate = random_.next() % 8;
    if (fate == 0) {  // killed
      answers.push_back({item.segment, item.attempt, std::nullopt, {}});
      return answers;
    }
    const OwnProgram& own = programs_[programs_.size() > 1 ? random_.next() % programs_.size() : 0];
    options_.numbers = own.numbers;
    Answer said = answer_to(*own.program, item, options_);
    EXPECT_EQ(said.error, "");
    if (!said.result) {
      ++held;
      answers.push_back(std::move(said));
      return answers;
    }
    const Bytes bytes = encode(*said.result);
    if (fate == 1) {  // taken for dead, but it was only slow
      late_.push_back(bytes);
      answers.push_back({item.segment, item.attempt, std::nullopt, {}});
      return answers;
    }
    answers.push_back(answer(bytes));
    if (fate == 2) answers.push_back(answer(bytes));
    if (fate == 3) late_.push_back(bytes);
    return answers;
  }
  std::uint64_t held = 0;  // items that were for the front only

 private:
  static Answer answer(const Bytes& bytes) {
    WorkResult result = decode_result(bytes).value();
    const auto segment = result.segment;
    const auto attempt = result.attempt;
    return {segment, attempt, std::move(result), {}};
  }

  std::vector<OwnProgram> programs_;
  ItemOptions options_;
  std::size_t explorers_;
  Random random_;
  std::vector<Bytes> out_;
  std::deque<Bytes> late_;
};

// The budget in executions is what makes it a matter of the seed alone how the search is divided.
class FewAtATime : public WorkPool {
 public:
  FewAtATime(WorkPool& pool, std::uint64_t seed, std::uint64_t most) : pool_(pool), random_(seed), most_(most) {}
  std::size_t room() const override { return pool_.room(); }
  void give(WorkItem item) override {
    const std::uint64_t few = 1 + random_.next() % most_;
    item.budget.executions = item.budget.executions > 0 ? std::min(few, item.budget.executions) : few;
    item.budget.milliseconds = 0;
    pool_.give(std::move(item));
  }
  std::vector<Answer> wait(std::chrono::milliseconds time) override { return pool_.wait(time); }
  void hurry(bool hurry) override { pool_.hurry(hurry); }

 private:
  WorkPool& pool_;
  Random random_;
  std::uint64_t most_;
};

// The same to the last execution.
inline void expect_same(const explore::ExploreResult& one, const explore::ExploreResult& many, const std::string& what,
                        bool with_values = true) {
  ASSERT_EQ(many.exhausted(), one.exhausted()) << what;
  ASSERT_EQ(many.executions, one.executions) << what;
  ASSERT_EQ(many.classes, one.classes) << what;
  ASSERT_EQ(many.asleep, one.asleep) << what;
  ASSERT_EQ(many.deadlocked, one.deadlocked) << what;
  ASSERT_EQ(many.failed, one.failed) << what;
  ASSERT_EQ(many.cut, one.cut) << what;
  ASSERT_EQ(many.infeasible, one.infeasible) << what;
  ASSERT_EQ(many.states, one.states) << what;
  ASSERT_EQ(many.steps, one.steps) << what;
  ASSERT_EQ(many.reason(), one.reason()) << what;
  ASSERT_EQ(many.algorithm, one.algorithm) << what;
  ASSERT_EQ(many.findings.size(), one.findings.size()) << what;
  for (std::size_t i = 0; i < one.findings.size(); ++i) {
    ASSERT_EQ(many.findings[i].failure, one.findings[i].failure) << what;
    if (with_values) {
      ASSERT_EQ(many.findings[i].execution, one.findings[i].execution) << what;
    }
    ASSERT_EQ(many.findings[i].schedule, one.findings[i].schedule) << what;
    ASSERT_EQ(many.findings[i].count, one.findings[i].count) << what;
  }
}

}  // namespace heddle::dist
