// Programs about memory (state_script.h) as C++.
#include <algorithm>

#include "check/state_script.h"

namespace heddle::check {
namespace {

std::string number(std::uint64_t value) { return std::to_string(value) + "u"; }

bool under_lock(StateOp op) { return op >= StateOp::kInsert; }

bool has(const StateScript& script, StateOp op) {
  return std::any_of(script.threads.begin(), script.threads.end(), [&](const auto& statements) {
    return std::any_of(statements.begin(), statements.end(), [&](const StateStatement& s) { return s.op == op; });
  });
}

std::string await(const StateStatement& s) {
  const std::string count = "count[" + std::to_string(s.at) + "]", value = number(s.value);
  switch (s.size) {
    case kSpins:
      return "while (" + count + ".load() < " + value + ") {}";
    case kYields:
      return "for (int i = 0; " + count + ".load() < " + value + ";) { if (i < 4) ++i; else sched_yield(); }";
    default:
      return "for (uint64_t c; (c = " + count + ".load()) < " + value + ";) " + count + ".wait(c);";
  }
}

std::string await_kept(const StateStatement& s) {
  const std::string value = number(s.value), leave = "if (enough) break; }";
  const std::string look = "const bool enough = kept >= " + value + "; ";
  switch (s.size) {
    case kOnCondition:
      return "pthread_mutex_lock(&lock); while (kept < " + value +
             ") pthread_cond_wait(&told, &lock); pthread_mutex_unlock(&lock);";
    case kPolls:
      return "for (;;) { pthread_mutex_lock(&lock); " + look + "pthread_mutex_unlock(&lock); " + leave;
    case kTries:
      return "for (;;) { if (pthread_mutex_trylock(&lock) != 0) continue; " + look + "pthread_mutex_unlock(&lock); " +
             leave;
    default:
      return "for (;;) { pthread_mutex_lock(&lock); pthread_mutex_lock(&second); " + look +
             "pthread_mutex_unlock(&second); pthread_mutex_unlock(&lock); " + leave;
  }
}

class CxxPrinter {
 public:
  CxxPrinter(const StateScript& script, const std::string& name)
      : script_(script), name_(name), cancels_(has(script, StateOp::kCancel)) {}

  std::string print(const std::set<std::uint64_t>& finals) {
    std::string out, threads, joins;
    for (std::size_t t = 0; t < script_.threads.size(); ++t) {
      const std::string f = name_ + "_" + std::to_string(t), n = std::to_string(t);
      out += function(f, t);
      threads += "  pthread_create(&thread[" + n + "], nullptr, " + f + ", &r[" + n + "]);\n";
      joins += "  pthread_join(thread[" + n + "], nullptr);\n";
    }
    const std::string n = std::to_string(script_.threads.size());
    // Functions, or the optimiser makes one place of them.
    for (const std::uint64_t d : finals)
      out += "__attribute__((noinline)) static void " + name_ + "_" + std::to_string(d) + "() {\n  heddle_fail(\"" +
             std::to_string(d) + "\");\n}\n";
    out += "HEDDLE_TEST(" + name_ + ") {\n  uint64_t r[" + n + "];\n";
    if (has(script_, StateOp::kMeet)) out += "  pthread_barrier_init(&meeting, nullptr, " + n + ");\n";
    if (cancels_) out += "  pthread_barrier_init(&all_there, nullptr, " + n + " + 1);\n";
    out += threads + (cancels_ ? "  pthread_barrier_wait(&all_there);\n" : "") + joins;
    out += "  switch (digest(r, " + n + ")) {\n";
    for (const std::uint64_t d : finals)
      out += "    case " + number(d) + "ll: " + name_ + "_" + std::to_string(d) + "(); break;\n";
    return out + "    default: abort();\n  }\n}\n\n";
  }

 private:
  std::string function(const std::string& f, std::size_t t) const {
    std::string out = "static void* " + f + "(void* out) {\n  uint64_t r = 0;\n";
    if (cancels_) out += "  pthread_barrier_wait(&all_there);\n";
    bool locked = false;
    for (const StateStatement& s : script_.threads[t]) {
      if (under_lock(s.op) && !locked) out += "  pthread_mutex_lock(&lock);\n";
      out += "  " + statement(s, t) + "\n";
      locked = s.more;
      if (under_lock(s.op) && !locked) out += "  pthread_mutex_unlock(&lock);\n";
    }
    return out + "  leave(out, r);\n  return nullptr;\n}\n";
  }

  // Tells who sleeps on an atomic.
  std::string tell(const StateStatement& s) const {
    const auto sleeps = [](const StateStatement& x) { return x.op == StateOp::kAwait && x.size == kSleeps; };
    const bool anybody = std::any_of(script_.threads.begin(), script_.threads.end(), [&](const auto& statements) {
      return std::any_of(statements.begin(), statements.end(), sleeps);
    });
    return anybody ? " count[" + std::to_string(s.at) + "].notify_all();" : "";
  }

