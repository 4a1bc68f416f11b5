// Reads at an index that depends on inputs, kept as one term over all elements.
//
// Random programs of two threads that read and write an array at indices from an input, against brute force: the
// program with the input replaced by each of its values, under every interleaving. What is compared is the set of all
// pairs of input and result, each of which ends in an error of its own.
#include <set>

#include "base/random.h"
#include "symbolic_run.h"

namespace heddle::concolic_test {
namespace {

using explore::Algorithm;

model::ModelOptions with_tables(std::uint32_t elements) {
  model::ModelOptions options = symbolic_inputs();
  options.symbolic_reads = elements;
  return options;
}

// The look-up of a digit is two paths for each comparison of what was found, and not one for each element.
TEST(TableReads, APathPerOutcomeInsteadOfOnePerElement) {
  const std::string text = R"(
    shared int squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
    thread t { int i = input() & 7; int q = squares[i]; if (q == 25) error("five"); })";
  const Explored by_index = run_text(text);
  const Explored by_table = run_text(text, {}, with_tables(8));
  EXPECT_EQ(by_index.result.classes, 8u);
  EXPECT_EQ(by_table.result.classes, 2u);
  EXPECT_EQ(by_table.result.executions, 2u);
  EXPECT_TRUE(by_table.result.exhausted()) << by_table.result.reason();
  ASSERT_EQ(by_table.result.findings.size(), 1u);
  EXPECT_EQ(by_table.result.findings[0].execution.named_inputs[0].value & 7, 5);
  // An array beyond the bound is read as before.
  EXPECT_EQ(run_text(text, {}, with_tables(7)).result.classes, 8u);
}

TEST(TableReads, TheRangeIsStillChecked) {
  const Explored r = run_text("shared int a[3]; thread t { int v = a[input()]; }", {}, with_tables(128));
  EXPECT_EQ(r.result.classes, 2u);
  ASSERT_EQ(r.result.findings.size(), 1u);
  EXPECT_EQ(r.result.findings[0].failure.kind, trace::FailureKind::kIndexOutOfRange);
}

TEST(TableReads, LargeArraysAreNoLongerTakenAsTheyAre) {
  const std::string text = R"(
    shared int a[300];
    thread t { a[277] = 5; int i = input(); assume(i >= 0 && i < 300); assert(a[i] != 5); })";
  EXPECT_FALSE(run_text(text).program->left_open().empty());
  const Explored r = run_text(text, {}, with_tables(300));
  EXPECT_TRUE(r.program->left_open().empty()) << r.program->left_open();
  ASSERT_EQ(r.result.findings.size(), 1u);
  EXPECT_EQ(r.result.findings[0].execution.named_inputs[0].value, 277);
}

// Elements may hold terms themselves, and a write at such an index goes index by index.
TEST(TableReads, OfElementsThatDependOnInputs) {
  const Explored r = run_text(R"(
    shared int a[2];
    thread t {
      int x = input(); a[0] = x * 3; a[1] = x + 1; int i = input(); assume(i == 0 || i == 1);
      if (a[i] == 300) error("reached");
    })",
                              {}, with_tables(8));
  ASSERT_EQ(r.result.findings.size(), 1u);
  const auto& in = r.result.findings[0].execution.named_inputs;
  EXPECT_EQ(in[1].value == 0 ? in[0].value * 3 : in[0].value + 1, 300);
}

// --- against brute force ---------------------------------------------------------------------------------------------

constexpr int kElements = 3;
constexpr int kResults = 4;

class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed) : random_(seed) {
    for (std::string& body : bodies_)
      for (std::uint64_t n = 2 + random_.below(2); n > 0; --n) body += statement();
  }

  // With `input`, the text that stands for it: "input()" or a number.
  std::string text(const std::string& input) const {
    std::string out = "shared int a[3] = {1, 0, 2};\nshared int out = 0;\n";
    out += "func f(int i) { int v = 0; " + bodies_[0] + "}\nfunc g(int i) { int v = 0; " + bodies_[1] + "}\n";
    out += "thread main { int i = " + input +
           "; assume(i >= 0 && i < 3); int p = spawn f(i); int q = spawn g(i); join p; join q;\n";
    out += "  int w = (out & 3) * 3 + i;\n";
    for (int w = 0; w < kElements * kResults; ++w)
      out += "  if (w == " + std::to_string(w) + ") error(\"" + std::to_string(w) + "\");\n";
    return out + "}\n";
  }

 private:
  std::string index() {
    static constexpr const char* kIndices[] = {"i", "2 - i", "(i + 1) % 3", "i", "0", "1", "2"};
    return kIndices[random_.below(7)];
  }

  std::string statement() {
    switch (random_.below(6)) {
      case 0:
        return "v = v + a[" + index() + "]; ";
      case 1:
        return "v = a[" + index() + "]; ";
      case 2:
        return "out = v + a[" + index() + "]; ";
      case 3:
        return "a[" + index() + "] = v + 1; ";
      case 4:
        return "if (a[" + index() + "] == 1) out = 2; ";
      default:
        return "out = a[" + index() + "]; ";
    }
  }

  Random random_;
  std::string bodies_[2];
};

std::set<std::string> errors(const Explored& r) {
  std::set<std::string> found;
  for (const explore::Finding& f : r.result.findings) found.insert(f.failure.message);
  EXPECT_TRUE(r.result.exhausted()) << r.result.reason();
  return found;
}

TEST(TableReads, FindsWhatBruteForceFinds) {
  std::uint64_t several = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const RandomProgram program(seed);
    std::set<std::string> truth;
    explore::StrategyOptions exhaustive;
    exhaustive.algorithm = Algorithm::kExhaustive;
    for (int i = 0; i < kElements; ++i) truth.merge(errors(run_text(program.text(std::to_string(i)), exhaustive)));
    several += truth.size() > kElements;
    for (const Algorithm a : {Algorithm::kOptimalDpor, Algorithm::kSourceDpor, Algorithm::kDporCr}) {
      explore::StrategyOptions options;
      options.algorithm = a;
      const Explored found = run_text(program.text("input()"), options, with_tables(kElements));
      ASSERT_EQ(errors(found), truth) << name_of(a) << "\n" << program.text("input()");
      EXPECT_TRUE(found.program->left_open().empty());
      if (a == Algorithm::kOptimalDpor) {
        EXPECT_EQ(found.result.executions, found.result.classes + found.result.infeasible) << program.text("input()");
      }
    }
  }
  EXPECT_GT(several, 20u) << "the programs have become too simple to tell anything";
}

}  // namespace
}  // namespace heddle::concolic_test
