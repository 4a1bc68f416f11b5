#include "native/supervisor/explanation.h"

#include <algorithm>
#include <string_view>

#include "explore/pattern.h"
#include "native/supervisor/assertion_sides.h"
#include "trace/waiting.h"

namespace heddle::supervisor {

using protocol::FailureDetail;
namespace {

using trace::FailureKind;

std::string quoted_bytes(std::uint32_t size) { return std::to_string(size) + (size == 1 ? " byte" : " bytes"); }

std::string stack_lines(const NativeDescriber& describer, std::uint32_t where) {
  std::string text;
  for (const std::string& line : describer.stack(where)) text += "\n      " + line;
  return text;
}

// "\n    write at stack.cpp:12:5 in thread 2" and the calls that led there.
std::string access_lines(const NativeDescriber& describer, const char* what, ThreadId thread, std::uint32_t where) {
  std::string text = std::string("\n    ") + what;
  if (const std::string at = describer.position(where); !at.empty()) text += " at " + at;
  if (thread != kNoThread) text += " in " + describer.thread_name(thread);
  return text + stack_lines(describer, where);
}

NativeDescriber::Place place_of(const FailureDetail& detail) {
  return {detail.address, detail.block_size != 0, detail.allocated_at, detail.block_size, detail.offset};
}

std::string race_message(const explore::Finding& finding, const FailureDetail& detail,
                         const NativeDescriber& describer) {
  constexpr const char* kScope = "end of its scope";
  return "on " + describer.place_name(place_of(detail)) + " (" + quoted_bytes(detail.size) + ")" +
         access_lines(describer,
                      detail.leaves_scope && !detail.other_leaves_scope ? kScope
                      : detail.frees                                    ? "free"
                      : detail.write                                    ? "write"
                                                                        : "read",
                      finding.failure.thread, finding.failure.where) +
         access_lines(describer,
                      detail.other_leaves_scope ? kScope
                      : detail.other_write      ? "write"
                                                : "read",
                      detail.other_thread, detail.other_where);
}

std::string heap_message(const explore::Finding& finding, const FailureDetail& detail,
                         const NativeDescriber& describer) {
  std::string text = finding.failure.message + ": " + describer.place_name(place_of(detail)) +
                     stack_lines(describer, finding.failure.where);
  if (detail.other_where != 0) text += access_lines(describer, "freed", detail.other_thread, detail.other_where);
  if (detail.allocated_at != 0) text += access_lines(describer, "allocated", kNoThread, detail.allocated_at);
  return text;
}

// Is the memory given back because a container of the standard library is changed, not because it ends?
bool frees_for_container(const NativeDescriber& describer, std::uint32_t where) {
  static constexpr std::string_view kChanges[] = {
      "::_M_realloc_", "::_M_default_append", "::_M_fill_insert", "::_M_range_insert", "::_M_reallocate_map",
      "::_M_rehash",   "::_M_erase(",         "::_M_mutate",      "::erase(",          "::clear(",
      "::reserve(",    "::shrink_to_fit(",    "::pop_back(",      "::pop_front(",      "::resize("};
  bool changed = false;
  for (const std::string& name : describer.names_at(where, NativeDescriber::Frames::kAll)) {
    if (name.find("std::") == name.npos) continue;
    if (name.find("::~") != name.npos) return false;
    changed = changed || std::ranges::any_of(kChanges, [&](auto part) { return name.find(part) != name.npos; });
  }
  return changed;
}

std::string sides(const FailureDetail* detail, const std::string& message) {
  const std::string text = detail == nullptr ? std::string() : assertion_sides(detail->compared, message);
  return text.empty() ? text : ": " + text;
}

std::string explain(const explore::Finding& finding, const FailureDetail* detail, const NativeDescriber& describer) {
  switch (finding.failure.kind) {
    case FailureKind::kDataRace:
      return detail != nullptr ? race_message(finding, *detail, describer) : finding.failure.message;
    case FailureKind::kUseAfterFree:
    case FailureKind::kDoubleFree:
    case FailureKind::kInvalidFree:
    case FailureKind::kHeapOverflow:
      return detail != nullptr ? heap_message(finding, *detail, describer) : finding.failure.message;
    case FailureKind::kMutexMisuse:
    case FailureKind::kRelock:
    case FailureKind::kUnlockNotHeld:
      return finding.failure.message +
             (detail != nullptr && detail->address != 0 ? ": " + describer.place_name(place_of(*detail)) : "") +
             stack_lines(describer, finding.failure.where);
    case FailureKind::kExitWithThreads:
      return finding.failure.message + stack_lines(describer, finding.failure.where) +
             (detail != nullptr ? access_lines(describer, "lost", detail->other_thread, detail->other_where) : "");
    case FailureKind::kDeadlock: {
      std::string text;
      for (const std::string& line : waiting_in_the_end(finding.execution, describer, trace::Places::kLeftOut))
        text += (text.empty() ? "" : "; ") + line;
      return text;
    }
    case FailureKind::kAssertion:
      return finding.failure.message + sides(detail, finding.failure.message) +
             stack_lines(describer, finding.failure.where);
    case FailureKind::kError:
    case FailureKind::kDivisionByZero:
    case FailureKind::kIndexOutOfRange:
    case FailureKind::kCrash:
    case FailureKind::kAbort:
    case FailureKind::kUncaughtException:
    case FailureKind::kExitCode:
    case FailureKind::kLivelock:
    case FailureKind::kOverflow:
    case FailureKind::kProperty:
    case FailureKind::kReachable:
      return finding.failure.message + stack_lines(describer, finding.failure.where);
  }
  return finding.failure.message;
}

}  // namespace

void explain_findings(protocol::WorkerResult& worker, const NativeDescriber& describer) {
  const bool unseen_code = std::ranges::any_of(worker.result.assumptions, [](const trace::Assumption& assumption) {
    return assumption.kind == trace::AssumptionKind::kCodeNotSeen;
  });
  for (std::size_t i = 0; i < worker.result.findings.size(); ++i) {
    const FailureDetail* own = nullptr;
    for (const FailureDetail& detail : worker.details)
      if (detail.finding == i) own = &detail;
    explore::Finding& finding = worker.result.findings[i];
    finding.failure.message = explain(finding, own, describer);
    finding.explanation.beside_unseen_code = unseen_code && finding.failure.kind == FailureKind::kDataRace;
    // To race with a free is to use what is freed, only in the other order.
    const auto is_rather = [&](explore::Pattern pattern) {
      finding.explanation.pattern = pattern;
      finding.explanation.check = finding.explanation.act = kNoEvent;
    };
    if (finding.failure.kind == FailureKind::kDataRace && own != nullptr && own->frees &&
        finding.explanation.has_pair()) {
      is_rather(explore::Pattern::kUseAfterFree);
      const EventIndex join =
          explore::joined_after(finding.execution, finding.failure.thread, own->other_thread, finding.failure.step);
      if (join != kNoEvent && finding.explanation.second < finding.execution.steps.size()) {
        finding.explanation.pattern = explore::Pattern::kShutdown;
        finding.explanation.check = finding.explanation.second;
        finding.explanation.act = join;
      }
    }
    if (own != nullptr && (own->frees || finding.failure.kind == FailureKind::kUseAfterFree) &&
        frees_for_container(describer, own->frees ? finding.failure.where : own->other_where))
      is_rather(explore::Pattern::kInvalidated);
    if (own != nullptr && own->leaves_scope) {
      is_rather(explore::Pattern::kUseAfterScope);
      finding.explanation.leaves_scope = own->other_leaves_scope ? own->other_thread : finding.failure.thread;
    }
  }
}

}  // namespace heddle::supervisor
