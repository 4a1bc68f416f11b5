// A search in a journal is one search, however often it is begun again; and a journal that is not ours is not used.
#include "dist/journal.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/random.h"
#include "check/random_script.h"
#include "dist/item_explorer.h"
#include "failing_program.h"

namespace heddle::dist {
namespace {

class JournalTest : public testing::Test {
 protected:
  JournalTest() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~JournalTest() override { std::filesystem::remove_all(folder_); }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("heddle-journal-" + std::to_string(getpid()));
  const std::string file_ = folder_ / "search.db";
  const Identity identity_{"some.hed", 42, "optimal-dpor"};
};

// Ends after so many items: the process was killed.
class Mortal : public WorkPool {
 public:
  Mortal(const check::Script& script, const explore::StrategyOptions& strategy, int items, std::uint64_t seed)
      : program_(script), strategy_(strategy), items_(items), random_(seed) {}
  std::size_t room() const override { return 2 - given_.size(); }
  void give(WorkItem item) override {
    item.budget = {1 + random_.next() % 15, 0, false};
    given_.push_back(std::move(item));
  }
  void hurry(bool) override {}
  std::vector<Answer> wait(std::chrono::milliseconds) override {
    if (items_-- == 0) return {{0, 0, std::nullopt, "killed"}};
    const std::size_t which = random_.next() % given_.size();
    const WorkItem item = std::move(given_[which]);
    given_.erase(given_.begin() + static_cast<std::ptrdiff_t>(which));
    std::vector<Answer> answers;
    answers.push_back(
        {item.segment, item.attempt, explore_item(program_, item, {strategy_, nullptr, nullptr}).value(), {}});
    return answers;
  }

 private:
  FailingProgram program_;
  explore::StrategyOptions strategy_;
  int items_;
  Random random_;
  std::vector<WorkItem> given_;
};

TEST_F(JournalTest, GoesOnAfterEveryDeath) {
  int deaths = 0;
  for (const auto algorithm : {explore::Algorithm::kOptimalDpor, explore::Algorithm::kDporCr})
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const check::Script script = check::random_large_script(seed);
      explore::ExploreOptions options;
      options.strategy.algorithm = algorithm;
      options.all = true;
      options.probe = false;
      options.max_executions = 600;
      FailingProgram program(script);
      const explore::ExploreResult one = explore::explore(program, options).value();
      if (!one.ended) continue;
      std::filesystem::remove_all(folder_);
      std::filesystem::create_directories(folder_);
      std::optional<explore::ExploreResult> many;
      for (int run = 0; !many && run < 1'000; ++run) {
        auto opened = Journal::open(file_, identity_);
        ASSERT_TRUE(opened.ok()) << opened.error().message;
        const std::unique_ptr<Journal>& journal = *opened;
        Coordinator coordinator = journal->take_coordinator();
        Mortal pool(script, options.strategy, 1 + run % 5, seed + static_cast<std::uint64_t>(run));
        SearchOptions search_options;
        search_options.all = true;
        search_options.recorder = journal.get();
        auto result = search(coordinator, pool, search_options);
        if (result)
          many = *result;
        else
          ++deaths;
      }
      ASSERT_TRUE(many);
      EXPECT_EQ(many->executions, one.executions) << seed;
      EXPECT_EQ(many->classes, one.classes) << seed;
      EXPECT_EQ(many->asleep, one.asleep) << seed;
      EXPECT_EQ(many->deadlocked, one.deadlocked) << seed;
      EXPECT_EQ(many->findings.size(), one.findings.size()) << seed;
      EXPECT_TRUE(many->exhausted());
      const auto status = Journal::status(file_);
      ASSERT_TRUE(status.ok()) << status.error().message;
      EXPECT_EQ(status.value().so_far.executions, one.executions);
      EXPECT_TRUE(status.value().record.order.empty());
      EXPECT_FALSE(status.value().in_use);
    }
  EXPECT_GT(deaths, 20);
}

std::string refusal(const std::string& file, const Identity& identity) {
  const auto journal = Journal::open(file, identity);
  return journal.ok() ? std::string() : journal.error().message;
}

TEST_F(JournalTest, IsOfOneSearch) {
  ASSERT_EQ(refusal(file_, identity_), "");
  EXPECT_NE(refusal(file_, {"some.hed", 43, "optimal-dpor"}).find("has changed"), std::string::npos);
  EXPECT_NE(refusal(file_, {"some.hed", 42, "dpor"}).find("other options"), std::string::npos);
  ASSERT_EQ(refusal(file_, identity_), "");
}

TEST_F(JournalTest, IsGoneOnWithByOne) {
  const auto journal = Journal::open(file_, identity_);
  ASSERT_TRUE(journal.ok());
  EXPECT_NE(refusal(file_, identity_).find("in use"), std::string::npos);
  const auto status = Journal::status(file_);
  ASSERT_TRUE(status.ok()) << status.error().message;
  EXPECT_TRUE(status.value().in_use);
}

void change(const std::string& file, const char* sql) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  sqlite3_close(db);
}

TEST_F(JournalTest, DamageIsNoticed) {
  ASSERT_EQ(refusal(file_, identity_), "");
  const std::string copy = folder_ / "copy.db";
  const auto damaged_by = [&](const char* sql) {
    std::filesystem::copy_file(file_, copy, std::filesystem::copy_options::overwrite_existing);
    change(copy, sql);
    return refusal(copy, identity_);
  };
  EXPECT_NE(damaged_by("UPDATE segments SET bytes = x'0011'").find("damaged"), std::string::npos);
  EXPECT_NE(damaged_by("DELETE FROM segments").find("damaged"), std::string::npos);
  EXPECT_NE(damaged_by("DELETE FROM search").find("damaged"), std::string::npos);
  EXPECT_NE(damaged_by("PRAGMA user_version=3").find("format 3"), std::string::npos);
  EXPECT_NE(damaged_by("PRAGMA application_id=5").find("no journal of heddle"), std::string::npos);
  std::ofstream(copy) << "this is no database, whatever its name may say, and it is long enough to be looked at";
  EXPECT_NE(refusal(copy, identity_).find("damaged"), std::string::npos);
}

// Bytes of the file that are not as they were: either nobody reads them, or it is refused, or, at least, not believed.
TEST_F(JournalTest, EveryByteCounts) {
  ASSERT_EQ(refusal(file_, identity_), "");
  std::ifstream in(file_, std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const std::string copy = folder_ / "copy.db";
  Random random(5);
  int refused = 0;
  for (int i = 0; i < 60; ++i) {
    std::string bad = good;
    for (int k = 0; k < 40; ++k) bad[random.next() % bad.size()] = static_cast<char>(random.next());
    std::filesystem::remove(copy + "-wal");
    std::filesystem::remove(copy + "-shm");
    std::ofstream(copy, std::ios::binary) << bad;
    auto journal = Journal::open(copy, identity_);
    if (!journal) {
      ++refused;
      continue;
    }
    const Coordinator coordinator = (*journal)->take_coordinator();
    EXPECT_EQ(coordinator.segments().size(), 1u);
    EXPECT_EQ(coordinator.so_far().executions, 0u);
  }
  EXPECT_GT(refused, 10);
}

TEST_F(JournalTest, NeedsAFolder) {
  EXPECT_NE(refusal(folder_ / "none" / "search.db", identity_).find("cannot write"), std::string::npos);
  EXPECT_FALSE(Journal::status(folder_ / "nothing.db").ok());
}

}  // namespace
}  // namespace heddle::dist
