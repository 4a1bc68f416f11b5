// The layout of a trace. Each thread that took part has a column; a row is a step; the gutter holds a mark, the
// step's number and its source line. When the columns would get too narrow to read, the threads share one
// column and each row names its thread instead.
//
// Long traces are folded: what stays is the beginning, the end, the steps the explanation speaks of, and the two ends of
// every stretch that one thread ran alone, if that is little enough; the rest is counted.
//
// While a thread holds a lock, a bar runs down its column.
#include "report/trace_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "report/explanation.h"
#include "report/narrative.h"
#include "report/palette.h"

namespace heddle::report {
namespace {

using namespace trace;

constexpr std::size_t kNarrowestColumn = 18;
constexpr std::size_t kWidestColumn = 36;
constexpr std::size_t kNarrowestPlace = 12;
constexpr std::size_t kUnfolded = 60;   // traces up to this many steps are shown whole
constexpr std::size_t kHead = 6;        // steps always shown at the beginning of a longer one
constexpr std::size_t kTail = 24;       // ... and at its end
constexpr std::size_t kSwitchRows = 60; // switch points are shown if they take no more rows than this

// Display width of UTF-8 text: one column per code point is right for everything names and operators contain.
std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string fit(std::string text, std::size_t width) {
  if (display_width(text) > width) {
    const std::size_t kept = width - std::min<std::size_t>(width, 2);
    while (display_width(text) > kept) {
      while ((text.back() & 0xc0) == 0x80) text.pop_back();
      text.pop_back();
    }
    text += "..";
  }
  return text + std::string(width - std::min(width, display_width(text)), ' ');
}

// As it is if that is short enough, so that editors can open it; else without the folder, or the end of it.
std::string short_position(const std::string& position, std::size_t widest) {
  if (position.size() <= widest) return position;
  const auto slash = position.rfind('/');
  const std::string name = slash == position.npos ? position : position.substr(slash + 1);
  return name.size() <= widest ? name : ".." + name.substr(name.size() - widest + 2);
}

// Of an object with a long name the end says most ("..node).next"), so `text`, which speaks of it, gives up the beginning.
std::string with_short_name(std::string text, const std::string& object, std::size_t width) {
  constexpr std::size_t kNameStays = 14;
  const std::size_t at = object.empty() ? text.npos : text.find(object), have = display_width(text);
  if (have <= width || at == text.npos || object.size() <= kNameStays) return text;
  std::size_t cut = std::min(object.size() - kNameStays, have - width) + 2;
  while (cut < object.size() && (object[cut] & 0xc0) == 0x80) ++cut;
  return text.replace(at, cut, "..");
}

class Table {
 public:
  Table(const explore::Finding& finding, const Describer& describer, const TerminalOptions& options)
      : execution_(finding.execution),
        failure_(finding.failure),
        describer_(describer),
        options_(options),
        sentences_(narrate(execution_, describer)),
        why_(finding.explanation),
        pair_(marked_pair(finding)) {
    choose_columns();
  }

  std::string text() {
    header();
    const std::vector<bool> shown = rows_to_show();
    for (EventIndex i = 0; i < execution_.steps.size();) {
      if (failed_at(i)) failure_row();
      if (shown[i]) {
        step_row(i++);
        continue;
      }
      const EventIndex from = i;
      while (i < execution_.steps.size() && !shown[i]) ++i;
      folded_row(from, i);
    }
    if (failed_at(static_cast<EventIndex>(execution_.steps.size()))) failure_row();
    if (failure_.kind == FailureKind::kDeadlock)
      for (const Pending& p : execution_.pending)
        if (!p.enabled) blocked_row(p.step);
    legend();
    return std::move(out_);
  }

