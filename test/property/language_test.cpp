// The language of properties: C's operators on C's types, names as traces show them, and what is said of mistakes.
#include <gtest/gtest.h>

#include <functional>

#include "known_names.h"
#include "property/parser.h"
#include "property/property.h"

namespace heddle::property {
namespace {

// The truth of the condition if every atom has the value that `of` gives it.
bool truth(const std::string& text, const std::function<std::uint64_t(const Atom&)>& of) {
  Expression expression;
  const Parsed parsed = parse(text, KnownNames(), expression);
  EXPECT_TRUE(parsed.ok) << show(text, parsed.complaint);
  if (!parsed.ok) return false;
  symbolic::Assignment values;
  for (const Atom& atom : expression.atoms) values.push_back(of(atom));
  return expression.terms.evaluate(parsed.condition, values) != 0;
}

bool truth(const std::string& text, std::map<std::string, std::uint64_t> values = {}) {
  return truth(text, [&](const Atom& atom) { return values.at(atom.text); });
}

std::string complaint(const std::string& text) {
  Expression expression;
  const Parsed parsed = parse(text, KnownNames(), expression);
  EXPECT_FALSE(parsed.ok) << text;
  return std::to_string(parsed.complaint.at) + ": " + parsed.complaint.message;
}

TEST(Language, precedence_is_that_of_c) {
  EXPECT_TRUE(truth("1 + 2 * 3 == 7"));
  EXPECT_TRUE(truth("(1 + 2) * 3 == 9"));
  EXPECT_TRUE(truth("1 | 2 ^ 3 & 1 == 1"));  // & binds weaker than ==
  EXPECT_TRUE(truth("1 || 0 && 0"));
  EXPECT_TRUE(truth("10 - 4 - 3 == 3"));
  EXPECT_TRUE(truth("1 << 3 + 1 == 16"));
  EXPECT_TRUE(truth("!0 && !!5 && ~0 == -1 && -(3) == 0 - 3 && +2 == 2"));
  EXPECT_TRUE(truth("0 ? 0 : 1 ? 5 : 0"));
  EXPECT_TRUE(truth("7 / -2 == -3 && 7 % -2 == 1 && -7 / 2 == -3"));
  EXPECT_TRUE(truth("'a' == 97 && '\\n' == 10 && 0x1F == 31 && 011 == 9 && 0 == 00 && true && !false"));
}

TEST(Language, types_are_those_of_the_variables) {
  EXPECT_TRUE(truth("x < 0", {{"x", 0xffffffff}}));
  EXPECT_TRUE(truth("u > 0", {{"u", 0xffffffff}}));
  EXPECT_TRUE(truth("x > u", {{"x", 0xffffffff}, {"u", 1}}));  // the comparison is unsigned
  EXPECT_TRUE(truth("small < 0 && byte > 0", {{"small", 0x80}, {"byte", 0x80}}));
  EXPECT_TRUE(truth("byte + 1 == 256", {{"byte", 255}}));  // promoted to int
  EXPECT_TRUE(truth("x + 1 < 0", {{"x", 0x7fffffff}}));    // wraps
  EXPECT_TRUE(truth("wide + x > 4000000000", {{"wide", 4'000'000'000}, {"x", 1}}));
  EXPECT_TRUE(truth("wide > x", {{"wide", 0}, {"x", 0xffffffff}}));  // -1 as long is -1
  EXPECT_TRUE(truth("big > 9223372036854775807", {{"big", 1ull << 63}}));
  EXPECT_TRUE(truth("u - 1 == 0xFFFFFFFF", {{"u", 0}}));
  EXPECT_TRUE(truth("x >> 1 == -1 && u >> 31 == 1u", {{"x", 0xffffffff}, {"u", 0xffffffff}}));
  EXPECT_TRUE(truth("2147483648 > 0 && -2147483648 < 0 && 3000000000u > 0"));
}

TEST(Language, names_are_taken_as_traces_show_them) {
  EXPECT_TRUE(truth("table[3].next + ns::cache.hits == limit", {{"table[3].next", 3}, {"ns::cache.hits", 4}}));
  EXPECT_TRUE(truth("in(worker[1]/child#1, pool.cpp:31)", [](const Atom& a) {
    return a.kind == AtomKind::kAt && a.thread == ThreadId(3) && !a.from_start &&
           a.places == std::vector<PlaceRange>{{310, 319}};
  }));
  EXPECT_TRUE(
      truth("at( main , critical )", [](const Atom& a) { return a.places == std::vector<PlaceRange>{{5, 9}}; }));
  EXPECT_TRUE(truth("locked(cache.mutex)", [](const Atom& a) { return a.kind == AtomKind::kLocked; }));
  EXPECT_TRUE(truth("held_by(m, main)", [](const Atom& a) { return a.kind == AtomKind::kHeldBy; }));
  EXPECT_TRUE(truth("ended(main) && deadlock", [](const Atom&) { return 1; }));
}

TEST(Language, an_atom_that_is_named_twice_is_one) {
  Expression expression;
  ASSERT_TRUE(parse("x > 1 && x < 5 && locked(m) || !locked(m) && x == 2", KnownNames(), expression).ok);
  EXPECT_EQ(expression.atoms.size(), 2u);
}

TEST(Language, mistakes_are_told_with_their_place) {
  EXPECT_EQ(complaint("x + xx"), "4: there is no shared variable 'xx'; did you mean 'x'?");
  EXPECT_EQ(complaint("table[3].nxt == 1"),
            "0: there is no shared variable 'table[3].nxt'; did you mean 'table[3].next'?");
  EXPECT_EQ(complaint("locked(cache.mutx)"), "7: there is no lock 'cache.mutx'; did you mean 'cache.mutex'?");
  EXPECT_EQ(complaint("ended(mian)"), "6: there is no thread 'mian'; did you mean 'main'?");
  EXPECT_EQ(complaint("at(main, kritical)"), "9: there is no label 'kritical'; did you mean 'critical'?");
  EXPECT_EQ(complaint("in(main, 32)"), "9: no such line");
  EXPECT_EQ(complaint("lockd(m)"), "0: there is no function 'lockd'; did you mean 'locked'?");
  EXPECT_EQ(complaint("x = 3"), "2: a property changes nothing; compare with ==");
  EXPECT_EQ(complaint("x > "), "4: expected a value, found the end");
  EXPECT_EQ(complaint("x > 1 &&& x"), "8: expected a value, found '&'");
  EXPECT_EQ(complaint("(x > 1"), "6: expected ')', found the end");
  EXPECT_EQ(complaint("x > 1 y"), "6: expected an operator, found 'y'");
  EXPECT_EQ(complaint("held_by(m)"), "9: expected ',', found ')'");
  EXPECT_EQ(complaint("12ab > 1"), "0: malformed number; write 42 or 0x2a");
  EXPECT_EQ(complaint(std::string(5000, '(')), "0: the property has more than 4096 characters; split it");
  EXPECT_NE(complaint(std::string(300, '(')).find("nested too deeply"), std::string::npos);
  EXPECT_EQ(show("x + yy", {4, "no yy"}), "no yy\n  x + yy\n      ^");
}

TEST(Language, when_and_always_make_the_target) {
  const auto reached = [](const Statement& statement, std::uint64_t x, std::uint64_t u) {
    auto property = make_property(statement, KnownNames());
    EXPECT_TRUE(property.ok());
    symbolic::Assignment values;
    for (const Atom& atom : property->expression.atoms) values.push_back(atom.text == "x" ? x : u);
    return property->expression.terms.evaluate(property->target, values) != 0;
  };
  EXPECT_TRUE(reached({Kind::kNever, "x > 1", "", 0}, 2, 0));
  EXPECT_FALSE(reached({Kind::kAlways, "x > 1", "", 0}, 2, 0));
  EXPECT_TRUE(reached({Kind::kAlways, "x > 1", "u == 3", 0}, 1, 3));
  EXPECT_FALSE(reached({Kind::kAlways, "x > 1", "u == 3", 0}, 1, 4));
  EXPECT_TRUE(reached({Kind::kReachable, "x > 1", "u == 3", 0}, 2, 3));
}

// Alternatives together mean what the condition means.
TEST(Language, alternatives_make_up_the_condition) {
  for (const char* text : {"x > 1 || u > 1", "!(x > 1 && u > 1)",
                           "(x > 1 || u > 1) && (small > 1 || !(byte > 1 || x == 0))", "x > 1 ? u > 1 : small > 1"}) {
    Expression e;
    const Parsed parsed = parse(text, KnownNames(), e);
    ASSERT_TRUE(parsed.ok);
    const std::vector<symbolic::TermId> parts = alternatives(e.terms, parsed.condition);
    for (std::uint64_t bits = 0; bits < 256; ++bits) {
      symbolic::Assignment values;
      for (std::size_t i = 0; i < e.atoms.size(); ++i) values.push_back(bits >> (2 * i) & 3);
      const bool whole = e.terms.evaluate(parsed.condition, values) != 0;
      bool any = false;
      for (const symbolic::TermId part : parts) any = any || e.terms.evaluate(part, values) != 0;
      EXPECT_EQ(whole, any) << text << " " << bits;
    }
  }
  Expression e;
  const Parsed parsed = parse("x > 1 || u > 1", KnownNames(), e);
  EXPECT_EQ(alternatives(e.terms, parsed.condition).size(), 2u);
}

}  // namespace
}  // namespace heddle::property
