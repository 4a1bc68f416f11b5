// What a verdict rests on besides what was explored. "Exhausted" without an assumption is a promise; with one it is a
// promise under a condition, and the places say where in the program the condition matters.
//
// A front end enters an assumption only where the program gives a reason for it. Some only bear on what was not found
// (whatever happens under sequential consistency happens under weaker orders, too), so that a bug needs no such line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/program.h"

namespace heddle::trace {

enum class AssumptionKind : std::uint8_t {
  kSequentialConsistency,  // the program asks for weaker orders than it is explored with
  kNoSpuriousWakeUps,      // it waits where it might return for no reason
  kCodeNotSeen,            // it calls code whose accesses and atomics are not seen
  kSuppressedRaces,        // races that the user has said to leave out
  kAsCompiled,             // a compiler that does not tell what it made of the source
  kNoLoadBuffering,        // a read might find a write that depends on it only through relaxed accesses
  kCountingLoops,          // a loop that counts its looks was not left at each of them
};
inline constexpr int kAssumptionKinds = 7;

struct Assumption {
  AssumptionKind kind = AssumptionKind::kSequentialConsistency;
  std::string text;                   // what is assumed
  std::vector<std::uint32_t> places;  // positions
};

// The word used in JSON.
const char* name_of(AssumptionKind kind);
// Without more to say than the kind does.
std::string text_of(AssumptionKind kind);
// Does it only matter to what was not found?
bool is_about_absence(AssumptionKind kind);

// The positions, each once, in their order.
std::vector<std::string> places_of(const Assumption& assumption, const Describer& describer);
// "sequential consistency (weaker orders at ring.h:31, ring.h:40)": lines without columns, and not too many.
std::string to_text(const Assumption& assumption, const Describer& describer);

}  // namespace heddle::trace
