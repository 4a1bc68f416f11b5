// A schedule is data: what to run, and how to go on afterwards. Exploration, replay, distribution and bug
// reports all speak it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "trace/operation.h"

namespace heddle::trace {

inline constexpr std::uint16_t kAnyChoice = 0xffff;

// One decision: which thread, and for an operation with alternatives which of them.
struct Decision {
  ThreadId thread;
  std::uint16_t choice = kAnyChoice;
  bool operator==(const Decision&) const = default;
};

enum class TailKind : std::uint8_t {
  kFirst,      // stay with the running thread, else the lowest id: no pre-emption
  kLeftmost,   // who waits for a time, otherwise the lowest id: a function of what has been done, not of its order
  kRandom,     // uniform among the eligible threads
  kPct,        // random priorities with `depth`-1 change points
  kPos,        // a random priority per operation, redrawn for those that race with what ran
  kUniform,    // uniform among the interleavings of steps that count (uniform_walk.h)
  kReadsFrom,  // uniform, but for those that would spoil what is wanted (wanted_reads.h)
};

// A write to an object and a read of what it has written, by their places in the source.
struct ReadsFrom {
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};  // what was there at the beginning
  ObjectId object = kNoObject;
  std::uint32_t write = kNowhere;
  std::uint32_t read = 0;
  auto operator<=>(const ReadsFrom&) const = default;
};

// What comes after the prescribed steps.
struct Tail {
  TailKind kind = TailKind::kFirst;
  std::uint64_t seed = 0;
  std::uint32_t depth = 3;    // kPct
  std::uint32_t length = 64;  // kPct: estimated steps of an execution, from which change points are drawn
  bool end_last = true;       // kFirst: the end of the process waits until nobody else can run, which is a pre-emption
  std::vector<std::uint32_t> weights = {};  // kUniform: by thread, how many steps that count it is likely to have
  ObjectId selected = kNoObject;            // kUniform: steps on it count; none: all do
  std::vector<ReadsFrom> wanted = {};       // kReadsFrom
  std::vector<ThreadId> wishes = {};  // kFirst: whose turn it is before that, each passed over if it cannot run then
};

// What happens when every enabled thread is asleep.
enum class SleepRule : std::uint8_t {
  kStop,   // the execution is redundant: end it
  kDelay,  // sleeping threads are merely postponed: run them now
};

struct Schedule {
  std::vector<Decision> steps;
  // Steps before `fresh` are those of the previous execution of the same search, so that a front end may
  // resume from a snapshot; the sleep set holds in the state before step `fresh`.
  std::size_t fresh = 0;
  std::vector<Step> sleep;
  SleepRule sleep_rule = SleepRule::kStop;
  Tail tail;
};

// A schedule on disk: all that is needed to run one execution again (docs/formats.md).
struct SavedSchedule {
  std::string program;                          // path as given
  std::uint64_t identity = 0;                   // fingerprint of the program
  std::map<std::string, std::int64_t> defines;  // -D name=value
  std::uint64_t input_seed = 0;
  std::map<std::string, std::int64_t> inputs;  // by name; see input_names.h
  std::vector<std::string> settings;           // of the front end, one line each, in order
  std::string expect;                          // what it led to, e.g. "assertion"
  std::vector<Decision> steps;
};

std::string to_text(const SavedSchedule& schedule);
Result<SavedSchedule> parse_schedule(std::string_view text);

}  // namespace heddle::trace
