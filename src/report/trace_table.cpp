// The layout of a trace. The gutter holds marks, the step's number and its source line; then each thread that took part
// has a column, as wide as its words need. A row whose right neighbours are empty may run on below them, so columns
// give up width, the widest first, as long as no word is lost. When even that is too wide, the columns shrink to lanes
// of one character, as version control draws its branches, and the words follow, with the thread's name. Only when the
// lanes would leave no room for words are they left out.
//
// While a thread holds a lock, a bar runs down its column or lane.
#include "report/trace_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "report/palette.h"
#include "report/trace_rows.h"

namespace heddle::report {
namespace {

using namespace trace;

constexpr std::size_t kMarks = 5;             // the last one is a space
constexpr std::size_t kNarrowestColumn = 16;  // where words run on; below, it is hard to see whose they are
constexpr std::size_t kWidestColumn = 36;     // enough for all but long names
constexpr std::size_t kNarrowestPlace = 12;
constexpr std::size_t kNarrowestWords = 24;  // lanes are not worth more than this
constexpr std::size_t kMostBars = 3;

// Display width of UTF-8 text: one column per code point is right for everything names and operators contain.
std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
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

std::size_t less(std::size_t a, std::size_t b) { return a - std::min(a, b); }

// As it is if that is short enough, so that editors can open it; else without the folder, or the end of it.
std::string short_position(const std::string& position, std::size_t widest) {
  if (position.size() <= widest) return position;
  const auto slash = position.rfind('/');
  const std::string name = slash == position.npos ? position : position.substr(slash + 1);
  return name.size() <= widest ? name : ".." + name.substr(name.size() - widest + 2);
}

// Of an object with a long name the end says most ("..node).next"), so `text`, which speaks of it, gives up the
// beginning.
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
      : trace_(trace_rows(finding, describer, options.all_details ? WhichData::kAll : WhichData::kRelevant)),
        describer_(describer),
        options_(options) {
    for (const TraceRow& row : trace_.rows)
      if (row.thread != kNoThread) column_of_.emplace(row.thread, 0);
    std::size_t next = 0;
    for (auto& [thread, column] : column_of_) column = next++;
    number_width_ = std::max<std::size_t>(2, std::to_string(finding.execution.steps.size()).size());
    choose_layout();
  }

  std::string text() {
    header();
    for (const TraceRow& row : trace_.rows) emit_row(row);
    legend();
    return std::move(out_);
  }

 private:
  // Whole places and columns; else whole places and lanes; else places give up their folders.
  void choose_layout() {
    std::size_t longest = 4, longest_words = 0;
    for (const TraceRow& row : trace_.rows) {
      longest = std::max(longest, describer_.position(row.where).size());
      if (row.thread == kNoThread) continue;
      const std::size_t name = display_width(describer_.thread_name(row.thread)) + 2;
      longest_words = std::max(longest_words, name + std::min(display_width(row.text), kWidestColumn + row.note));
    }
    place_width_ = longest;
    if (choose_columns()) return;
    lanes_ = less(options_.width, gutter_width(kNarrowestPlace) + 2 * column_of_.size()) >= kNarrowestWords;
    const std::size_t rest = gutter_width(0) + lanes_width() + longest_words;
    const std::size_t share = std::max({kNarrowestPlace, options_.width * 3 / 10, less(options_.width, rest)});
    place_width_ = 4;
    for (const TraceRow& row : trace_.rows)
      place_width_ = std::max(place_width_, short_position(describer_.position(row.where), share).size());
  }

  // Whether every word has its place in columns; their widths if so.
  bool choose_columns() {
    std::vector<std::size_t> wanted(column_of_.size(), 0), least(column_of_.size(), 0);
    for (const auto& [thread, column] : column_of_) least[column] = display_width(describer_.thread_name(thread));
    wanted = least;
    for (const TraceRow& row : trace_.rows) {
      if (row.thread == kNoThread) continue;
      const std::size_t own = column_of_.at(row.thread), need = needed_width(row);
      wanted[own] = std::max(wanted[own], need);
      if (last_column(row) != own) least[own] = std::max(least[own], need);
    }
    for (std::size_t i = 0; i < wanted.size(); ++i)
      least[i] = std::max(least[i], std::min(wanted[i], kNarrowestColumn));
    widths_ = wanted;
    while (!every_row_fits()) {
      std::size_t widest = widths_.size();
      for (std::size_t i = 0; i < widths_.size(); ++i)
        if (widths_[i] > least[i] && (widest == widths_.size() || widths_[i] > widths_[widest])) widest = i;
      if (widest == widths_.size()) {
        widths_.clear();
        return false;
      }
      --widths_[widest];
    }
    return true;
  }

  bool every_row_fits() const {
    if (start_of(widths_.size()) > options_.width + 2) return false;
    return std::all_of(trace_.rows.begin(), trace_.rows.end(), [&](const TraceRow& row) {
      if (row.thread == kNoThread) return true;
      const std::size_t own = column_of_.at(row.thread), need = needed_width(row);
      return last_column(row) != own || start_of(own) + need <= options_.width;
    });
  }

  std::size_t start_of(std::size_t column) const {
    return std::accumulate(widths_.begin(), widths_.begin() + static_cast<std::ptrdiff_t>(column),
                           gutter_width(place_width_) + 2 * column);
  }
  std::size_t gutter_width(std::size_t place) const { return kMarks + number_width_ + 2 + place + 2; }
  std::size_t lanes_width() const { return lanes_ ? 2 * column_of_.size() : 0; }
  bool in_columns() const { return !widths_.empty(); }

