// Hostile input: whatever the bytes, loading ends with a program or a message, and a program that loads also
// runs.
#include "base/random.h"
#include "model_run.h"

namespace heddle::model {
namespace {

const std::string kValid = R"(
const n = 2, m = n * 3;
shared int x = 1, a[n] = {4, 5}, flag[m];
lock l, fork[n]; cond c;
func f(a1, int b) { for (int i = 0; i < b; i++) { if (i == 3) continue; x += a1; } return x ? a1 : -b; }
thread main { int t = spawn f(1, 2); join t; assert(x == 2 || a[0] != 3, "message"); }
thread worker[n] {
  lock(fork[index]);
  while (x < 10 && !(flag[index] & 1)) { x++; if (x > 7) break; else flag[index] |= cas(x, 3, 4); }
  int old = atomic_add(a[index], ~x << 2) + input() % 5 + choose(3);
  wait(c, fork[index]); signal(c); broadcast(c);
  a[1].store(x.load(acquire), release); fence(acq_rel); old = x.exchange(1, relaxed) + x.fetch_add(2, acq_rel);
  x.compare_exchange(old, 4, seq_cst);
  unlock(fork[index]); assume(old >= 0); if (try_lock(l)) unlock(l); error("end");
}
)";

const std::vector<std::string> kSoup = {
    "const",      "shared", "int",      "lock",     "cond",   "func",      "thread", "if",         "else",    "while",
    "for",        "break",  "continue", "return",   "spawn",  "join",      "assert", "error",      "assume",  "cas",
    "atomic_add", "input",  "choose",   "try_lock", "unlock", "wait",      "signal", "broadcast",  "index",   "x",
    "y",          "f",      "main",     "0",        "1",      "7",         "0x10",   "2147483648", "\"s\"",   "+",
    "-",          "*",      "/",        "%",        "<<",     ">>",        "&",      "|",          "^",       "~",
    "!",          "&&",     "||",       "?",        ":",      ";",         ";",      ";",          ",",       "(",
    ")",          "(",      ")",        "[",        "]",      "{",         "}",      "{",          "}",       "=",
    "==",         "!=",     ".",        ".load",    ".store", ".exchange", "fence",  "relaxed",    "acquire", "release",
    "<",          ">=",     "+=",       "++",       "--",     "\n"};

// Loads the text and, if it is a model, runs it along a few schedules. True: it was one.
bool survive(const std::string& text) {
  auto loaded = load_model_text(text, "fuzz.hed", {}, {50, 1});
  if (!loaded) {
    EXPECT_EQ(loaded.error().message.rfind("fuzz.hed:", 0), 0u) << loaded.error().message;
    return false;
  }
  trace::Schedule schedule;
  trace::Execution execution;
  schedule.tail.kind = trace::TailKind::kRandom;
  for (schedule.tail.seed = 0; schedule.tail.seed < 3; ++schedule.tail.seed) {
    (*loaded)->run(schedule, execution);
    for (const trace::Step& s : execution.steps) {
      (*loaded)->object_name(s.op.object);
      EXPECT_NE((*loaded)->position(s.where), "");
    }
  }
  return true;
}

TEST(Fuzz, the_seed_text_is_a_model) { EXPECT_TRUE(survive(kValid)); }

TEST(Fuzz, random_bytes) {
  Random random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (std::uint64_t k = random.below(200); k > 0; --k) text += static_cast<char>(random.next());
    survive(text);
  }
}

TEST(Fuzz, token_soup) {
  Random random(2);
  for (int i = 0; i < 5000; ++i) {
    std::string text = random.below(2) ? "shared int x; func f(y) { } thread main { " : "";
    for (std::uint64_t k = random.below(120); k > 0; --k) text += kSoup[random.below(kSoup.size())] + " ";
    survive(text);
  }
}

TEST(Fuzz, mutated_models) {
  Random random(3);
  int models = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string text = kValid;
    for (std::uint64_t k = 1 + random.below(4); k > 0; --k) {
      const std::size_t at = random.below(text.size());
      switch (random.below(12)) {
        case 0:
          text.erase(at, 1 + random.below(10));
          break;
        case 1:
          text.insert(at, kSoup[random.below(kSoup.size())]);
          break;
        case 2:
          text[at] = static_cast<char>(random.next());
          break;
        case 3:
          text.insert(at, text.substr(random.below(text.size()), random.below(60)));
          break;
        case 4:
          text.resize(at + 1);
          break;
        default: {
          // Another digit, operator or name of one letter, which often leaves a model.
          const std::string kind = "0123456789|+-*/%<>&^|xcln";
          const std::size_t found = text.find_first_of(kind, at);
          if (found != text.npos) text[found] = kind[random.below(kind.size())];
        }
      }
    }
    models += survive(text);
  }
  EXPECT_GT(models, 100) << "the mutations leave too little of the language";
}

}  // namespace
}  // namespace heddle::model
