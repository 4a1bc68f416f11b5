// Long traces are folded: what stays is the beginning (from the first thread's start on), the end, the steps the
// explanation speaks of, and the two ends of every stretch that one thread ran alone, if that is little enough; the
// rest is counted. In a trace of any length a step repeated by its thread is shown once and counted, and so is what
// happened after the failure (a data race does not end an execution). What a test framework does for itself is only
// counted.
#include "report/trace_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "trace/waiting.h"

namespace heddle::report {
namespace {

using namespace trace;

constexpr std::size_t kUnfolded = 60;    // traces up to this many steps are shown whole
constexpr std::size_t kHead = 6;         // steps always shown at the beginning of a longer one
constexpr std::size_t kTail = 24;        // ... and at its end
constexpr std::size_t kSwitchRows = 60;  // switch points are shown if they take no more rows than this
constexpr std::size_t kRepeated = 4;     // as many equal steps in a row are folded

class RowMaker {
 public:
  RowMaker(const explore::Finding& finding, const Describer& describer, WhichData data)
      : data_(shown_data(finding, data)),
        execution_(finding.execution),
        failure_(finding.failure),
        why_(finding.explanation),
        describer_(describer),
        out_{narrate(execution_, describer), {}, marked_pair(finding)} {
    if (data == WhichData::kRelevant)
      std::erase_if(data_, [&](const explore::DataNote* note) { return of_framework(*note); });
    out_.more_data = finding.data.size() - data_.size();
  }

  TraceRows rows() {
    const auto n = static_cast<EventIndex>(execution_.steps.size());
    const std::vector<bool> shown = steps_to_show();
    data_rows(0);
    for (EventIndex i = 0; i < n;) {
      if (failed_at(i)) failure_row();
      if (shown[i]) {
        step_row(i++);
        data_rows(i);
        continue;
      }
      const EventIndex from = i;
      do ++i;
      while (i < n && !shown[i] && !failed_at(i));
      folded_row(from, i);
    }
    if (failed_at(n)) failure_row();
    if (failure_.kind == FailureKind::kDeadlock) blocked_rows();
    return std::move(out_);
  }

 private:
  bool failed_at(EventIndex i) const { return failure_.thread != kNoThread && failure_.step == i; }
  bool paired(EventIndex i) const { return out_.pair.first == i || out_.pair.second == i; }
  // A pattern's check and act, where they are one thread's and should have been one.
  bool torn() const {
    const Step* check = explore::step_at(execution_, why_.check);
    const Step* act = explore::step_at(execution_, why_.act);
    return check != nullptr && act != nullptr && check->thread == act->thread;
  }
  bool matters(EventIndex i) const { return paired(i) || i == why_.critical || i == why_.check || i == why_.act; }

  std::string marks(EventIndex i, char otherwise) const {
    std::string marks(5, ' ');
    marks[0] = paired(i) ? '*' : otherwise;
    if (i == why_.critical) marks[1] = '>';
    if (i < out_.sentences.size() && out_.sentences[i].preempts) marks[2] = '~';
    if (torn() && (i == why_.check || i == why_.act)) marks[3] = i == why_.check ? '(' : ')';
    return marks;
  }

  std::vector<bool> steps_to_show() const {
    const std::size_t n = execution_.steps.size();
    std::vector<bool> shown(n, n <= kUnfolded);
    if (n > kUnfolded) show_parts(shown);
    hide_repetitions(shown);
    for (std::size_t i = 0; i < n; ++i)
      if (shown[i] && of_framework(execution_.steps[i].where)) shown[i] = false;
    if (failure_.thread != kNoThread)
      for (std::size_t i = failure_.step; i < n; ++i) shown[i] = false;
    for (std::size_t i = 0; i < n; ++i)
      if (matters(static_cast<EventIndex>(i))) shown[i] = true;
    for (const explore::DataNote* note : data_)
      if (note->step > 0 && note->step <= n) shown[note->step - 1] = true;
    return shown;
  }

  // A test's own code is seldom in a folder or file of that name; its framework always is.
  bool of_framework(std::uint32_t where) const {
    const std::string position = describer_.position(where);
    for (const char* part : {"include/gtest/", "include/gmock/", "include/catch2/", "include/doctest/",
                             "/catch.hpp:", "/catch_amalgamated.", "/doctest.h:"})
      if (position.find(part) != position.npos) return true;
    return false;
  }

  // Its own, or what the C library does for it, of which there is no source to look at.
  bool of_framework(const explore::DataNote& note) const {
    if (of_framework(note.where)) return true;
    const EventIndex before = note.step;
    return before > 0 && before <= execution_.steps.size() && of_framework(execution_.steps[before - 1].where) &&
           describer_.source_line(note.where).empty();
  }