 private:
  void choose_columns() {
    for (const Step& s : execution_.steps) involve(s.thread);
    for (const Pending& p : execution_.pending) involve(p.step.thread);
    if (failure_.thread != kNoThread) involve(failure_.thread);
    std::size_t next = 0;
    for (auto& [thread, column] : column_of_) column = next++;
    place_width_ = std::max<std::size_t>(4, place(failure_.where).size());
    for (const Step& s : execution_.steps) place_width_ = std::max(place_width_, place(s.where).size());
    for (const Pending& p : execution_.pending) place_width_ = std::max(place_width_, place(p.step.where).size());
    number_width_ = std::max<std::size_t>(4, std::to_string(execution_.steps.size()).size());
    const std::size_t room = options_.width - std::min(options_.width, gutter_width());
    const std::size_t columns = std::max<std::size_t>(1, column_of_.size());
    const std::size_t share = room / columns;
    one_column_ = share < kNarrowestColumn + 2;
    column_width_ = one_column_ ? 0 : std::min(share - 2, needed_width());
  }

  // Places may take three tenths of a row.
  std::string place(std::uint32_t where) const {
    return short_position(describer_.position(where), std::max(kNarrowestPlace, options_.width * 3 / 10));
  }

  std::size_t needed_width() const {
    std::size_t width = kNarrowestColumn;
    for (const Sentence& s : sentences_) {
      std::size_t most = 0;
      for (const auto& [thread, count] : s.holding) most = std::max(most, std::min<std::size_t>(count, 3) + 1);
      width = std::max(width, display_width(s.text) + most);
    }
    return std::min(width, kWidestColumn);
  }

  void involve(ThreadId t) { column_of_.emplace(t, 0); }
  std::size_t gutter_width() const { return 2 + number_width_ + 2 + place_width_ + 2; }
  bool failed_at(EventIndex i) const { return failure_.thread != kNoThread && failure_.step == i; }
  bool racing(EventIndex i) const { return pair_.first == i || pair_.second == i; }
  bool matters(EventIndex i) const {
    return racing(i) || i == why_.critical || i == why_.check || i == why_.act;
  }

