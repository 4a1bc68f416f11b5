// One search by many of programs with inputs. Every explorer has terms of its own, numbered as it met them, and other
// inputs at hand; whatever the number of explorers, the totals are those of one.
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "check/random_script.h"
#include "cli/model_numbers.h"
#include "dist/journal.h"
#include "dist/terms.h"
#include "faulty_pool.h"
#include "trace/fingerprint.h"

namespace heddle::dist {
namespace {

using explore::Algorithm;
using explore::StrategyOptions;

model::ModelOptions symbolic_inputs() {
  model::ModelOptions options;
  options.inputs = model::InputMode::kSymbolic;
  return options;
}

// A model in which something fails in a third of the classes.
class FailingModel final : public trace::Program {
 public:
  explicit FailingModel(const std::string& text)
      : model_(std::move(*model::load_model_text(text, "test.hed", {}, symbolic_inputs()))), numbers_(*model_) {}
  void run(const trace::Schedule& schedule, trace::Execution& execution) override {
    model_->run(schedule, execution);
    if (execution.outcome != trace::Outcome::kComplete) return;
    const std::uint64_t name = fingerprint_(execution);
    if (name % 3 != 0) return;
    execution.outcome = trace::Outcome::kFailed;
    trace::Failure failure;
    failure.step = static_cast<EventIndex>(execution.steps.size());
    failure.where = static_cast<std::uint32_t>(name / 3 % 4);
    failure.message = "failure " + std::to_string(failure.where);
    execution.failures.push_back(std::move(failure));
  }
  model::ModelProgram& model() { return *model_; }
  cli::ModelNumbers& numbers() { return numbers_; }

 private:
  std::unique_ptr<model::ModelProgram> model_;
  cli::ModelNumbers numbers_;
  trace::Fingerprinter fingerprint_;
};

OwnProgram own(const std::string& text) {
  auto program = std::make_unique<FailingModel>(text);
  OwnNumbers* numbers = &program->numbers();
  return {std::move(program), numbers};
}

explore::ExploreResult alone(const std::string& text, StrategyOptions strategy) {
  FailingModel program(text);
  explore::ExploreOptions options;
  options.strategy = strategy;
  options.strategy.feasibility = program.numbers().judge();
  options.all = true;
  options.probe = false;
  options.max_executions = 2'000;
  return explore::explore(program, options).value();
}

struct Variant {
  const char* name;
  Algorithm algorithm;
  bool sleep_sets = false;
};

StrategyOptions strategy_of(const Variant& variant) {
  StrategyOptions strategy;
  strategy.algorithm = variant.algorithm;
  strategy.sleep_sets = variant.sleep_sets;
  return strategy;
}

class ManyWithInputs : public testing::TestWithParam<Variant> {};

TEST_P(ManyWithInputs, HaveTheTotalsOfOne) {
  const StrategyOptions strategy = strategy_of(GetParam());
  const char* asked = std::getenv("HEDDLE_DIST_SEEDS");  // for the long form
  const std::uint64_t most = asked ? std::strtoull(asked, nullptr, 10) : 25;
  std::uint64_t compared = 0, redone = 0, branching = 0;
  for (std::uint64_t seed = 0; seed < most; ++seed) {
    const std::string text = to_source(check::random_input_script(seed));
    const explore::ExploreResult one = alone(text, strategy);
    if (!one.ended || one.executions < 3) continue;
    for (const std::size_t explorers : {1u, 2u, 3u, 4u}) {
      std::vector<OwnProgram> programs;
      for (std::size_t i = 0; i < explorers; ++i) programs.push_back(own(text));
      FaultyPool faulty(std::move(programs), {strategy, nullptr, nullptr}, explorers, seed);
      FewAtATime pool(faulty, seed + 1, 1 + (seed * 7 + explorers * 3) % 20);
      Coordinator coordinator;
      SearchOptions options;
      options.all = true;
      expect_same(one, search(coordinator, pool, options).value(),
                  GetParam().name + (" seed " + std::to_string(seed)) + ", " + std::to_string(explorers) + "\n" + text,
                  /*with_values=*/false);
      if (HasFatalFailure()) return;
      ++compared;
      redone += coordinator.record().redone;
      branching += coordinator.terms().size() > 1 ? 1 : 0;
    }
  }
  std::printf("%s: %lu compared, %lu with terms, %lu executions done again\n", GetParam().name, compared, branching,
              redone);
  EXPECT_GT(compared, most);
  EXPECT_GT(branching, compared / 2);
}

INSTANTIATE_TEST_SUITE_P(
    Algorithms, ManyWithInputs,
    testing::Values(Variant{"optimal_dpor", Algorithm::kOptimalDpor}, Variant{"source_dpor", Algorithm::kSourceDpor},
                    Variant{"dpor", Algorithm::kDpor}, Variant{"dpor_asleep", Algorithm::kDpor, true},
                    Variant{"dpor_cr_asleep", Algorithm::kDporCr, true}, Variant{"exhaustive", Algorithm::kExhaustive}),
    [](const auto& variant) { return variant.param.name; });

TEST(ModelsWithInputs, InThreads) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const std::string text = to_source(check::random_input_script(seed));
    const explore::ExploreResult one = alone(text, {});
    if (!one.ended) continue;
    for (const std::size_t explorers : {1u, 2u, 4u}) {
      LocalPool local([&] { return own(text); }, {{}, nullptr, nullptr}, explorers);
      FewAtATime pool(local, seed, 10);
      Coordinator coordinator;
      SearchOptions options;
      options.all = true;
      expect_same(one, search(coordinator, pool, options).value(), "seed " + std::to_string(seed), false);
      if (HasFatalFailure()) return;
    }
  }
}

