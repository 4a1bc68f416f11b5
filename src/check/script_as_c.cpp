// Threads of a script all exist from the start. Here the test's first thread creates them and ends, without joining:
// its steps touch no object, so they add no class, and a script that deadlocks does so without it.
#include "check/script_as_c.h"

#include <algorithm>
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
    shared += "static sem_t " + name_ + "_s;\nstatic pthread_barrier_t " + name_ + "_b;\n";
    shared += "static pthread_rwlock_t " + name_ + "_w = PTHREAD_RWLOCK_INITIALIZER;\n";
    std::string start = "HEDDLE_TEST(" + name_ + ") {\n  pthread_t t;\n  sem_init(&" + name_ +
                        "_s, 0, 0);\n  pthread_barrier_init(&" + name_ + "_b, 0, " + std::to_string(script.needed) +
                        ");\n";
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
    if (s.kind == StmtKind::kTryShared || s.kind == StmtKind::kTryExclusive)
      line(depth + 1, "pthread_rwlock_unlock(&" + name_ + "_w);");
    line(depth, "}");
  }

  // An attempt that gives up at once, or at a time that may have come.
  static std::string attempt(const char* on, const char* what, const std::string& lock, const Stmt& s) {
    return std::string("pthread_") + on + (s.b == 1 ? "timed" : "try") + what + "(" + lock +
           (s.b == 1 ? ", &some_day) == 0" : ") == 0");
  }

  std::string timed_wait(const Stmt& s) const {
    return "pthread_cond_timedwait(&" + id("c", 0) + ", &" + id("m", s.c) + ", &some_day);";
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
        return guarded(attempt("mutex_", "lock", m, s), s, depth, joins);
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
      case StmtKind::kAwait:
        return line(depth, "while (READ(" + x + ") != " + b + ") {}");
      case StmtKind::kAwaitEither:
        return line(depth, "while (READ(" + x + ") != " + b + " && READ(" + id("x", s.c) + ") != " + b + ") {}");
      case StmtKind::kRetry:
        return line(depth, "do { r = READ(" + x + "); } while (!exchanged(&" + x + ", r, r + " + b + "));");
      case StmtKind::kPollLocked:
        return line(depth, "do { pthread_mutex_lock(&" + id("m", s.c) + "); r = READ(" + x +
                               "); pthread_mutex_unlock(&" + id("m", s.c) + "); } while (r != " + b + ");");
      case StmtKind::kPollTried:
        return line(depth, "for (;;) { if (pthread_mutex_trylock(&" + id("m", s.c) + ")) continue; r = READ(" + x +
                               "); pthread_mutex_unlock(&" + id("m", s.c) + "); if (r == " + b + ") break; }");
      case StmtKind::kPollSpun:
        return line(depth, "do { while (!exchanged(&" + id("x", s.c) + ", 0, 1)) {} r = READ(" + x + "); WRITE(" +
                               id("x", s.c) + ", 0); } while (r != " + b + ");");
      case StmtKind::kPollJoint:
      case StmtKind::kPollHanded: {
        const std::string one = "lock(&" + id("m", s.c) + "); ", other = "lock(&" + id("m", 1 - s.c) + "); ";
        const std::string takes = "pthread_mutex_", gives = "pthread_mutex_un";
        const bool handed = s.kind == StmtKind::kPollHanded;
        return line(depth, "do { " + takes + one + takes + other + (handed ? gives + one : "") + "r = READ(" + x +
                               "); " + gives + other + (handed ? "" : gives + one) + "} while (r != " + b + ");");
      }
      case StmtKind::kSpun:
        line(depth, "while (!exchanged(&" + x + ", 0, 1)) {}");
        print(s.body, depth, joins);
        return line(depth, "WRITE(" + x + ", 0);");
      case StmtKind::kPollTimed:
        return line(depth, "pthread_mutex_lock(&" + id("m", s.c) + "); while (READ(" + x + ") != " + b + ") " +
                               timed_wait(s) + " pthread_mutex_unlock(&" + id("m", s.c) + ");");
      case StmtKind::kPollQueued:
        return line(depth, "for (;;) { pthread_mutex_lock(&" + id("m", s.c) + "); if (READ(" + x + ") == " + b +
                               ") break; " + timed_wait(s) + " pthread_mutex_unlock(&" + id("m", s.c) +
                               "); } pthread_mutex_unlock(&" + id("m", s.c) + ");");
      case StmtKind::kSemWait:
        return line(depth, "sem_wait(&" + name_ + "_s);");
      case StmtKind::kSemTry:
        return line(depth, "r = sem_trywait(&" + name_ + "_s) == 0;");
      case StmtKind::kSemPost:
        return line(depth, "sem_post(&" + name_ + "_s);");
      case StmtKind::kArrive:
        return line(depth, s.a == 1 ? "r = pthread_barrier_wait(&" + name_ + "_b) == PTHREAD_BARRIER_SERIAL_THREAD;"
                                    : "MEET(&" + name_ + "_b);");
      case StmtKind::kShared:
      case StmtKind::kExclusive:
        line(depth,
             std::string("pthread_rwlock_") + (s.kind == StmtKind::kShared ? "rd" : "wr") + "lock(&" + name_ + "_w);");
        print(s.body, depth, joins);
        return line(depth, "pthread_rwlock_unlock(&" + name_ + "_w);");
      case StmtKind::kTryShared:
        return guarded(attempt("rwlock_", "rdlock", "&" + name_ + "_w", s), s, depth, joins);
      case StmtKind::kTryExclusive:
        return guarded(attempt("rwlock_", "wrlock", "&" + name_ + "_w", s), s, depth, joins);
      case StmtKind::kTimedWait:
        return line(depth, "pthread_cond_timedwait(&" + id("c", s.a) + ", &" + id("m", s.b) + ", &some_day);");
      case StmtKind::kExit:
        return line(depth, "exit(0);");
    }
  }

  const std::string name_;
  std::string functions_, body_;
  int function_count_ = 0;
};

