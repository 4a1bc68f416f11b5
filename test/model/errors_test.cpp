// Texts that are not models: one clear message with its place.
#include "model_run.h"

namespace heddle::model {
namespace {

TEST(Errors, show_file_line_column_and_the_line) {
  EXPECT_EQ(error_of("shared int x;\nthread main {\n\tx = y + 1;\n}\n"),
            "test.hed:3:6: y is not declared\n  \tx = y + 1;\n  \t    ^");
  EXPECT_EQ(error_of("shared int counter;\nthread main { countr = 1; }"),
            "test.hed:2:15: countr is not declared; did you mean counter?\n"
            "  thread main { countr = 1; }\n                ^");
  EXPECT_EQ(error_of("thread main {"),
            "test.hed:1:14: expected '}', found the end of the file\n  thread main {\n               ^");
}

struct Case {
  const char* text;
  const char* message;  // without the place's file name
};

class BadText : public testing::TestWithParam<Case> {};

TEST_P(BadText, is_refused_with_its_place) {
  const std::string message = error_of(GetParam().text);
  EXPECT_EQ(message.substr(0, message.find('\n')), std::string("test.hed:") + GetParam().message) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Errors, BadText,
    testing::Values(
        Case{"", "1:1: the model has no thread; add `thread main { ... }`"},
        Case{"int x;",
             "1:1: expected a declaration (const, shared, lock, cond, func, thread or invariant), found 'int'"},
        Case{"shared x;", "1:8: expected 'int', found 'x'"},
        Case{"const lock = 1;", "1:7: expected a name, found 'lock', a word of the language"},
        Case{"lock m; cond m;", "1:14: 'm' is declared twice"},
        Case{"thread t { int a; int a; }", "1:23: 'a' is already declared; a local variable may not hide another name"},
        Case{"shared int x; thread t { int x; }",
             "1:30: 'x' is already declared; a local variable may not hide another name"},
        Case{"thread t { if (1) int a = 1; a = 2; }", "1:30: a is not declared"},
        Case{"thread t { 1 + 2; }", "1:17: expected an assignment (the expression alone does nothing), found ';'"},
        Case{"thread t { int a[3]; }", "1:17: arrays are shared; declare it outside, with `shared int`"},
        Case{"thread t { break; }", "1:12: break outside a loop"},
        Case{"thread t { return 1; }", "1:19: a thread has no value to return; write `return;`"},
        Case{"func f() { return index; } thread t { }",
             "1:19: index is known only in a thread's own body; pass it to the function"},
        Case{"func f(a) { } thread t { f(); }", "1:26: 'f' takes 1 arguments, not 0"},
        Case{"thread t { spawn t(); }", "1:12: 't' is not a function and cannot be spawned"},
        Case{"lock m; thread t { int a = m; }", "1:28: expected a shared variable, 'm' is a lock"},
        Case{"shared int x; thread t { lock(x); }", "1:31: expected a lock, 'x' is a shared variable"},
        Case{"thread t { int a; cas(a, 0, 1); }", "1:23: expected a shared variable, 'a' is local"},
        Case{"shared int a[2]; thread t { a = 1; }", "1:29: 'a' is an array; name an element: a[...]"},
        Case{"shared int a; thread t { a[0] = 1; }", "1:26: 'a' is not an array"},
        Case{"const n = 1; thread t { n = 2; }", "1:25: expected a shared variable, 'n' is none"},
        Case{"thread t { assert(); }", "1:12: wrong number of arguments; the form is assert(condition, \"message\")"},
        Case{"lock m; thread t { int a = lock(m); }", "1:28: lock has no value"},
        Case{"thread t { assert(1, 2); }", "1:22: the message must be a string: \"...\""},
        Case{"thread t { int a = \"s\"; }", "1:20: a string is only a message of assert or error"},
        Case{"const n = 1 / 0; thread t { }", "1:13: division by zero in a constant"},
        Case{"shared int x; const n = x + 1; thread t { }",
             "1:25: 'x' is not a constant; its value is not known before the model runs"},
        Case{"const n = m; const m = 1; thread t { }", "1:11: m is not declared"},
        Case{"shared int a[-1]; thread t { }", "1:14: the count of 'a' is -1; it must be from 0 to 1048576"},
        Case{"shared int a[2] = {1}; thread t { }", "1:12: 'a' has 2 elements but 1 initial values"},
        Case{"thread t[129] { }", "1:10: the count of 't' is 129; it must be from 0 to 128"},
        Case{"thread t { int a = 99999999999; }", "1:20: this number does not fit into 32 bits"},
        Case{"thread t { int a = 12ab; }", "1:20: malformed number; write 42 or 0x2a"},
        Case{"thread t { error(\"x); }", "1:18: this string has no end on its line; close it with \""},
        Case{"thread t { /* }", "1:12: this comment has no end; close it with */"},
        Case{"thread t { $ }", "1:12: the character '$' has no meaning here"},
        Case{"thread t { \x01 }", "1:12: a byte that is not printable ASCII, outside a comment or string"},
        Case{"shared int x; thread t { x.store(1, acquire); }",
             "1:37: expected a memory order (plain, relaxed, release or seq_cst), found 'acquire'"},
        Case{"shared int x; thread t { int a = x.load(consume); }",
             "1:41: expected a memory order (plain, relaxed, acquire or seq_cst), found 'consume'"},
        Case{"shared int x; thread t { x.compare_exchange(1, 2, seq_cst, release); }",
             "1:60: expected a memory order (relaxed, acquire or seq_cst), found 'release'"},
        Case{"thread t { fence(relaxed); }",
             "1:18: expected a memory order (acquire, release, acq_rel or seq_cst), found 'relaxed'"},
        Case{"shared int x; thread t { x.swap(1); }",
             "1:28: expected load, store, exchange, fetch_add or compare_exchange, found 'swap'"},
        Case{"shared int x; thread t { int a = x.store(1); }", "1:35: store has no value"},
        Case{"thread t { int a = fence(acquire); }", "1:20: fence has no value"},
        Case{"thread t { int a; a.store(1); }", "1:19: expected a shared variable, 'a' is local"},
        Case{"thread t { int a = choose(2).load(); }",
             "1:29: only shared variables have accesses with memory orders: x.load(acquire)"},
        Case{"thread w[2] { } thread t { join w[2]; }",
             "1:35: a replica is named by a constant from 0 to 1; `join w;` waits for all"}));

TEST(Errors, unknown_and_unfit_defines) {
  const std::string text = "const n = 1; const m = 2; thread main { }";
  EXPECT_EQ(error_of(text, {{"k", 5}}), "test.hed: -D k=5: the model has no such constant; it has n, m");
  EXPECT_NE(error_of("thread main { }", {{"k", 5}}).find("no such constant; it has none"), std::string::npos);
  EXPECT_NE(error_of(text, {{"n", 1ll << 40}}).find("does not fit into 32 bits"), std::string::npos);
}

TEST(Errors, deep_nesting_is_refused) {
  const auto repeated = [](const std::string& s, int n) {
    std::string all;
    for (int i = 0; i < n; ++i) all += s;
    return all;
  };
  const auto in_main = [](const std::string& s) { return "thread main { int a = 0; " + s + " }"; };
  constexpr int kMany = 100'000;
  const std::string nested = "nested too deeply";
  EXPECT_NE(error_of(in_main("a = " + repeated("(", kMany))).find(nested), std::string::npos);
  EXPECT_NE(error_of(in_main(repeated("{", kMany))).find(nested), std::string::npos);
  EXPECT_NE(error_of(in_main("a = " + repeated("- ", kMany) + "1;")).find(nested), std::string::npos);
  EXPECT_NE(error_of(in_main(repeated("if (1) ", kMany) + ";")).find(nested), std::string::npos);
  EXPECT_NE(error_of(in_main("a = " + repeated("1 ? 1 : ", kMany) + "1;")).find(nested), std::string::npos);
  EXPECT_NE(error_of(in_main("a = 1" + repeated(" + a", kMany) + ";")).find("too long"), std::string::npos);
  EXPECT_EQ(error_of(in_main("a = " + repeated("(", 80) + "1" + repeated(")", 80) + ";")), "");
  EXPECT_EQ(error_of(in_main("a = 1" + repeated(" + a", 400) + ";")), "");
}

TEST(Errors, files_that_cannot_be_read) {
  EXPECT_NE(load_model("does-not-exist.hed", {}).error().message.find("cannot be opened"), std::string::npos);
  EXPECT_NE(load_model("/", {}).error().message.find("is a directory"), std::string::npos);
}

}  // namespace
}  // namespace heddle::model