// Which of the children comes first is a matter of inputs that no random execution has: explorers meet them in
// different orders, and their numbers are the same all the same.
constexpr const char* kRareChildren = R"(
shared int x = 0;
func child() { x = x + 1; }
func other() { x = 2 * x; }
thread a { int i = input(); if (i == 123456) { int t = spawn child(); join(t); } }
thread b { int i = input(); if (i == 654321) { int t = spawn other(); join(t); } }
thread c { int i = input(); if (i == 777777) { int t = spawn child(); join(t); } }
)";

TEST(ModelsWithInputs, ThreadsThatFewMeet) {
  const explore::ExploreResult one = alone(kRareChildren, {});
  ASSERT_TRUE(one.exhausted());
  ASSERT_GT(one.classes, 10u);
  std::uint64_t held = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    std::vector<OwnProgram> programs;
    for (int i = 0; i < 3; ++i) programs.push_back(own(kRareChildren));
    FaultyPool faulty(std::move(programs), {{}, nullptr, nullptr}, 3, seed);
    FewAtATime pool(faulty, seed, 2 + seed % 5);
    Coordinator coordinator;
    SearchOptions options;
    options.all = true;
    expect_same(one, search(coordinator, pool, options).value(), "seed " + std::to_string(seed), false);
    if (HasFatalFailure()) return;
    EXPECT_EQ(coordinator.record().threads.size(), 3u);
    held += faulty.held;
  }
  EXPECT_GT(held, 0u);
}

