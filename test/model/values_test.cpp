// What expressions and local code compute.
#include "model_run.h"

namespace heddle::model {
namespace {

constexpr std::int32_t kLowest = -2147483647 - 1;

TEST(Values, precedence_is_that_of_c) {
  EXPECT_EQ(evaluate("1 + 2 * 3"), 7);
  EXPECT_EQ(evaluate("(1 + 2) * 3"), 9);
  EXPECT_EQ(evaluate("20 - 5 - 3"), 12);
  EXPECT_EQ(evaluate("100 / 5 / 2"), 10);
  EXPECT_EQ(evaluate("1 << 2 + 1"), 8);
  EXPECT_EQ(evaluate("1 | 2 ^ 3 & 4"), 1 | (2 ^ (3 & 4)));
  EXPECT_EQ(evaluate("5 & 3 == 3"), 5 & (3 == 3));
  EXPECT_EQ(evaluate("1 < 2 == 1"), 1);
  EXPECT_EQ(evaluate("0 || 1 && 0"), 0);
  EXPECT_EQ(evaluate("1 ? 2 : 0 ? 3 : 4"), 2);
  EXPECT_EQ(evaluate("0 ? 2 : 0 ? 3 : 4"), 4);
  EXPECT_EQ(evaluate("-2 * -3"), 6);
  EXPECT_EQ(evaluate("!0 + !7"), 1);
  EXPECT_EQ(evaluate("~0"), -1);
  EXPECT_EQ(evaluate("- - 4 + + 1"), 5);
}

TEST(Values, integers_wrap_at_32_bits) {
  EXPECT_EQ(evaluate("2147483647 + 1"), kLowest);
  EXPECT_EQ(evaluate("-2147483648 - 1"), 2147483647);
  EXPECT_EQ(evaluate("65536 * 65536"), 0);
  EXPECT_EQ(evaluate("-2147483648 / -1"), kLowest);
  EXPECT_EQ(evaluate("-2147483648 % -1"), 0);
  EXPECT_EQ(evaluate("-7 / 2"), -3);
  EXPECT_EQ(evaluate("-7 % 2"), -1);
  EXPECT_EQ(evaluate("0xffffffff"), -1);
  EXPECT_EQ(evaluate("0x7Ff"), 2047);
}

TEST(Values, shifts_count_modulo_32_and_keep_the_sign) {
  EXPECT_EQ(evaluate("1 << 31"), kLowest);
  EXPECT_EQ(evaluate("1 << 33"), 2);
  EXPECT_EQ(evaluate("-8 >> 1"), -4);
}

// The same at run time, where nothing can be folded.
TEST(Values, interpreter_agrees_with_constant_folding) {
  const std::vector<std::string> operators = {"+", "-",  "*",  "/", "%",  "<<", ">>", "&",  "|",
                                              "^", "==", "!=", "<", "<=", ">",  ">=", "&&", "||"};
  const std::vector<std::string> operands = {"0", "1", "-1", "7", "-13", "2147483647", "(-2147483648)"};
  for (const auto& op : operators) {
    for (const auto& a : operands) {
      for (const auto& b : operands) {
        if (b == "0" && (op == "/" || op == "%")) continue;
        const std::string folded = a + " " + op + " " + b;
        ModelRun run("shared int r; func f(a, b) { return a " + op + " b; } thread main { r = f(" + a + ", " + b +
                     "); }");
        EXPECT_EQ(run.run().value("r"), evaluate(folded)) << folded;
      }
    }
  }
}

TEST(Values, statements_of_control) {
  ModelRun run(R"(
    shared int sum, odd, nested, last, early;
    func classify(i) { if (i < 0) return -1; else if (i == 0) return 0; return 1; }
    func find(n) { for (int i = 0; ; i++) { if (i * i >= n) return i; } }
    thread main {
      int total = 0;
      for (int i = 1; i <= 10; i++) { if (i == 9) break; if (i % 2) continue; total += i; }
      sum = total;
      int n = 0;
      while (n < 5) { n++; if (n != 3) { continue; } break; }
      odd = n;
      int count = 0;
      for (int i = 0; i < 3; ++i) for (int j = 0; j < 4; ++j) { if (j == 2) break; count++; }
      nested = count;
      last = classify(-5) * 100 + classify(0) * 10 + classify(7);
      early = find(50);
      ;
      { }
      return;
      sum = 0;
    })");
  run.run();
  EXPECT_EQ(run.value("sum"), 2 + 4 + 6 + 8);
  EXPECT_EQ(run.value("odd"), 3);
  EXPECT_EQ(run.value("nested"), 6);
  EXPECT_EQ(run.value("last"), -99);
  EXPECT_EQ(run.value("early"), 8);
}

TEST(Values, compound_assignment) {
  ModelRun run(R"(
    shared int r, a[2] = 3;
    thread main {
      int x = 5;
      x += 3; x -= 1; x *= 6; x /= 4; x %= 7; x <<= 4; x >>= 1; x |= 5; x ^= 3; x &= 30; x++; --x;
      r = x;
      a[1] *= 4; a[0]--; ++a[0];
    })");
  run.run();
  int x = 5;
  x += 3;
  x -= 1;
  x *= 6;
  x /= 4;
  x %= 7;
  x <<= 4;
  x >>= 1;
  x |= 5;
  x ^= 3;
  x &= 30;
  EXPECT_EQ(run.value("r"), x);
  EXPECT_EQ(run.value("a[1]"), 12);
  EXPECT_EQ(run.value("a[0]"), 3);
}

TEST(Values, a_destination_may_occur_in_its_own_expression) {
  ModelRun run(R"(
    shared int r[4];
    func twice(v) { return v * 2; }
    thread main {
      int a = 1, b = 0, c = a + 5;
      b = a && !b;           r[0] = b;
      a = b ? a + 4 : a - 4; r[1] = a;
      a = a - twice(a);      r[2] = a;
      c = c + (a || c) * 2;  r[3] = c;
    })");
  run.run();
  EXPECT_EQ(run.value("r[0]"), 1);
  EXPECT_EQ(run.value("r[1]"), 5);
  EXPECT_EQ(run.value("r[2]"), -5);
  EXPECT_EQ(run.value("r[3]"), 8);
}

TEST(Values, functions_recurse_and_take_parameters_by_value) {
  ModelRun run(R"(
    shared int f, g, h;
    func fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
    func spoil(a) { a = 99; }
    func even(n) { return n == 0 ? 1 : odd(n - 1); }
    func odd(n) { return n == 0 ? 0 : even(n - 1); }
    thread main { int a = 4; spoil(a); f = fact(a) + fact(3) * 1000; g = even(10) + 2 * odd(10); h = spoil(1); })");
  run.run();
  EXPECT_EQ(run.value("f"), 24 + 6000);
  EXPECT_EQ(run.value("g"), 1);
  EXPECT_EQ(run.value("h"), 0) << "a function that ends without return gives 0";
}

TEST(Values, initial_values_and_constants) {
  const std::string text = R"(
    const n = 3;  const m = n * n - 1, big = m > 5 ? 100 : 200;
    shared int a = m, table[n] = big, list[3] = {1, 2 + n, -3}, zero[n + 1];
    thread main { })";
  ModelRun run(text);
  run.run();
  EXPECT_EQ(run.value("a"), 8);
  EXPECT_EQ(run.value("table[2]"), 100);
  EXPECT_EQ(run.value("list[1]"), 5);
  EXPECT_EQ(run.value("list[2]"), -3);
  EXPECT_EQ(run.value("zero[3]"), 0);
  EXPECT_EQ(run.program->constants().at("big"), 100);

  ModelRun other(text, {{"n", 2}, {"m", 1}});
  other.run();
  EXPECT_EQ(other.value("a"), 1);
  EXPECT_EQ(other.value("table[1]"), 200);
  EXPECT_EQ(other.program->constants(), (std::map<std::string, std::int32_t>{{"n", 2}, {"m", 1}, {"big", 200}}));
  EXPECT_NE(run.program->identity(), other.program->identity());
  EXPECT_EQ(run.program->identity(), ModelRun(text).program->identity());
  EXPECT_NE(run.program->identity(), ModelRun(text + " ").program->identity());
}

TEST(Values, inputs_depend_on_seed_thread_and_ordinal_only) {
  const std::string text = "shared int x[2], y[2]; thread t[2] { x[index] = input(); y[index] = input(); }";
  ModelRun run(text, {}, {100, 7});
  run.run({0, 0, 1, 1});
  const auto values = run.program->values();
  EXPECT_EQ(run.execution.inputs.size(), 4u);
  run.run({1, 0, 1, 0});
  EXPECT_EQ(run.program->values(), values);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(values[i], values[j]);
  ModelRun other(text, {}, {100, 8});
  EXPECT_NE(other.run().program->values(), values);
}

}  // namespace
}  // namespace heddle::model
