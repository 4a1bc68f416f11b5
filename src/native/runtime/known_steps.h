// Steps whose effect is known are not run again.
//
// A small test has far more classes than things that its threads can do: between two visible operations a
// thread computes a function of what it can see, and after some hundred executions it has seen most of what
// there is to see. So what a step leads to is remembered, and an execution is followed from step to step
// without running the program, as long as every step is known. Strategies get the same executions, step for
// step. (Kähkönen 2015 §7.3 keeps such a model of the program to predict test executions; here the prediction is exact,
// or there is none.)
//
// What a thread does after its operation, up to its next one, depends on
//
// * its own past: registers and stack, what the call was given, thread-local storage, the runtime's record of
//   it. Pasts that leave all of that the same are one (memory_hash.h);
// * what the operation found: the value of the memory it read, the result of the thread it joined;
// * the shared memory: a hash of all memory that can be written - globals of the program and of its libraries,
//   the heap, the main thread's frames, whose locals are what programs most often share - but that of visible
//   operations' objects.
//
// These are the key under which the effect is kept: how the operation turned out, the next one, the hash of
// the shared memory after it. Locks need no more: their state is memory. A thread that accesses the stack or
// the thread-local storage of another one ends all following, unless it is a local of main's. What is not
// covered is an access of that kind, or to an atomic object, by code that is not instrumented.
//
// Races. A followed execution makes no plain accesses, so it must be certain that they could not race. It is,
// as long as no two threads access the same granule, one of them writing, one of them in a step that can be
// followed (what happens in the step that starts a thread is always run), and not ordered in every execution
// by starting and joining threads. Accesses count over all executions; the first such pair ends the following
// for good: a program whose threads share plain memory, locked or not, is run.
//
// Waiting for wake-ups, choices, inputs, failures, ends of the process that somebody may miss: the state is
// known up to there, the rest is run. The first, second, fourth, eighth ... and every 1,024th followed
// execution is run as well and compared, as are all known steps that happen to be run. If something differs,
// the search is void and begins anew without known steps.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "native/runtime/index_table.h"
#include "native/runtime/runtime.h"
#include "native/runtime/shadow.h"
#include "trace/schedule.h"

namespace heddle::runtime {

class KnownSteps {
 public:
  void switch_on() { on_ = true; }
  void switch_off() { on_ = recording_ = false; }
  bool on() const { return on_; }
  // A search begins: what is visible may have changed.
  void forget();

  // Follows the schedule. True: to the end, and `execution` is what running it would give.
  bool follow(const trace::Schedule& schedule, trace::Execution& execution);
  std::uint64_t followed() const { return followed_; }
  void add_followed(std::uint64_t by_others) { followed_ += by_others; }
  // Shall the execution that was followed last be run and compared?
  bool wants_comparison() {
    ++followed_;
    return followed_ % kCompared == 0 || std::has_single_bit(followed_);
  }
  void compare(const trace::Execution& followed, const trace::Execution& run);
  // A step did not lead to what was known of it: what the search was told so far may be wrong.
  void refute();
  bool refuted() const { return refuted_; }

  // The program is about to be run, from the state before step `position` on.
  void begin_run(const trace::Schedule& schedule, const trace::Execution& execution, std::size_t position);
  bool wants_beginning() const { return on_ && !begun_; }
  // Every thread has announced its next operation: the last step's effect is complete.
  void arrive() {
    if (recording_) [[unlikely]]
      record_arrival();
  }
  void end_run(const trace::Execution& execution);
  // What the current thread does next depends on more than is looked at.
  void cannot_tell() { recording_ = false; }

  // A plain access of the current thread: to what another thread has for itself?
  void look_at(std::uintptr_t address) {
    if (!on_ || address < kMappings || rt.self().stack.contains(address)) return;
    if (is_of_another_thread(address)) switch_off();
  }
  // The same for races: conflicting accesses of two threads end all following.
  void note_access(Cell& cell, bool write) {
    if (on_) note_sharer(cell, write);
  }

 private:
  using OwnPastId = std::uint32_t;  // 0: the thread does not exist
  using MemoryId = std::uint32_t;

