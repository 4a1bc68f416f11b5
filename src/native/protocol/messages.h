// What the supervisor (`heddle`) and a worker (the program under test with the engine inside) say to each other.
//
// The supervisor starts the worker with the environment variable
//
//   HEDDLE_WORKER=<options fd>,<result fd>[,<solver fd>]
//
// writes one frame of type kOptions to the first descriptor (a pipe, or a temporary file positioned at its
// start) and reads frames from the second until one of type kResult, kTests or kError arrives, or the end of the
// stream (the worker was killed). A frame is
//
//   u32 length of what follows, u8 type, payload            (little endian, see codec.h)
//
// On the third, a socket, the worker asks about inputs (solver_messages.h). One of several explorers of a search is
// told what to do on the second, which is a socket, too (item_messages.h).
//
// Without HEDDLE_WORKER the executable runs the program once, along the first schedule.
//
// Addresses in the tables are those of the worker's process; `modules` says which file each belongs to, so
// that the supervisor can look them up in debug information after the worker has gone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explore/explorer.h"
#include "native/protocol/comparison_abi.h"
#include "property/property.h"
#include "symbolic/query_counts.h"

namespace heddle::protocol {

inline constexpr std::uint32_t kProtocolVersion = 1;

enum class RaceMode : std::uint8_t {
  kReport,   // a data race is a finding; the location is visible from then on
  kExplore,  // no finding; every access to memory that two threads access is visible
  kIgnore,   // plain accesses are not looked at
};

enum class Isolation : std::uint8_t {
  kInProcess,  // the world is rewound between executions
  kProcess,    // every execution runs in a forked child
};

enum class InputMode : std::uint8_t {
  kExplore,  // every value that makes a difference (docs/inputs.md)
  kRandom,   // by the seed
  kGiven,    // by name; one that is not named is 0
};

// Which outcome of a branch on inputs is taken first.
enum class BranchOrder : std::uint8_t { kAsInputs, kRandom, kNewCoverage };

struct NamedInput {
  std::string name;  // as input_name() makes it
  std::int64_t value = 0;
};

// An environment variable whose value is inputs.
struct SymbolicVariable {
  std::string name;
  std::uint32_t length = 0;
};

struct InputOptions {
  InputMode mode = InputMode::kExplore;
  std::uint64_t seed = 0;
  std::vector<NamedInput> given;
  BranchOrder branches = BranchOrder::kAsInputs;
  std::uint64_t branch_seed = 0;
  bool check_division = true;  // failures that inputs might bring about and that are branched on
  bool check_bounds = true;
  bool check_overflow = false;
  std::uint32_t symbolic_reads = 0;  // objects of up to so many places are read as one term
  bool shortcuts = true;             // before the solvers (symbolic/queries.h)
  std::uint32_t first_solver_milliseconds = 200;
  std::uint32_t solver_milliseconds = 2000;
  std::uint32_t arguments = 0;  // that are inputs, behind those that are given
  std::uint32_t argument_length = 0;
  std::vector<SymbolicVariable> variables;
  std::uint32_t standard_input = 0;  // bytes of it that are inputs
  bool send_paths = false;           // every explored path, for --tests
};

// What a thread of the program under test is.
enum class Backend : std::uint8_t {
  kFibers,   // a stack of its own in the worker's one kernel thread
  kThreads,  // a kernel thread, for debuggers; every execution runs in a forked child
};

// What is visible depends on what has been seen so far: bytes that raced, and so on. A schedule means the same only
// where the same has been learnt.
enum class LearntKind : std::uint8_t {
  kVisibleBytes,   // `bytes` of the granule at `address` are visible
  kMixedAccesses,  // the granule has both plain and atomic accesses
  kSpinSite,       // a loop was seen to spin at this pc
  kWaitLoop,       // a loop was seen to look again after a spurious wake-up, at the place with this number
  kAsked,          // others ask something of a thread: four times its number, and 1 to end, 2 to handle signals
  kLongLoop,     // a thread was seen to go on for long: it may change atomic objects and change them back (no address)
  kFreedObject,  // a lock, a condition variable, ... at this address is freed while others may use it
  kBarrierUser,  // the thread with the number `bytes` uses the barrier with the number `address`; or kOtherUse
  kCompared,     // what is stored at this address is compared and swapped: no value there depends on inputs
};
// An assumption about a place that is none inside the standard library (runtime/spurious.h).
inline constexpr const char* kTriedAgainAlways = "what is tried again after one failure for no reason is so after all";
// ... about attempts to take a lock or a semaphore.
inline constexpr const char* kAttemptsHaveReasons = "attempts to lock fail for a reason only";
inline constexpr const char* kOfFailedAttempts = "sequential consistency of attempts that fail";
// No thread's number: threads do something else with a barrier than to arrive and wait.
inline constexpr std::uint8_t kOtherUse = 0xff;
struct Learnt {
  LearntKind kind = LearntKind::kVisibleBytes;
  std::uint64_t address = 0;
  std::uint8_t bytes = 0;
  bool operator==(const Learnt&) const = default;
};

// A data race that is known and left out, by the two accesses in either order, and by the place if that is the same in
// every execution (0: on the heap or a stack).
struct SuppressedRace {
  std::uint64_t pc = 0, other_pc = 0;
  std::uint64_t address = 0;
};

// Questions about global states, and what their names stand for: the supervisor has the debug information. Addresses
// are those of the file.
struct NamedMemory {
  std::string name;
  std::uint64_t address = 0;
  property::Type type;
};
struct NamedLock {
  std::string name;
  std::uint64_t address = 0;
  std::uint32_t size = 0;  // tells a mutex from a reader-writer lock
};
struct NamedLine {
  std::string name;  // "pool.cpp:31"
  std::vector<property::PlaceRange> code;
};
struct PropertyOptions {
  std::vector<property::Statement> statements;
  std::vector<NamedMemory> variables;
  std::vector<NamedLock> locks;
  std::vector<NamedLine> lines;
  std::vector<property::PlaceRange> own_code;  // of the program, not of libraries; only if there are lines
  bool by_formula = false;                     // how an unfolding is asked (--global)
};

// A call stack, innermost first. The first is the address of the call (or of the access) itself, the others are
// return addresses.
struct Position {
  std::vector<std::uint64_t> pcs;
  // Of a whole stack: the stack pointer in each of these frames. Where a frame ends the next one begins.
  std::vector<std::uint64_t> stack_pointers = {};
  bool operator==(const Position&) const = default;
};

enum class ObjectKind : std::uint8_t {
  kMemory,
  kMutex,
  kReadWriteLock,
  kCondition,
  kSemaphore,
  kBarrier,
  kOnce,
  kFutex,
  kRequests,  // what is asked of a thread, whose number is in `offset`
  kGiven,     // to a library that is not looked into (runtime/unseen_libraries.cpp)
};

// What the numbers of threads, objects and positions stand for, where several explorers must mean the same by them.
struct NumberedThread {
  ThreadId parent = kNoThread;
  std::uint32_t ordinal = 0;
  bool operator==(const NumberedThread&) const = default;
};
struct NumberedObject {
  std::uint64_t address = 0;
  std::uint32_t size = 0;
  ObjectKind kind = ObjectKind::kMemory;
  bool operator==(const NumberedObject&) const = default;
};
struct Numbers {
  std::vector<NumberedThread> threads = {{}};  // main
  std::vector<NumberedObject> objects = {};
  std::vector<Position> positions = {{}};
  bool operator==(const Numbers&) const = default;
};

// Something that a worker has learnt about the program, for other workers of the same executable: their own affair.
using PackedLesson = std::vector<std::uint8_t>;

// A search that several explorers have made, and what they knew. One worker explains what was found.
struct Conclusion {
  explore::ExploreResult result;
  Numbers numbers;
  std::vector<PackedLesson> lessons;
  bool inputs_drawn = false, inputs_read = false;
};

// Supervisor -> worker.
struct WorkerOptions {
  explore::StrategyOptions strategy;
  std::optional<std::uint64_t> max_executions;
  std::optional<double> max_seconds;
  // Once threads have met in an object with weaker orders, the search ends after so many executions: execution graphs
  // are to be explored instead.
  std::optional<std::uint64_t> give_way_after;
  bool all = false;                   // go on after the first finding
  std::uint32_t keep_executions = 0;  // see ExploreOptions
  std::uint64_t max_steps = 10000;    // visible operations of one thread in one execution
  double max_local_seconds = 5;       // time a thread may compute between two visible operations
  RaceMode races = RaceMode::kReport;
  std::vector<SuppressedRace> suppressed;   // explored, but no finding
  std::vector<trace::FailureKind> ignored;  // no finding either; matters of taste only
  Isolation isolation = Isolation::kInProcess;
  bool checkpoints = true;     // begin executions at a state that the one before passed, if that pays
  std::uint32_t spurious = 1;  // wake-ups of a thread that nobody has caused, at most
  bool known_steps = true;     // do not run again what is known
  std::uint32_t jobs = 1;      // processes that explore execution graphs together
  bool items = false;          // explore parts of a search as they are sent (item_messages.h)
  std::optional<Conclusion> conclude = std::nullopt;  // explore nothing, but complete the result of this search
  Backend backend = Backend::kFibers;
  bool list_tests = false;                             // answer with kTests and end
  std::string test;                                    // name of the test to explore; empty: main
  std::optional<std::vector<trace::Decision>> replay;  // run exactly this schedule, once
  std::vector<trace::Decision> prefix;                 // explore only what follows it
  std::vector<Learnt> learnt;                          // by the search that `replay` or `prefix` comes from
  bool minimize = true;                                // findings are shown by their shortest execution
  bool explain = true;                 // say of findings why they happen; off, only their output is wanted
  std::vector<std::string> arguments;  // argv of the program, [0] included; empty: the worker's own
  std::uint64_t input_seed = 0;        // rand(), random_device
  InputOptions inputs;
  bool coverage = false;  // report counters; refuse if there are none
  PropertyOptions properties;
  bool check = false;        // Heddle itself on the way (check/self_check.h)
  bool note_orders = false;  // which atomic accesses and fences there are
  // Instead of a search: which of these could have weaker orders (graph/relax.h). Places of one in the source, by the
  // address in `Position::pcs`.
  std::optional<std::vector<std::vector<std::uint64_t>>> relax;
};

// Worker -> supervisor.
enum class MessageType : std::uint8_t {
  kOptions,   // WorkerOptions (the only one in the other direction)
  kProgress,  // explore::Progress
  kResult,    // WorkerResult; the last message
  kTests,     // names of the tests in the executable; the last message
  kError,     // one sentence: fact and remedy; the last message
  kPath,      // ExploredPath; before the result
  kFound,     // WorkerResult with the findings as they were found; sent before they are explained, which takes a while
  // Between whoever keeps a search and one of its explorers (item_messages.h).
  kReady,   // <- it can be given something
  kAsk,     // <- for the number of something
  kNumber,  // -> this is it
  kWork,    // -> a part of the search
  kHurry,   // -> come to an end with it
  kAnswer,  // <- what came of it
};
inline constexpr MessageType kLastMessageType = MessageType::kAnswer;

// One complete execution of a search, as far as a test file needs it.
struct ExploredPath {
  std::vector<trace::Decision> steps;
  std::vector<trace::InputValue> inputs;
  std::optional<trace::FailureKind> failure;
};

// What an input is called by the program.
struct InputLabel {
  ThreadId thread;
  std::uint32_t ordinal = 0;
  std::string label;
};

// Something about inputs that was not explored.
struct LeftOpen {
  std::uint32_t where = 0;  // position
  std::string what;
};

struct InputReport {
  bool explored = false;  // the program read inputs, and they were explored
  std::vector<InputLabel> labels;
  std::vector<LeftOpen> left_open;
  symbolic::QueryCounts questions;
};

struct ThreadInfo {
  std::string name;              // "main", or what pthread_setname_np was given; empty: unnamed
  std::uint32_t spawned_at = 0;  // position (index into positions) of its creation; 0: none
  ThreadId parent = kNoThread;
  std::uint32_t ordinal = 0;  // the how-manieth child of its parent
};

struct ObjectInfo {
  std::uint64_t address = 0;
  std::uint32_t size = 0;  // of the access, for memory
  ObjectKind kind = ObjectKind::kMemory;
  // Memory from malloc or new: where the block was allocated, its size, and the offset of `address` in it.
  bool on_heap = false;
  std::uint32_t allocated_at = 0;  // position
  std::uint64_t block_size = 0;
  std::uint64_t offset = 0;
};

struct Module {
  std::string path;
  std::uint64_t base = 0;   // load bias: subtract it to get the addresses of the file
  std::uint64_t begin = 0;  // first and one past the last address of its code
  std::uint64_t end = 0;
};

// More about one finding than a sentence can say: the other side of a data race, where a freed block was allocated
// and freed.
struct FailureDetail {
  std::uint32_t finding = 0;  // index into result.findings
  std::uint64_t address = 0;  // faulting or racing address, freed block, mutex
  std::uint32_t size = 0;     // of the access
  bool write = false;         // the failing thread's own access
  bool frees = false;         // ... gives the memory back
  bool leaves_scope = false;  // ... or the other one's, by leaving the scope of a variable
  ThreadId other_thread = kNoThread;
  std::uint32_t other_where = 0;  // position of the other access / of the free
  bool other_write = false;
  bool other_leaves_scope = false;
  std::uint32_t allocated_at = 0;  // position of the allocation, for heap memory
  std::uint64_t block_size = 0;
  std::uint64_t offset = 0;
  Compared compared;  // by a failed assertion
};

// A plain access of a failing execution that is no visible operation (runtime/data_log.h).
struct DataAccess {
  std::uint32_t finding = 0;  // index into result.findings
  EventIndex step = 0;        // so many steps had been done
  ThreadId thread;
  std::uint32_t where = 0;  // position
  bool write = false;
  std::uint8_t distance = 0;  // from the failure (explore/data_slice.h)
  std::uint64_t address = 0;
  std::uint32_t size = 0;
  std::uint64_t before = 0, after = 0;  // its first eight bytes
  bool on_heap = false;
  std::uint32_t allocated_at = 0;
  std::uint64_t block_size = 0;
  std::uint64_t offset = 0;
  // What was in memory from kDataAround bytes before the address on; empty if it cannot be read.
  std::vector<std::uint8_t> around_before, around_after;
};
inline constexpr std::size_t kDataAround = 96;

// Counters of lines and branches (coverage_abi.h).
struct CoverageCount {
  std::uint32_t file = 0;      // of the files
  std::uint32_t function = 0;  // of the functions
  std::uint32_t line = 0;
  std::uint32_t branch = 0;  // 0: the line
  std::uint32_t way = 0;
  std::uint64_t count = 0;
};
struct CoverageReport {
  std::vector<std::string> files;
  std::vector<std::string> functions;
  std::vector<CoverageCount> points;
};
// More cases than a switch has.
inline constexpr std::uint32_t kMostWays = 1u << 16;

// An atomic access or a fence that is stronger than relaxed.
struct OrderNote {
  std::uint32_t where = 0;
  trace::OpKind kind = trace::OpKind::kRead;
};

struct WorkerResult {
  explore::ExploreResult result;
  // Set when the worker had to change its way of running, with the reason (e.g. not deterministic in-process).
  std::string note;
  std::uint64_t searches = 0;       // one, and one more each time that more memory became visible
  std::uint64_t followed = 0;       // executions of known steps only, which were not run
  std::optional<int> exit_code;     // of the replayed or only execution, if it ended by exiting
  std::vector<Learnt> learnt;       // what the schedules of all findings rely on
  std::vector<ThreadInfo> threads;  // by ThreadId
  std::vector<ObjectInfo> objects;  // by ObjectId
  std::vector<Position> positions;  // by Step::where, Failure::where; [0] is empty
  std::vector<Module> modules;
  std::vector<FailureDetail> details;
  std::vector<DataAccess> data;  // of findings, in the order of each execution
  InputReport inputs;
  CoverageReport coverage;        // if it was asked for
  std::vector<OrderNote> orders;  // WorkerOptions::note_orders
  // Of a conclusion: while findings were explained more became visible, so the search has to begin anew with these.
  bool stale = false;
  std::vector<PackedLesson> lessons;
};

}  // namespace heddle::protocol
