// Threads of a script all exist from the start. Here the test's first thread creates them and ends, without joining: its
// steps touch no object, so they add no class, and a script that deadlocks does so without it.
#include "check/script_as_c.h"

#include <vector>

namespace heddle::check {
namespace {

class CPrinter {
 public:
  explicit CPrinter(const std::string& name) : name_(name) {}

  std::string print(const Script& script) {
    std::string shared;
    for (int i = 0; i < script.variables; ++i) shared += "static SHARED " + id("x", i) + ";\n";
    for (int i = 0; i < script.locks; ++i)
      shared += "static pthread_mutex_t " + id("m", i) + " = PTHREAD_MUTEX_INITIALIZER;\n";
    for (int i = 0; i < script.conditions; ++i)
      shared += "static pthread_cond_t " + id("c", i) + " = PTHREAD_COND_INITIALIZER;\n";
    std::string start = "HEDDLE_TEST(" + name_ + ") {\n  pthread_t t;\n";
    for (const auto& thread : script.threads) start += "  pthread_create(&t, 0, " + function(thread) + ", 0);\n";
    return shared + functions_ + start + "  pthread_exit(0);\n}\n\n";
  }

 private:
  std::string id(const char* what, int i) const { return name_ + "_" + what + std::to_string(i); }

  // Defines a thread's function and returns its name.
  std::string function(const std::vector<Stmt>& statements) {
    const std::string name = id("f", function_count_++);
    std::string outer;
    outer.swap(body_);
    int joins = 0;
    print(statements, 1, joins);
    std::string head = "static void *" + name + "(void *argument) {\n  int r = 0;\n  (void)r;\n";
    for (int j = 0; j < joins; ++j) {
      const std::string n = std::to_string(j);
      head += "  pthread_t h" + n + " = 0;\n";
      body_ += "  if (h" + n + ") pthread_join(h" + n + ", 0);\n";
    }
    functions_ += head + body_ + "  return argument;\n}\n";
    body_.swap(outer);
    return name;
  }

  void line(int depth, const std::string& text) { body_ += std::string(2 * depth, ' ') + text + "\n"; }

  void print(const std::vector<Stmt>& statements, int depth, int& joins) {
    for (const Stmt& s : statements) print(s, depth, joins);
  }

  void guarded(const std::string& condition, const Stmt& s, int depth, int& joins) {
    line(depth, "if (" + condition + ") {");
    print(s.body, depth + 1, joins);
    if (s.kind == StmtKind::kTryLocked) line(depth + 1, "pthread_mutex_unlock(&" + id("m", s.a) + ");");
    line(depth, "}");
  }

  void print(const Stmt& s, int depth, int& joins) {
    const std::string x = id("x", s.a), m = "&" + id("m", s.a), b = std::to_string(s.b), c = std::to_string(s.c);
    switch (s.kind) {
      case StmtKind::kRead:
        return line(depth, "r = READ(" + x + ");");
      case StmtKind::kWrite:
        return line(depth, "WRITE(" + x + ", " + b + ");");
      case StmtKind::kCopy:
        return line(depth, "WRITE(" + x + ", r + " + b + ");");
      case StmtKind::kAdd:
        return line(depth, "r = __atomic_fetch_add(&" + x + ", " + b + ", __ATOMIC_SEQ_CST);");
      case StmtKind::kCas:
        return line(depth, "r = exchanged(&" + x + ", " + b + ", " + c + ");");
      case StmtKind::kLocked:
        line(depth, "pthread_mutex_lock(" + m + ");");
        print(s.body, depth, joins);
        return line(depth, "pthread_mutex_unlock(" + m + ");");
      case StmtKind::kTryLocked:
        return guarded("pthread_mutex_trylock(" + m + ") == 0", s, depth, joins);
      case StmtKind::kWait:
        return line(depth, "pthread_cond_wait(&" + id("c", s.a) + ", &" + id("m", s.b) + ");");
      case StmtKind::kSignal:
        return line(depth, "pthread_cond_signal(&" + id("c", s.a) + ");");
      case StmtKind::kBroadcast:
        return line(depth, "pthread_cond_broadcast(&" + id("c", s.a) + ");");
      case StmtKind::kIf:
        return guarded("r == " + b, s, depth, joins);
      case StmtKind::kIfLess:
        return guarded("r < " + b, s, depth, joins);
      case StmtKind::kAssert:
        return line(depth, "heddle_assert(r != " + b + ");");
      case StmtKind::kSpawnJoin: {
        const std::string f = function(s.body);
        if (s.a == 1) return line(depth, "pthread_create(&h" + std::to_string(joins++) + ", 0, " + f + ", 0);");
        return line(depth, "{ pthread_t t; pthread_create(&t, 0, " + f + ", 0); }");
      }
      case StmtKind::kChoose:
        return line(depth, "r = heddle_choose(" + b + ");");
      case StmtKind::kInput:
        return line(depth, "r = __VERIFIER_nondet_int() & " + b + ";");
      case StmtKind::kAssume:
        return line(depth, "heddle_assume(r != " + b + ");");
    }
  }

  const std::string name_;
  std::string functions_, body_;
  int function_count_ = 0;
};

bool relocks(const std::vector<Stmt>& statements, std::vector<int>& held) {
  for (const Stmt& s : statements) {
    std::vector<int> inside = s.kind == StmtKind::kSpawnJoin ? std::vector<int>() : held;
    if (s.kind == StmtKind::kLocked) {
      for (int m : held)
        if (m == s.a) return true;
    }
    if (s.kind == StmtKind::kLocked || s.kind == StmtKind::kTryLocked) inside.push_back(s.a);
    if (relocks(s.body, inside)) return true;
  }
  return false;
}

}  // namespace

std::string to_c(const Script& script, const std::string& name) { return CPrinter(name).print(script); }

std::string c_prelude() {
  return R"(#include <pthread.h>
#include "heddle/heddle.h"

#define SHARED volatile int   /* or the optimiser removes what nobody reads */
#ifdef PLAIN
#define READ(x) (x)
#define WRITE(x, value) ((x) = (value))
#else
#define READ(x) __atomic_load_n(&(x), __ATOMIC_SEQ_CST)
#define WRITE(x, value) __atomic_store_n(&(x), value, __ATOMIC_SEQ_CST)
#endif

static inline int exchanged(SHARED *x, int expected, int value) {
  return __atomic_compare_exchange_n(x, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

int main(void) { return 0; }

)";
}

bool relocks(const Script& script) {
  for (const auto& thread : script.threads) {
    std::vector<int> held;
    if (relocks(thread, held)) return true;
  }
  return false;
}

}  // namespace heddle::check