// The reader-writer lock among the mutexes: as it is held by a writer, and by a reader.
constexpr int kWriting = -1;
constexpr int kReading = -2;

// Does taking `lock` wait for oneself, holding those?
bool waits_for_oneself(int lock, const std::vector<int>& held) {
  const auto holds = [&](int m) { return std::find(held.begin(), held.end(), m) != held.end(); };
  if (lock == kWriting) return holds(kWriting) || holds(kReading);
  return holds(lock == kReading ? kWriting : lock);
}

bool relocks(const std::vector<Stmt>& statements, const std::vector<int>& held) {
  for (const Stmt& s : statements) {
    std::vector<int> inside = s.kind == StmtKind::kSpawnJoin ? std::vector<int>() : held;
    const bool tries =
        s.kind == StmtKind::kTryLocked || s.kind == StmtKind::kTryShared || s.kind == StmtKind::kTryExclusive;
    const bool whole = s.kind == StmtKind::kExclusive || s.kind == StmtKind::kTryExclusive;
    const bool shared = s.kind == StmtKind::kShared || s.kind == StmtKind::kTryShared;
    const bool both = s.kind == StmtKind::kPollJoint || s.kind == StmtKind::kPollHanded;
    const bool polls = s.kind == StmtKind::kPollLocked || both;
    const int lock = whole ? kWriting : shared ? kReading : polls ? s.c : s.a;
    const bool locks = tries || whole || shared || polls || s.kind == StmtKind::kLocked;
    if (locks && !tries && waits_for_oneself(lock, held)) return true;
    if (both && waits_for_oneself(1 - lock, held)) return true;
    if (locks) inside.push_back(lock);
    if (relocks(s.body, inside)) return true;
  }
  return false;
}

bool exits(const std::vector<Stmt>& statements) {
  return std::any_of(statements.begin(), statements.end(),
                     [](const Stmt& s) { return s.kind == StmtKind::kExit || exits(s.body); });
}

}  // namespace

std::string to_c(const Script& script, const std::string& name) { return CPrinter(name).print(script); }

std::string c_prelude() {
  return R"(#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>
#include "heddle/heddle.h"

#define SHARED volatile int   /* or the optimiser removes what nobody reads */
#ifdef PLAIN
#define READ(x) (x)
#define WRITE(x, value) ((x) = (value))
#else
#define READ(x) __atomic_load_n(&(x), __ATOMIC_SEQ_CST)
#define WRITE(x, value) __atomic_store_n(&(x), value, __ATOMIC_SEQ_CST)
#endif

#ifdef __clang__
#define MEET(b) pthread_barrier_wait(b)
#else   /* whether a result is looked at the pass knows, and gcc has none */
extern int heddle_barrier_wait(pthread_barrier_t *barrier);
#define MEET(b) heddle_barrier_wait(b)
#endif

extern int __VERIFIER_nondet_int(void);

static const struct timespec some_day = {4000000000, 0};

static inline int exchanged(SHARED *x, int expected, int value) {
  return __atomic_compare_exchange_n(x, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

int main(void) { return 0; }

)";
}

bool relocks(const Script& script) {
  return std::any_of(script.threads.begin(), script.threads.end(),
                     [](const std::vector<Stmt>& thread) { return relocks(thread, {}); });
}

bool exits(const Script& script) {
  return std::any_of(script.threads.begin(), script.threads.end(),
                     [](const std::vector<Stmt>& thread) { return exits(thread); });
}

}  // namespace heddle::check