  std::size_t first_spawn() const {
    const auto spawn = std::find_if(execution_.steps.begin(), execution_.steps.end(),
                                    [](const Step& step) { return step.op.kind == OpKind::kSpawn; });
    return spawn == execution_.steps.end() ? 0 : static_cast<std::size_t>(spawn - execution_.steps.begin());
  }

  void show_parts(std::vector<bool>& shown) const {
    const std::size_t n = shown.size();
    const std::size_t end = std::min<std::size_t>(n, std::max<std::size_t>(failure_.step, 1));
    const std::size_t begin = first_spawn();
    for (std::size_t i = 0; i < n; ++i) {
      if ((i >= begin && i < begin + kHead) || (i < end && i + kTail >= end) ||
          (failure_.thread == kNoThread && i + kTail >= n))
        shown[i] = true;
      if (matters(static_cast<EventIndex>(i)))
        for (std::size_t k = i - std::min<std::size_t>(i, 1); k < std::min(n, i + 2); ++k) shown[k] = true;
    }
    std::vector<std::size_t> ends;
    for (std::size_t i = 1; i < n; ++i) {
      if (execution_.steps[i].thread != execution_.steps[i - 1].thread) {
        ends.push_back(i - 1);
        ends.push_back(i);
      }
    }
    if (ends.size() <= kSwitchRows)
      for (std::size_t i : ends) shown[i] = true;
  }

  bool repeats(std::size_t i) const {
    return execution_.steps[i].thread == execution_.steps[i - 1].thread &&
           out_.sentences[i].text == out_.sentences[i - 1].text;
  }

  // Of a run of equal steps the first one stays.
  void hide_repetitions(std::vector<bool>& shown) const {
    for (std::size_t i = 0; i < shown.size();) {
      std::size_t end = i + 1;
      while (end < shown.size() && repeats(end)) ++end;
      if (end - i >= kRepeated)
        for (std::size_t k = i + 1; k < end; ++k) shown[k] = false;
      i = end;
    }
  }

  void step_row(EventIndex i) {
    const Step& step = execution_.steps[i];
    out_.rows.push_back({TraceRow::Kind::kStep, marks(i, ' '), i + 1u, step.where, step.thread, out_.sentences[i].text,
                         name(step.op.object), i, matters(i), out_.sentences[i].note});
  }

  // What its thread does with data right after step `done`.
  void data_rows(EventIndex done) {
    for (const explore::DataNote* note : data_)
      if (note->step == done)
        out_.rows.push_back({TraceRow::Kind::kData, "     ", 0, note->where, note->thread, ". " + data_text(*note),
                             note->object, done == 0 ? kNoEvent : done - 1, false});
  }

  void failure_row() {
    const EventIndex last = failure_.step == 0 ? kNoEvent : failure_.step - 1;
    out_.rows.push_back({TraceRow::Kind::kFailure, "!    ", 0, failure_.where, failure_.thread,
                         std::string("** ") + name_of(failure_.kind) + " **", "", last, true});
  }

  void blocked_rows() {
    const std::size_t n = execution_.steps.size();
    for (const Waiter& waiter : waiters(execution_, describer_))
      out_.rows.push_back({TraceRow::Kind::kBlocked, waiter.pending == kNoEvent ? "!    " : marks(waiter.pending, '!'),
                           0, waiter.step->where, waiter.step->thread, "waits: " + waiter.text,
                           name(waiter.step->op.object), n == 0 ? kNoEvent : static_cast<EventIndex>(n - 1), true});
  }

  void folded_row(EventIndex from, EventIndex to) {
    const std::size_t count = to - from;
    bool same = from > 0 && !failed_at(from);
    for (EventIndex i = from; i < to; ++i) same = same && repeats(i);
    std::map<ThreadId, std::size_t> counts;
    for (EventIndex i = from; i < to; ++i) ++counts[execution_.steps[i].thread];
    std::string who;
    for (const auto& [thread, steps] : counts)
      who += fmt::format("{}{} {}", who.empty() ? "" : ", ", describer_.thread_name(thread), steps);
    TraceRow row;
    row.kind = TraceRow::Kind::kFolded;
    row.text =
        fmt::format("{} step{} folded ({})", count, count == 1 ? "" : "s",
                    same ? "the same again"
                         : (failure_.thread != kNoThread && from >= failure_.step ? "after the failure: " : "") + who);
    out_.rows.push_back(row);
  }

  std::string name(ObjectId object) const {
    return object == kNoObject ? std::string() : describer_.object_name(object);
  }

  std::vector<const explore::DataNote*> data_;
  const Execution& execution_;
  const Failure& failure_;
  const explore::Explanation& why_;
  const Describer& describer_;
  TraceRows out_;
};

}  // namespace

TraceRows trace_rows(const explore::Finding& finding, const Describer& describer, WhichData data) {
  return RowMaker(finding, describer, data).rows();
}

}  // namespace heddle::report
