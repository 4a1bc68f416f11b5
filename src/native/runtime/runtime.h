// The runtime's one global context: the threads of the program under test, the scheduler state, and the flag that
// tells engine code from program code.
//
// Two worlds share this process. The program's world is everything that is rewound between executions. The
// engine's world is this context, the engine's data (placed in a section of its own when the library is
// built) and engine memory. `in_engine` says whose code runs: malloc serves the engine from engine memory
// while it is set, and interposed functions step aside. Control only ever changes stacks with it set.
#pragma once

#include <pthread.h>
#include <unwind.h>

#include <cstdint>

#include "native/protocol/messages.h"
#include "native/runtime/fiber.h"
#include "trace/conductor.h"

namespace heddle::runtime {

using trace::OpKind;
using trace::Step;

enum class ThreadStatus : std::uint8_t {
  kAbsent,   // not created in this execution
  kLocal,    // between two visible operations
  kPending,  // has announced its next operation
  kParked,   // waits to be woken: condition variable, barrier, futex
  kEnded,
  kFailed,   // stopped where it failed
  kStopped,  // stopped for another reason: see `stopped`
};

// Why a thread that did not fail was stopped before its end.
enum class Stopped : std::uint8_t {
  kNo,
  kInfeasible,  // an assumption did not hold
  kCut,         // it exceeded the step bound
  kSpinning,    // it repeats itself (spinning.h)
};

// A plain write of a turn of a waiting loop, and what was there before it (turn_writes.h).
struct LoggedWrite {
  std::uintptr_t address = 0;
  std::uint64_t before = 0;
  std::uint32_t size = 0;
  bool on_stack = false;     // the thread's own
  bool seen = false;         // by another thread, changed
  bool overwritten = false;  // by another thread, when it was as before
};

// What a thread has done since it last changed anything for good (spinning.h).
struct Spin {
  static constexpr std::size_t kVisits = 8;
  static constexpr std::size_t kWrites = 4;
  // An operation that it came to, and how it stood there.
  struct Visit {
    const void* pc = nullptr;
    std::uint64_t state = 0;    // local state; 0: not known
    std::uint64_t sum = 0;      // of the words of that state, each with a weight of its own
    std::uint64_t by = 0;       // how much more that is than in the visit before ...
    std::uint32_t counted = 0;  // ... as so many times before
    EventIndex first = 0;       // number of steps done
    std::uint32_t clock = 0;    // how often the thread had looked at the clock
  };
  bool unchanged = false;
  bool wrote_stack = false;  // its own, since `writes` were none
  bool allocated = false;    // since its last operation
  std::uint16_t piece = 0;   // of a copy that is made piece by piece (library_call.h)
  std::uint8_t visits = 0;
  std::uint8_t oldest = 0;  // which visit is forgotten for the next one
  std::uint8_t writes = 0;
  std::uint8_t began_anew = 0;      // so often it had not come back before it changed something
  std::uint32_t where = 0;          // where it was stopped
  std::uint64_t blocks = 0;         // a sum over the blocks that it has allocated, less those that it has freed ...
  std::uint64_t blocks_before = 0;  // ... at its last operation
  Visit visit[kVisits];
  LoggedWrite write[kWrites];  // the first to each place