// Killed after a few items, again and again.
TEST(ModelsWithInputs, JournalsGoOn) {
  const auto folder = std::filesystem::temp_directory_path() / ("heddle-inputs-" + std::to_string(getpid()));
  int deaths = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const std::string text = seed == 0 ? kRareChildren : to_source(check::random_input_script(seed));
    const explore::ExploreResult one = alone(text, {});
    if (!one.ended) continue;
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    std::optional<explore::ExploreResult> many;
    for (std::uint64_t run = 0; !many && run < 1'000; ++run) {
      auto journal = Journal::open(folder / "search.db", {"test.hed", 1, "optimal-dpor"});
      ASSERT_TRUE(journal.ok()) << journal.error().message;
      Coordinator coordinator = (*journal)->take_coordinator();
      std::vector<OwnProgram> programs;
      for (int i = 0; i < 2; ++i) programs.push_back(own(text));
      FaultyPool faulty(std::move(programs), {{}, nullptr, nullptr}, 2, seed + run);
      FewAtATime pool(faulty, run, 3);
      SearchOptions options;
      options.all = true;
      options.recorder = journal->get();
      options.max_executions = coordinator.so_far().executions + 5;
      const explore::ExploreResult result = search(coordinator, pool, options).value();
      if (result.ended)
        many = result;
      else
        ++deaths;
    }
    ASSERT_TRUE(many);
    expect_same(one, *many, "seed " + std::to_string(seed), false);
    if (testing::Test::HasFatalFailure()) return;
  }
  std::filesystem::remove_all(folder);
  EXPECT_GT(deaths, 10);
}