  std::string words(const TraceRow& row) const { return describer_.thread_name(row.thread) + ": " + row.text; }
  std::size_t cell_width(const TraceRow& row) const {
    const std::size_t held = bars(row.thread, row.after).size();
    return display_width(row.text) + held + (held > 0 ? 1 : 0);
  }

  // Long names can be shortened, how stale a read is cannot.
  std::size_t needed_width(const TraceRow& row) const { return std::min(cell_width(row), kWidestColumn + row.note); }

  // To its right the row is empty.
  std::size_t last_column(const TraceRow& row) const {
    std::size_t last = column_of_.at(row.thread);
    for (const auto& [thread, column] : column_of_)
      if (!bars(thread, row.after).empty()) last = std::max(last, column);
    return last;
  }

  // One for each lock the thread holds.
  std::string bars(ThreadId thread, EventIndex after) const {
    if (after >= trace_.sentences.size()) return {};
    const auto& holding = trace_.sentences[after].holding;
    const auto held = holding.find(thread);
    return held == holding.end() ? std::string() : std::string(std::min(held->second, kMostBars), '|');
  }

  void header() {
    std::string line = fit(std::string(less(kMarks + number_width_, 4), ' ') + "step", kMarks + number_width_) + "  " +
                       fit("line", place_width_) + "  ";
    if (in_columns())
      for (const auto& [thread, column] : column_of_)
        line += fit(describer_.thread_name(thread), widths_[column]) + "  ";
    else
      line += std::string(lanes_width(), ' ') + "thread: operation";
    emit(line, Ink::kStrong, true);
  }

  void emit_row(const TraceRow& row) {
    if (row.kind == TraceRow::Kind::kFolded) {
      const std::string dots = std::string(less(kMarks + number_width_, 3), ' ') + "...  ";
      emit(fit(dots + row.text, options_.width), Ink::kDim, true);
      return;
    }
    const std::string number = row.number == 0 ? std::string() : std::to_string(row.number);
    const std::string place = short_position(describer_.position(row.where), std::max(place_width_, kNarrowestPlace));
    const std::string gutter =
        fmt::format("{}{:>{}}  {}  ", row.marks, number, number_width_, fit(place, place_width_));
    emit(gutter + (in_columns() ? columns(row) : lanes(row)),
         row.kind == TraceRow::Kind::kData   ? Ink::kDim
         : row.kind == TraceRow::Kind::kStep ? Ink::kUnsure
                                             : Ink::kBad,
         row.matters || row.kind == TraceRow::Kind::kData);
  }

  std::string columns(const TraceRow& row) const {
    std::string out;
    const std::size_t last = last_column(row);
    for (const auto& [thread, column] : column_of_) {
      if (column > last) break;
      std::string cell = bars(thread, row.after);
      const std::size_t width = column == last ? less(options_.width, start_of(column)) : widths_[column];
      if (thread == row.thread) {
        if (!cell.empty()) cell += ' ';
        cell += with_short_name(row.text, row.object, less(width, cell.size()));
      }
      out += fit(cell, width) + "  ";
    }
    return out;
  }

  std::string lanes(const TraceRow& row) const {
    std::string out;
    if (lanes_)
      for (const auto& [thread, column] : column_of_)
        out += std::string(1, thread == row.thread ? 'o' : bars(thread, row.after).empty() ? ' ' : '|') + " ";
    const std::size_t width = less(options_.width, gutter_width(place_width_) + out.size());
    return out + fit(with_short_name(words(row), row.object, width), width);
  }

  void legend() {
    std::vector<std::string> items;
    const auto marked = [&](std::size_t position, char mark) {
      return std::any_of(trace_.rows.begin(), trace_.rows.end(),
                         [&](const TraceRow& row) { return row.marks[position] == mark; });
    };
    if (marked(0, '*'))
      items.push_back(trace_.pair.decisive ? "* the decisive pair"
                      : trace_.pair.missed ? "* a write, and the read that misses it"
                                           : "* the racing pair");
    if (marked(1, '>')) items.push_back("> the critical step");
    if (marked(2, '~')) items.push_back("~ pre-emption");
    if (marked(3, '(') || marked(3, ')')) items.push_back("( ) to be made one");
    const bool locked = std::any_of(trace_.sentences.begin(), trace_.sentences.end(),
                                    [](const Sentence& s) { return !s.holding.empty(); });
    const bool data = std::any_of(trace_.rows.begin(), trace_.rows.end(),
                                  [](const TraceRow& row) { return row.kind == TraceRow::Kind::kData; });
    if (data) items.push_back(". data");
    if (trace_.more_data > 0) items.push_back(fmt::format("({} more: --all-details)", trace_.more_data));
    if (lanes_) items.push_back("o whose step");
    if (locked && (in_columns() || lanes_)) items.push_back("| holds a lock");
    std::string line;
    for (const std::string& item : items) {
      if (!line.empty() && line.size() + 3 + item.size() > options_.width) {
        emit(line, Ink::kDim, true);
        line.clear();
      }
      line += (line.empty() ? "  " : "   ") + item;
    }
    if (!line.empty()) emit(line, Ink::kDim, true);
  }

  void emit(std::string line, Ink ink, bool painted) {
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out_ += painted ? paint(line, ink, options_.color) : line;
    out_ += '\n';
  }

  TraceRows trace_;
  const Describer& describer_;
  const TerminalOptions& options_;
  std::map<ThreadId, std::size_t> column_of_;
  std::size_t number_width_ = 0;
  std::size_t place_width_ = 0;
  std::vector<std::size_t> widths_;  // of the columns; none if there are none
  bool lanes_ = false;
  std::string out_;
};

}  // namespace

std::string trace_table(const explore::Finding& finding, const Describer& describer, const TerminalOptions& options) {
  return Table(finding, describer, options).text();
}

}  // namespace heddle::report
