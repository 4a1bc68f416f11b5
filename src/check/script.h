// Small concurrent programs as plain data, for the oracle tests: easy to draw at random, to shrink, to print as a
// model (.hed) and to interpret in the most obvious way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::check {

enum class StmtKind : std::uint8_t {
  kRead,         // r = x[a]
  kWrite,        // x[a] = b
  kCopy,         // x[a] = r + b
  kAdd,          // r = atomic_add(x[a], b)
  kCas,          // r = cas(x[a], b, c)
  kLocked,       // lock(m[a]); body; unlock(m[a])
  kTryLocked,    // if (try_lock(m[a])) { body; unlock(m[a]) }; in C a timed lock if b == 1
  kWait,         // wait(c[a], m[b]), only inside kLocked b
  kSignal,       // signal(c[a])
  kBroadcast,    // broadcast(c[a])
  kIf,           // if (r == b) { body }
  kAssert,       // assert(r != b)
  kSpawnJoin,    // h = spawn: body; rest of the surrounding statements; joined at the end of the thread if a == 1
  kChoose,       // r = choose(b)
  kInput,        // r = input() & b
  kIfLess,       // if (r < b) { body }
  kAssume,       // assume(r != b)
  kAwait,        // while (x[a] != b) {}
  kAwaitEither,  // while (x[a] != b && x[c] != b) {}
  kRetry,        // while (1) { r = x[a]; if (cas(x[a], r, r + b)) break; }
  kPollLocked,   // while (1) { lock(m[c]); r = x[a]; unlock(m[c]); if (r == b) break; }
  kPollTried,    // while (1) { if (try_lock(m[c])) { r = x[a]; unlock(m[c]); if (r == b) break; } }
  kPollSpun,     // while (1) { while (!cas(x[c], 0, 1)) {} r = x[a]; x[c] = 0; if (r == b) break; }
  kSpun,         // while (!cas(x[a], 0, 1)) {} body; x[a] = 0
  // With both locks, of two:
  kPollJoint,   // while (1) { lock(m[c]); lock(m[!c]); r = x[a]; unlock(m[!c]); unlock(m[c]); if (r == b) break; }
  kPollHanded,  // while (1) { lock(m[c]); lock(m[!c]); unlock(m[c]); r = x[a]; unlock(m[!c]); if (r == b) break; }
  // Not in the model language:
  kSemWait,       // sem_wait(s)
  kSemTry,        // r = sem_try(s)
  kSemPost,       // sem_post(s)
  kArrive,        // arrive(b), a barrier; r = is it told to be the serial thread, if a == 1
  kShared,        // lock_shared(w); body; unlock_shared(w)
  kExclusive,     // lock(w); body; unlock(w)
  kTryShared,     // if (try_lock_shared(w)) { body; unlock_shared(w) }; likewise
  kTryExclusive,  // if (try_lock(w)) { body; unlock(w) }; likewise
  kTimedWait,     // timed_wait(c[a], m[b]), only inside kLocked b
  kPollTimed,     // lock(m[c]); while (x[a] != b) { timed_wait(c[0], m[c]); } unlock(m[c])
  kPollQueued,    // while (1) { lock(m[c]); if (x[a] == b) break; timed_wait(c[0], m[c]); unlock(m[c]); } unlock(m[c])
  kExit,          // ends the program
};

struct Stmt {
  StmtKind kind = StmtKind::kRead;
  int a = 0;
  int b = 0;
  int c = 0;
  std::vector<Stmt> body;
};

// Threads that all exist from the start; `r` is each thread's only register.
struct Script {
  int variables = 2;
  int locks = 1;
  int conditions = 1;
  int needed = 2;         // arrivals, for the barrier to open
  bool spurious = false;  // each thread may leave one wait at once, for no reason
  std::vector<std::vector<Stmt>> threads;
};

// The same program in the model language, as far as it can say it.
std::string to_source(const Script& script);

std::size_t count_statements(const Script& script);

}  // namespace heddle::check