  void forget() {
    visits = oldest = writes = 0;
    wrote_stack = false;
  }
};

// The thread's last spurious wake-up (spurious.h).
struct Spurious {
  std::uint64_t site = 0;  // of the wait; 0: none to come back to
  std::uint64_t state = 0;
  std::uint64_t memory = 0;
  std::uint64_t operands = 0;
  EventIndex position = 0;  // steps done then
  std::uint32_t used = 0;   // in this execution
  std::uint8_t rounds = 0;
};

// What a thread makes of cancellations (requests.h).
struct Cancelling {
  bool requested = false;  // and not acted upon
  bool disabled = false;
  bool asynchronous = false;
  bool acting = false;
};

struct Thread;
// Can the announced operation of this thread be performed now?
using EnabledTest = bool (*)(const Thread&);

struct Thread {
  // Kept across executions.
  void* stack_pointer = nullptr;
  void (*entry)(void*) = nullptr;
  Stack stack;
  TlsBlock tls;
  // Of this execution.
  ThreadStatus status = ThreadStatus::kAbsent;
  bool detached = false;
  bool joined = false;
  bool named = false;  // by the program
  Stopped stopped = Stopped::kNo;
  std::uint64_t steps = 0;
  Spin spin;
  std::uint32_t hurried = 0;            // turns of a loop that it hurries through; 0: it does not (spinning.h)
  std::uint16_t section = 0;            // depth of atomic sections (atomic_sections.h)
  bool section_writes = false;          // of the one that has begun: as it was announced
  ObjectId section_object = kNoObject;  // ... what it touches; none: it has not begun
  const void* section_pc = nullptr;     // ... its first access
  std::uint8_t section_choices = 0;     // ... how many of its choices have been used
  std::uint8_t section_choice[8] = {};  // ... what was chosen for it before
  Spurious spurious;
  bool looking = false;  // at what it is asked for; it has, since its last operation (requests.h)
  bool looked = false;
  bool looking_ahead = false;  // before an operation, of whose place it does so
  bool cancellable = false;    // blocked, if it is, at a cancellation point
  bool only_if_asked = false;  // blocked until somebody asks something of it
  Cancelling cancelling;
  bool serial = false;       // told to be the serial thread of the barrier that it waits at
  bool woken = false;        // left a wait because of a wake-up, not a timeout
  bool foreseeable = false;  // see VisibleOperation::depends_on
  std::uint64_t operand = 0;
  std::uintptr_t frame = 0;         // main: of the program, where it called for its operation; 0: not known
  EnabledTest enabled = nullptr;    // null: always
  const void* waits_for = nullptr;  // lock, semaphore, ... of the pending operation
  ObjectId given[3] = {kNoObject, kNoObject, kNoObject};  // to a library not looked into, at the last call
  const void* waits_on = nullptr;                         // condition variable, barrier or futex it is queued on
  ThreadId joins = kNoThread;
  ThreadId joined_by = kNoThread;
  std::uint16_t spawned = 0;           // children so far that had ids of their own
  ThreadId last_joined = kNoThread;    // whose ids it may give to further children: a list ...
  ThreadId joined_before = kNoThread;  // ... in which this thread is one of its joiner's
  std::uint32_t barriers = 0;          // that it has initialised
  std::uint32_t created_by_where = 0;
  void* (*function)(void*) = nullptr;
  void* argument = nullptr;
  std::uint32_t argument_term = 0;  // see inputs.h
  void* result = nullptr;
  struct Destructor {
    void (*function)(void*);
    void* object;
    Destructor* next;
  };
  Destructor* destructors = nullptr;  // of thread_local objects, latest first
  void* cleanups = nullptr;           // of pthread_cleanup_push in C, latest first
  const void* left_at = nullptr;      // where it began to leave its frames, and with what (leaving.h)
  _Unwind_Exception leaving = {};
  std::uint64_t random = 0;          // state of rand()
  std::uint64_t nanoseconds = 0;     // virtual time, of this thread's own history
  std::uint32_t clock_reads = 0;     // since it last slept
  std::uint32_t looks_at_clock = 0;  // in this execution
  std::uint64_t slept_at = 0;        // the number of its steps when it last slept, and how often it has slept since
  std::uint32_t sleeps = 0;
  void* keys[PTHREAD_KEYS_MAX > 128 ? 128 : PTHREAD_KEYS_MAX] = {};
};

// How the running execution came to its end.
enum class Ending : std::uint8_t {
  kRunning,
  kNothingEnabled,
  kTerminated,
  kOutOfTime,     // the time of the whole exploration is over
  kAtCheckpoint,  // not an end: the state is to be kept (checkpoint.h)
  kRestart,       // other inputs are needed (inputs.h)
  kNeedsProcess,  // it is about to do what cannot be undone (process_state.h)
};

inline constexpr std::size_t kNoCheckpoint = ~std::size_t{0};

// Who runs, and who may: what the scheduler knows of the running execution.
struct Scheduling {
  ThreadId current{0};
  ThreadSet pending;
  ThreadSet blocking;       // pending operations that may be disabled: they are asked
  ThreadSet joining;        // pending joins of threads that have not ended: they are told
  ThreadSet signalling;     // pending signals, whose alternatives change until they are decided
  std::size_t threads = 0;  // ids below this are in use in this execution
  int exit_code = 0;
  bool exited = false;
};

struct Runtime : Scheduling {
  bool in_engine = false;
  bool active = false;  // an execution is going on
  bool races_checked = false;
  bool report_races = false;           // they are findings; otherwise they only make bytes visible
  bool visible_set_grown = false;      // since the search began: what it has counted so far is void
  bool accesses_watched = false;       // somebody must be told of them (turn_writes.h) ...
  bool ways_watched = false;           // ... for a thread is, or was, in a loop that gives a lock away (turns.h)
  bool plain_loop_suspected = false;   // the current thread has come to no visible operation for long (plain_loops.cpp)
  std::uint32_t ignored_failures = 0;  // a bit for each kind that is no finding
  bool inputs_drawn = false;           // in some execution: the search is no proof
  std::uint8_t asked = 0;              // threads are asked for something: bits of requests.cpp
  bool data_logged = false;            // plain accesses are written down (data_log.h)
  bool sections = false;               // there are atomic sections
  bool output_shown = false;           // what the program prints is of interest
  bool detailed = false;               // record whole call stacks
  bool states_watched = false;         // visible bytes are from the start, not from the first thread on (properties.h)
  volatile bool asked_to_stop = false;     // end the search at the next opportunity
  bool out_of_time = false;                // end the execution at the next opportunity
  bool weak = false;                       // schedules say which stores are read (weak_memory.h)
  bool kernel_threads = false;             // not fibers (kernel_threads.h)
  bool own_process = false;                // the process ends with the execution: nothing need be undone
  const char* cannot_be_undone = nullptr;  // what made that necessary
  bool debugged = false;                   // a debugger is told about every step (debugging.h)
  const void* pc = nullptr;                // of the last call whose position was asked for: the operation under way
  Ending ending = Ending::kRunning;
  std::uint16_t choice = 0;      // of the decision that resumed the current thread
  std::uint32_t generation = 0;  // of executions that begin at a common checkpoint; stale shadow carries an older one
  std::uint64_t executions = 0;
  std::size_t checkpoint_at = kNoCheckpoint;  // the step before which a checkpoint is wanted
  std::uint64_t max_steps = 0;
  std::uint32_t spurious = 0;  // wake-ups of a thread that nobody has caused, at most
  ThreadSet local;             // to be run to their next operation before anybody is chosen
  ThreadSet final_enabled;
  std::size_t known_threads = 1;   // ids below this have been in use in some execution
  std::uintptr_t plain_write = 0;  // a visible plain write whose value is not in the trace yet
  std::size_t plain_write_size = 0;
  void* explorer_stack = nullptr;
  std::uintptr_t explorer_fs = 0;
  trace::Execution* execution = nullptr;
  trace::Conductor conductor;
  Thread thread[kMaxThreads];

  Thread& self() { return thread[current.index()]; }
};

extern Runtime rt;

// Engine code reached from the program: allocations go to engine memory until the scope ends.
class EngineScope {
 public:
  EngineScope() : before_(rt.in_engine) { rt.in_engine = true; }
  ~EngineScope() { rt.in_engine = before_; }
  EngineScope(const EngineScope&) = delete;
  EngineScope& operator=(const EngineScope&) = delete;

 private:
  bool before_;
};

// Is this call one of the program's under a running execution? Otherwise: global constructors before it, or the
// engine itself.
inline bool controlled() { return rt.active && !rt.in_engine; }

}  // namespace heddle::runtime
