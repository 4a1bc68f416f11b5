// `heddle status`: how a search that is kept in a journal stands.
#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "dist/journal.h"
#include "dist/letter.h"
#include "dist/transport.h"

namespace heddle::cli {

namespace {

// Whoever keeps a search says every second how it stands.
Result<int> status_of_served(const StatusRequest& request) {
  auto transport = dist::connect({request.journal, request.tls, "worker"}, {dist::kToAll});
  if (!transport) return transport.error();
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (std::chrono::steady_clock::now() < until) {
    const auto message = (*transport)->next(std::chrono::milliseconds(500));
    if (!message) continue;
    const auto letter = dist::decode_letter(*message);
    if (!letter || letter.value().word != dist::Word::kSearch || letter.value().text.empty()) continue;
    fmt::print("{}\n", letter.value().text);
    return kExitNoBug;
  }
  return Error{"nobody serves a search at " + request.journal +
               "; start one with `heddle run ... --serve=" + request.journal + "`"};
}

}  // namespace

Result<int> status(const StatusRequest& request) {
  if (request.journal.starts_with("nats://")) return status_of_served(request);
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