  std::string statement(const StateStatement& s, std::size_t t) const {
    const std::string bits = std::to_string(8 * s.size), size = "opaque(" + number(s.size) + ")";
    const std::string place = "PLACE(" + bits + ", " + std::to_string(s.at) + ")",
                      cast = "static_cast<uint" + bits + "_t>(";
    const std::string value = number(s.value), at = number(s.at), address = "bytes + " + at;
    const std::string count = "count[" + at + "]";
    switch (s.op) {
      case StateOp::kLoad:
        return "r = " + place + ";";
      case StateOp::kStore:
        return place + " = " + cast + value + "l);";
      case StateOp::kStoreSum:
        return place + " = " + cast + "r + " + value + "l);";
      case StateOp::kFill:
        return "memset(" + address + ", " + number(s.value & 0xff) + ", " + size + ");";
      case StateOp::kPut:
        return "{ const uint64_t v = r + " + value + "l; memcpy(" + address + ", &v, " + size + "); }";
      case StateOp::kGet:
        return "{ uint64_t v = 0; memcpy(&v, " + address + ", " + size + "); r = v; }";
      case StateOp::kSet:
        return count + ".store(" + value + ");" + tell(s);
      case StateOp::kAdd:
        return "r = " + count + ".fetch_add(1);" + tell(s);
      case StateOp::kRetry:
        return "r = " + count + ".load(); while (!" + count + ".compare_exchange_weak(r, r + 1)) {}" + tell(s);
      case StateOp::kAwait:
        return await(s);
      case StateOp::kLook:
        return "{ bool found = false; for (int i = 0; i < 100 && !found; ++i) found = " + count +
               ".load() >= " + value + "; r = r * 2 + found; }";
      case StateOp::kMeet:
        return "pthread_barrier_wait(&meeting);";
      case StateOp::kQuit:
        return "if (r & 1) { leave(out, r); pthread_exit(nullptr); }";
      case StateOp::kCancel:
        return "pthread_cancel(thread[" + std::to_string(t + 1) + "]);";
      case StateOp::kBeCanceled:
        return "leave(out, r); pthread_testcancel();";
      case StateOp::kAwaitKept:
        return await_kept(s);
      default:
        return under_lock_statement(s);
    }
  }

  static std::string under_lock_statement(const StateStatement& s) {
    const std::string value = number(s.value), at = number(s.at), letter(1, static_cast<char>('a' + s.value));
    switch (s.op) {
      case StateOp::kInsert:
        return "r = r * 2 + (map.insert({" + value + ", " + at + "}).second ? 1 : 0);";
      case StateOp::kErase:
        return "r = r * 2 + map.erase(" + value + ");";
      case StateOp::kLookUp:
        return "r = r * 3 + (map.count(" + value + ") ? map.find(" + value + ")->second : 0);";
      case StateOp::kPushBack:
        return "list.push_back(" + value + ");";
      case StateOp::kPushFront:
        return "list.push_front(" + value + ");";
      case StateOp::kPopFront:
        return "if (list.empty()) { r = 9; } else { r = list.front(); list.pop_front(); }";
      case StateOp::kAppend:
        return "text.append(8, '" + letter + "');";
      case StateOp::kMeasure:
        return "r = text.size();";
      case StateOp::kScribble:
        return "strcat(letters, \"" + letter + "\");";
      case StateOp::kSpell:
        return "r = r * 2 + strlen(letters);";
      case StateOp::kRenew:
        return "delete box; box = new uint64_t(" + value + ");";
      case StateOp::kUnpack:
        return "r = box == nullptr ? 0 : *box;";
      default:
        return "++kept; pthread_cond_broadcast(&told);";
    }
  }

  const StateScript& script_;
  const std::string name_;
  const bool cancels_;
};

}  // namespace

std::string to_cxx(const StateScript& script, const std::string& name, const std::set<std::uint64_t>& finals) {
  return CxxPrinter(script, name).print(finals);
}

std::string cxx_prelude() {
  return R"(#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <atomic>
#include <list>
#include <map>
#include <string>
#include "heddle/heddle.hpp"

template <class T>
struct __attribute__((packed, may_alias)) Unaligned {
  volatile T value;
};
#define PLACE(bits, at) (reinterpret_cast<Unaligned<uint##bits##_t>*>(bytes + (at))->value)

alignas(8) static unsigned char bytes[16];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t meeting, all_there;
static pthread_t thread[3];
static std::atomic<uint64_t> count[2];
static uint64_t kept;
static uint64_t* box;
static std::map<uint64_t, uint64_t> map;
static std::list<uint64_t> list;
static std::string text;
static char letters[32];

// A size that the optimiser does not know: the library's function is called.
static inline size_t opaque(size_t size) {
  __asm__("" : "+r"(size));
  return size;
}
static inline void leave(void* out, uint64_t r) { *static_cast<uint64_t*>(out) = r; }

static uint64_t digest(const uint64_t* r, int threads) {
  uint64_t d = 1469598103934665603u;
  const auto add = [&](uint64_t value) { d = (d ^ value) * 1099511628211u; };
  for (int t = 0; t < threads; ++t) add(r[t]);
  for (const unsigned char b : bytes) add(b);
  for (const auto& c : count) add(c.load());
  add(kept);
  add(box == nullptr ? 0 : *box);
  for (const auto& [key, value] : map) add(key), add(value);
  for (const uint64_t v : list) add(v + 100);
  for (const char c : text) add(static_cast<uint64_t>(c));
  for (const char* c = letters; *c != 0; ++c) add(static_cast<uint64_t>(*c));
  return d;
}

int main() { return 0; }

)";
}

}  // namespace heddle::check