  std::vector<bool> rows_to_show() const {
    const std::size_t n = execution_.steps.size();
    if (n <= kUnfolded) return std::vector<bool>(n, true);
    std::vector<bool> shown(n, false);
    const std::size_t end = std::min<std::size_t>(n, std::max<std::size_t>(failure_.step, 1));
    for (std::size_t i = 0; i < n; ++i) {
      shown[i] = i < kHead || (i < end && i + kTail >= end) || (failure_.thread == kNoThread && i + kTail >= n);
      if (matters(static_cast<EventIndex>(i))) {
        for (std::size_t k = i - std::min<std::size_t>(i, 1); k < std::min(n, i + 2); ++k) shown[k] = true;
      }
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
    return shown;
  }

  void header() {
    std::string line = "  " + fit("step", number_width_) + "  " + fit("line", place_width_) + "  ";
    if (one_column_) {
      line += "thread: operation";
    } else {
      for (const auto& [thread, column] : column_of_)
        line += fit(describer_.thread_name(thread), column_width_) + "  ";
    }
    emit(line, Ink::kStrong, true);
  }

  void step_row(EventIndex i) {
    const Step& step = execution_.steps[i];
    const char mark = racing(i) ? '*' : sentences_[i].preempts ? '~' : ' ';
    const std::string line = fmt::format("{}{}{:>{}}  {}  ", mark, i == why_.critical ? '>' : ' ', i + 1, number_width_,
                                         fit(place(step.where), place_width_));
    emit(line + cell(step.thread, sentences_[i].text, i), Ink::kUnsure, matters(i));
  }

  void failure_row() {
    emit(fmt::format("! {}  {}  ", std::string(number_width_, ' '), fit(place(failure_.where), place_width_)) +
             cell(failure_.thread, std::string("** ") + name_of(failure_.kind) + " **", kNoEvent),
         Ink::kBad, true);
  }

  // A thread that can never take its next step.
  void blocked_row(const Step& step) {
    std::string text = std::string("waits: ") + name_of(step.op.kind) + " ";
    if (step.op.kind == OpKind::kJoin) text += describer_.thread_name(step.op.peer);
    if (step.op.object != kNoObject) text += describer_.object_name(step.op.object);
    const bool second = explore::step_at(execution_, pair_.second) == &step;
    emit(fmt::format("{} {}  {}  ", second ? '*' : '!', std::string(number_width_, ' '),
                     fit(place(step.where), place_width_)) +
             cell(step.thread, text, static_cast<EventIndex>(execution_.steps.size()) - 1),
         Ink::kBad, true);
  }

  void folded_row(EventIndex from, EventIndex to) {
    std::map<ThreadId, std::size_t> counts;
    for (EventIndex i = from; i < to; ++i) ++counts[execution_.steps[i].thread];
    std::string who;
    for (const auto& [thread, count] : counts)
      who += fmt::format("{}{} {}", who.empty() ? "" : ", ", describer_.thread_name(thread), count);
    emit(fmt::format("  {}  {} steps folded ({})", fit("...", number_width_), to - from, who), Ink::kDim, true);
  }

  // The columns of a row: what `thread` does, and the bars of locks held after step i.
  std::string cell(ThreadId thread, const std::string& text, EventIndex i) const {
    if (one_column_) return describer_.thread_name(thread) + ": " + text;
    std::string out;
    std::size_t last = column_of_.at(thread);   // to its right there is nothing, so its words may run on
    for (const auto& [other, column] : column_of_)
      if (!bars(other, i).empty()) last = std::max(last, column);
    for (const auto& [other, column] : column_of_) {
      if (column > last) break;
      std::string words = bars(other, i);
      const std::size_t room = options_.width - std::min(options_.width, gutter_width() + column * (column_width_ + 2));
      const std::size_t width = column == last ? std::max(column_width_, room) : column_width_;
      if (other == thread) {
        if (!words.empty()) words += ' ';
        words += with_short_name(text, object_at(i), width - std::min(width, words.size()));
      }
      out += fit(words, width) + "  ";
    }
    return out;
  }

  std::string object_at(EventIndex i) const {
    if (i >= execution_.steps.size() || execution_.steps[i].op.object == kNoObject) return {};
    return describer_.object_name(execution_.steps[i].op.object);
  }

  // One for each lock the thread holds.
  std::string bars(ThreadId thread, EventIndex i) const {
    if (i >= sentences_.size()) return {};
    const auto held = sentences_[i].holding.find(thread);
    return held == sentences_[i].holding.end() ? std::string() : std::string(std::min<std::size_t>(held->second, 3), '|');
  }

  void legend() {
    std::string text;
    const auto add = [&](const char* words) { text += (text.empty() ? "  " : "   ") + std::string(words); };
    if (pair_.first != kNoEvent) add(pair_.decisive ? "* the decisive pair" : "* the racing pair");
    if (why_.critical != kNoEvent) add("> the critical step");
    bool preempted = false;
    for (EventIndex i = 0; i < sentences_.size(); ++i) preempted |= sentences_[i].preempts && !racing(i);
    if (preempted) add("~ pre-emption");
    const bool locked =
        std::any_of(sentences_.begin(), sentences_.end(), [](const Sentence& s) { return !s.holding.empty(); });
    if (locked && !one_column_) add("| holds a lock");
    if (!text.empty()) emit(text, Ink::kDim, true);
  }

  void emit(std::string line, Ink ink, bool painted) {
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out_ += painted ? paint(line, ink, options_.color) : line;
    out_ += '\n';
  }

  const Execution& execution_;
  const Failure& failure_;
  const Describer& describer_;
  const TerminalOptions& options_;
  std::vector<Sentence> sentences_;
  const explore::Explanation& why_;
  MarkedPair pair_;
  std::map<ThreadId, std::size_t> column_of_;
  std::size_t place_width_ = 0;
  std::size_t number_width_ = 0;
  std::size_t column_width_ = 0;
  bool one_column_ = false;
  std::string out_;
};

}  // namespace

std::string trace_table(const explore::Finding& finding, const Describer& describer,
                        const TerminalOptions& options) {
  return Table(finding, describer, options).text();
}

}  // namespace heddle::report