// One bit of the file is not what it was, at every 97th byte: the journal is refused, or what comes out is right. Once
// with everything in the database, and once with the last of it in the log beside it, of which SQLite takes what is
// whole. All tables have rows: classes are met more than once by dpor, and there are terms.
TEST(JournalsWithInputs, AFlippedBitIsRefusedOrNoMatter) {
  const auto folder = std::filesystem::temp_directory_path() / ("heddle-flips-" + std::to_string(getpid()));
  const Identity identity{"test.hed", 1, "dpor"};
  StrategyOptions strategy;
  strategy.algorithm = Algorithm::kDpor;
  std::string text;
  explore::ExploreResult one;
  for (std::uint64_t seed = 0; one.executions < 100 || one.classes == one.executions || !one.ended; ++seed) {
    text = to_source(check::random_input_script(seed));
    one = alone(text, strategy);
  }
  const auto read_file = [](const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  };
  // To its end, or as far as there are executions.
  const auto go_on = [&](Journal& journal, std::optional<std::uint64_t> executions) {
    Coordinator coordinator = journal.take_coordinator();
    LocalPool local([&] { return own(text); }, {strategy, nullptr, nullptr}, 1);
    FewAtATime pool(local, 3, 10);
    SearchOptions options;
    options.all = true;
    options.recorder = &journal;
    options.max_executions = executions;
    return search(coordinator, pool, options).value();
  };
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = folder / "search.db", bad = folder / "bad.db";
  std::string database, log, whole;
  {
    auto journal = Journal::open(file, identity);
    ASSERT_TRUE(journal.ok());
    ASSERT_FALSE(go_on(**journal, one.executions / 2).ended);
    database = read_file(file);
    log = read_file(file.string() + "-wal");
  }
  whole = read_file(file);
  ASSERT_GT(log.size(), 10'000u);
  int refused = 0, right = 0;
  const auto damage = [&](const std::string& database_bytes, const std::string& log_bytes) {
    for (const char* beside : {"", "-wal", "-shm"}) std::filesystem::remove(bad.string() + beside);
    std::ofstream(bad, std::ios::binary) << database_bytes;
    if (!log_bytes.empty()) std::ofstream(bad.string() + "-wal", std::ios::binary) << log_bytes;
  };
  const auto flipped = [](std::string bytes, std::size_t at) {
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
    return bytes;
  };
  const auto judge = [&](const std::string& what) {
    auto journal = Journal::open(bad, identity);
    if (!journal) {
      ++refused;
      EXPECT_FALSE(journal.error().message.empty());
      return;
    }
    ++right;
    expect_same(one, go_on(**journal, std::nullopt), what, false);
  };
  for (std::size_t at = 0; at < whole.size(); at += 97) {
    damage(flipped(whole, at), "");
    judge("byte " + std::to_string(at) + " of the database");
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(refused, right / 4) << "of " << whole.size() << " bytes";
  // Rows that SQLite takes for whole: of every table.
  for (const char* sql :
       {"UPDATE classes SET fingerprint = fingerprint + 1 WHERE fingerprint = (SELECT max(fingerprint) FROM classes)",
        "UPDATE classes SET outcome = outcome + 1 WHERE fingerprint = (SELECT min(fingerprint) FROM classes)",
        "DELETE FROM classes WHERE fingerprint = (SELECT min(fingerprint) FROM classes)",
        "DELETE FROM terms WHERE id = (SELECT max(id) FROM terms)", "INSERT INTO knowledge VALUES(1, x'00')",
        "UPDATE about SET value = 'other.hed' WHERE key = 'program'"}) {
    damage(whole, "");
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(bad.c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    EXPECT_EQ(sqlite3_changes(db), 1) << sql;
    sqlite3_close(db);
    const auto journal = Journal::open(bad, identity);
    ASSERT_FALSE(journal.ok()) << sql;
    EXPECT_NE(journal.error().message.find("damaged"), std::string::npos) << sql;
  }
  const int refused_before = refused;
  for (std::size_t at = 0; at < log.size(); at += 997) {
    damage(database, flipped(log, at));
    judge("byte " + std::to_string(at) + " of the log");
    if (testing::Test::HasFatalFailure()) return;
  }
  std::printf("%d refused, %d right; %d of the log refused\n", refused, right, refused - refused_before);
  std::filesystem::remove_all(folder);
}

TEST(Terms, ComeBackAsTheyWent) {
  const std::string text = to_source(check::random_input_script(3));
  const OwnProgram first = own(text), second = own(text);
  ItemOptions options;
  options.numbers = second.numbers;
  WorkItem all;
  explore_item(*second.program, all, options).value();  // has met other terms before
  options.numbers = first.numbers;
  all.budget.executions = 3;
  Coordinator coordinator;
  const auto item = coordinator.take({3, 0, false});
  ASSERT_TRUE(coordinator.accept(explore_item(*first.program, *item, options).value()));
  const WorkItem next = coordinator.take({1, 0, false}).value();
  EXPECT_FALSE(next.terms.empty());
  symbolic::TermStore store(symbolic::Simplify::kNo);
  store.input(8, "something else");
  WorkItem taken = next;
  ASSERT_TRUE(take_terms(store, taken));
  EXPECT_NE(taken.search, next.search);
  WorkItem back = taken;
  back.terms = parcel_for(store, taken.search);
  symbolic::TermStore again(symbolic::Simplify::kNo);
  ASSERT_TRUE(symbolic::unpack(again, symbolic::pack_from(coordinator.terms(), 1)));
  ASSERT_TRUE(take_terms(again, back));
  EXPECT_EQ(back.search, next.search);
}

TEST(Terms, DamagedOnesAreRefused) {
  symbolic::TermStore store;
  const auto x = store.input(32, "0,1");
  const auto sum = store.make(symbolic::TermKind::kAdd, x, store.constant(32, 7));
  const symbolic::TermParcel good = symbolic::pack(store, {store.equals(sum, 9)});
  Random random(3);
  int refused = 0;
  for (int i = 0; i < 2'000; ++i) {
    symbolic::TermParcel bad = good;
    symbolic::PackedTerm& one = bad[random.next() % bad.size()];
    switch (random.next() % 5) {
      case 0:
        one.term.width = static_cast<std::uint8_t>(random.next());
        break;
      case 1:
        one.term.a = symbolic::TermId(static_cast<std::uint32_t>(random.next() % 8));
        break;
      case 2:
        one.term.kind = static_cast<symbolic::TermKind>(random.next() % symbolic::kTermKinds);
        break;
      case 3:
        one.number = symbolic::TermId(static_cast<std::uint32_t>(random.next() % 8));
        break;
      default:
        one.name = "0,1";
    }
    symbolic::TermStore other;
    if (!symbolic::unpack(other, bad)) ++refused;
  }
  EXPECT_GT(refused, 1'000);
}

}  // namespace
}  // namespace heddle::dist
