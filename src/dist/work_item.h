// What travels between whoever keeps a search and whoever explores a part of it, as plain data that means the same in
// every process of the same program (Saarikivi et al. 2012 §IV: there a backtrack point with its sleep set; here a
// piece of a depth-first search that costs about a second, because an execution costs a microsecond and a message does
// not).
//
// An item is a part of the search as it stands (explore/saved_search.h) and a budget. A result is the same part as it
// stands then, and what came of the executions in between. It counts whole or not at all: an item that is lost is
// given out again under another attempt, and what an old attempt brings is thrown away.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "explore/explorer.h"
#include "explore/saved_search.h"
#include "symbolic/term_parcel.h"

namespace heddle::dist {

struct Budget {
  std::uint64_t executions = 0;  // 0: as many as there is time for
  std::uint32_t milliseconds = 0;
  bool stop_at_bug = false;
  bool operator==(const Budget&) const = default;
};

// A thread that the program starts: its place among its parent's children, and in the front end's words what it runs.
// Threads are numbered as they are met, and by their numbers it is decided who goes first.
struct StartedThread {
  ThreadId parent;
  std::uint32_t ordinal = 0;
  std::uint32_t function = 0;
  bool operator==(const StartedThread&) const = default;
};

struct WorkItem {
  std::uint64_t segment = 0;  // of which search it is a part is known to both sides
  std::uint32_t attempt = 0;
  bool certain = false;  // the front of the search: no speculation
  Budget budget;
  explore::SavedSearch search;
  symbolic::TermParcel terms = {};          // that it speaks of, by the numbers of whoever sends it (terms.h)
  std::vector<StartedThread> threads = {};  // that are known, in the order of their numbers
  bool operator==(const WorkItem&) const = default;
};

// What came of some executions: counts, findings, assumptions, and gaps that do not end the search.
using Tally = explore::ExploreResult;

struct WorkResult {
  std::uint64_t segment = 0;
  std::uint32_t attempt = 0;
  explore::SavedSearch search;
  Tally tally;
  symbolic::TermParcel terms = {};
  std::vector<StartedThread> threads = {};  // with those that were met
};

// Adds a later part to an earlier one, as if one explorer had done both: findings by their first execution, gaps and
// assumptions once. Classes that may have been met in both are told apart by `seen`.
void add(Tally& whole, Tally part);

// Takes classes that are known out of the part's list and counts.
void drop_known(const std::unordered_set<std::uint64_t>& known, Tally& part);

using Bytes = std::vector<std::uint8_t>;

// A version, the length, the content, and a checksum over all of it.
Bytes encode(const WorkItem& item);
Bytes encode(const WorkResult& result);
Bytes encode(const Tally& tally);
Result<WorkItem> decode_item(std::span<const std::uint8_t> bytes);
Result<WorkResult> decode_result(std::span<const std::uint8_t> bytes);
Result<Tally> decode_tally(std::span<const std::uint8_t> bytes);

}  // namespace heddle::dist
