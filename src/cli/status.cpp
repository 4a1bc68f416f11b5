// `heddle status`: how a search that is kept in a journal stands.
#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "dist/journal.h"

namespace heddle::cli {

Result<int> status(const StatusRequest& request) {
  const auto read = dist::Journal::status(request.journal);
  if (!read) return read.error();
  const dist::JournalStatus& journal = read.value();
  const explore::ExploreResult& all = journal.so_far;
  const bool over = journal.record.order.empty();
  fmt::print("{}: {}\n", journal.identity.program, journal.identity.options);
  fmt::print("{} executions, {} classes, {} asleep, {} deadlocked, {} failed, {:.1f} s\n", all.executions, all.classes,
             all.asleep, all.deadlocked, all.failed, journal.record.seconds);
  if (journal.record.divided > 0)
    fmt::print("{} parts, divided {} times, {} executions done again\n", journal.segments, journal.record.divided,
               journal.record.redone);
  for (const explore::Finding& finding : all.findings) {
    const std::string message = finding.failure.message.empty() ? std::string() : ": " + finding.failure.message;
    fmt::print("found {}{} ({} {})\n", trace::name_of(finding.failure.kind), message, finding.count,
               finding.count == 1 ? "execution" : "executions");
  }
  fmt::print("{}\n", over             ? "the search is over"
                     : journal.in_use ? "a process is at work on it"
                                      : "to be gone on with: run the same command again");
  return kExitNoBug;
}

}  // namespace heddle::cli