  // What a thread with this past is doing.
  enum class Role : std::uint8_t { kAbsent, kReady, kWaiting, kEnded, kEndedProcess };
  struct OwnPast {
    Step next;                 // kReady, kWaiting (which may be blocked): the operation it has announced
    std::uint64_t result = 0;  // kEnded: what a join yields
    std::uint64_t state = 0;   // hash of the thread's own memory; 0: not known
    ThreadId thread;
    Role role = Role::kAbsent;
  };
  struct Key {
    std::uint64_t found = 0;
    OwnPastId past = 0;
    MemoryId memory = 0;
    bool operator==(const Key&) const = default;
  };
  struct Effect {
    Key key;
    OwnPastId past = 0;  // of the thread, and of the one it has started
    OwnPastId child = 0;
    MemoryId memory = 0;
    OpKind kind = OpKind::kRead;  // as the operation turned out
    std::uint32_t next = 0;       // the effect that came next in this thread, when it was last looked for
    std::uint64_t after = 0;
  };
  // A step of the path, and what it has changed.
  struct Taken {
    std::uint64_t value = 0;  // of the object, before
    ObjectId object = kNoObject;
    OwnPastId past = 0;   // of the thread, before
    MemoryId memory = 0;  // before
    ThreadId thread;
    ThreadId child = kNoThread;  // that it has started
    std::uint16_t threads = 0;   // that have occurred so far
  };

  // Stacks and thread-local storage are above; the program, linked at a fixed address, and its heap below.
  static constexpr std::uintptr_t kMappings = 0x7000'0000'0000;
  static constexpr std::uint64_t kCompared = 1024;
  static constexpr std::size_t kMostEffects = 1u << 18;
  static constexpr std::size_t kMostObjects = 1u << 12;

  static bool is_of_another_thread(std::uintptr_t address);
  void note_sharer(Cell& cell, bool write);
  void record_arrival();
  void begin_path();
  bool read_objects();
  enum class Reached : std::uint8_t { kNextStep, kEndOfProcess };
  bool record(const Step& step, Reached reached);
  bool is_simple(const Step& step) const;
  static bool is_foreseeable(const Step& step, Reached reached);
  void judge_window();
  bool same_effect(const Effect& effect, const Step& step, Reached reached) const;
  bool leads_to(OwnPastId id, ThreadId t, Reached reached) const;
  OwnPastId add_past(ThreadId t, Reached reached);
  OwnPastId append(const OwnPast& past);

  std::uint64_t found_by(const trace::Operation& op) const;
  Key key_of(ThreadId t) const;
  static std::uint64_t hash_of(const Key& key);
  const Effect* find(ThreadId t, const Key& key);
  void insert(const Effect& effect);
  void go(ThreadId t, const Step& step, const Effect& effect);
  void rewind(std::size_t position);
  void place(ThreadId t, OwnPastId past);
  ThreadSet enabled() const;
  bool is_blocked(const Step& next) const;
  bool follow_to_the_end(trace::Execution& execution);
  std::size_t common_prefix(const trace::Schedule& schedule) const;
  MemoryId memory_now();

  bool on_ = false;
  bool begun_ = false;      // the state at position 0 is known
  bool recording_ = false;  // the running execution has been recorded up to where it is
  bool refuted_ = false;
  std::uint64_t followed_ = 0;
  // Does following pay? Executions of the present window, and cycles they took.
  struct Window {
    std::uint32_t runs = 0, followed = 0, attempts = 0;
    std::uint64_t began = 0;  // the run under way
    std::uint64_t running = 0;
    std::uint64_t recording = 0;  // of these
    std::uint64_t following = 0;
  };
  Window window_;
  static constexpr int kPatience = 16;
  int patience_ = kPatience;  // with windows in which it does not

  std::vector<OwnPast> pasts_;           // [0] is none
  std::vector<Effect> effects_;          // likewise
  std::vector<std::uint64_t> memories_;  // hashes
  IndexTable past_table_, effect_table_, memory_table_;

  // The state at the end of the path.
  const trace::Execution* path_of_ = nullptr;
  std::vector<Taken> path_;
  std::vector<trace::Decision> decisions_;  // of path_
  OwnPastId past_[kMaxThreads] = {};
  std::uint32_t last_[kMaxThreads] = {};  // effects, as a rule the last of each thread
  MemoryId memory_ = 0;
  std::vector<std::uint64_t> values_;  // of objects; of a mutex: is it held?
  std::vector<std::uint8_t> simple_;   // objects whose operations are looked at
  ThreadSet live_, waiting_, ended_;
  std::uint16_t threads_ = 0;  // that have occurred
};
extern KnownSteps known_steps;

}  // namespace heddle::runtime
