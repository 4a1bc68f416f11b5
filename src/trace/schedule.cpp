// The textual schedule format, version 1 (docs/formats.md): a header line, `key value` lines, and the steps as
// thread ids with repetition counts: `0*3 1 2>1` is thread 0 three times, thread 1, and thread 2 with choice 1.
#include "trace/schedule.h"

#include "trace/outcome.h"

#include <charconv>

namespace heddle::trace {
namespace {

constexpr std::string_view kHeader = "heddle-schedule 1";
constexpr std::size_t kMaxSteps = 100'000'000;

Error bad(std::size_t line, const std::string& fact) {
  return Error{"schedule file, line " + std::to_string(line) + ": " + fact +
               "; save it again with `heddle run ... --save=FILE`"};
}

template <class T>
bool parse_number(std::string_view text, T& out, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

std::string hex(std::uint64_t v) {
  char buffer[17];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, v, 16);
  return std::string(buffer, end);
}

void append_steps(std::string& out, const std::vector<Decision>& steps) {
  std::size_t column = 0;
  for (std::size_t i = 0; i < steps.size();) {
    std::size_t run = 1;
    while (i + run < steps.size() && steps[i + run] == steps[i]) ++run;
    std::string word = std::to_string(steps[i].thread.value);
    if (steps[i].choice != kAnyChoice && steps[i].choice != 0) word += ">" + std::to_string(steps[i].choice);
    if (run > 1) word += "*" + std::to_string(run);
    if (column == 0 || column + word.size() > 96) {
      out += column == 0 ? "steps" : "\nsteps";
      column = 5;
    }
    out += " " + word;
    column += word.size() + 1;
    i += run;
  }
  if (column == 0) out += "steps";
  out += "\n";
}

// One word of a `steps` line. Empty: well-formed.
std::string parse_word(std::string_view word, std::vector<Decision>& steps) {
  std::size_t run = 1;
  if (const auto star = word.find('*'); star != word.npos) {
    if (!parse_number(word.substr(star + 1), run) || run == 0) return "bad repetition count";
    word = word.substr(0, star);
  }
  Decision d{ThreadId(0), 0};
  if (const auto arrow = word.find('>'); arrow != word.npos) {
    if (!parse_number(word.substr(arrow + 1), d.choice) || d.choice >= kMaxThreads) return "bad choice";
    word = word.substr(0, arrow);
  }
  if (!parse_number(word, d.thread.value) || d.thread.value >= kMaxThreads) return "bad thread id";
  if (run > kMaxSteps - steps.size()) return "too many steps";
  steps.insert(steps.end(), run, d);
  return {};
}

}  // namespace

std::string to_text(const SavedSchedule& s) {
  std::string out = std::string(kHeader) + "\n";
  out += "program " + s.program + "\n";
  out += "identity " + hex(s.identity) + "\n";
  for (const auto& [name, value] : s.defines) out += "define " + name + "=" + std::to_string(value) + "\n";
  if (s.input_seed != 0) out += "input-seed " + std::to_string(s.input_seed) + "\n";
  for (const auto& [name, value] : s.inputs) out += "input " + name + "=" + std::to_string(value) + "\n";
  for (const std::string& setting : s.settings) out += "setting " + setting + "\n";
  if (!s.expect.empty()) out += "expect " + s.expect + "\n";
  append_steps(out, s.steps);
  out += "end\n";
  return out;
}

Result<SavedSchedule> parse_schedule(std::string_view text) {
  SavedSchedule s;
  std::size_t number = 0;
  bool ended = false;
  while (!text.empty()) {
    ++number;
    const auto newline = text.find('\n');
    std::string_view line = text.substr(0, newline);
    text = newline == text.npos ? std::string_view{} : text.substr(newline + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (number == 1) {
      if (line != kHeader)
        return bad(1, "expected \"" + std::string(kHeader) + "\" (not a schedule file, or of another version)");
      continue;
    }
    if (ended && !line.empty()) return bad(number, "text after the \"end\" line");
    const auto space = line.find(' ');
    const std::string_view key = line.substr(0, space);
    std::string_view rest = space == line.npos ? std::string_view{} : line.substr(space + 1);
    if (key == "program") {
      s.program = rest;
    } else if (key == "identity") {
      if (!parse_number(rest, s.identity, 16)) return bad(number, "bad identity");
    } else if (key == "define") {
      const auto equals = rest.find('=');
      std::int64_t value = 0;
      if (equals == rest.npos || equals == 0 || !parse_number(rest.substr(equals + 1), value))
        return bad(number, "bad define");
      s.defines[std::string(rest.substr(0, equals))] = value;
    } else if (key == "input-seed") {
      if (!parse_number(rest, s.input_seed)) return bad(number, "bad seed");
    } else if (key == "input") {
      const auto equals = rest.rfind('=');
      std::int64_t value = 0;
      if (equals == rest.npos || equals == 0 || !parse_number(rest.substr(equals + 1), value))
        return bad(number, "bad input");
      s.inputs[std::string(rest.substr(0, equals))] = value;
    } else if (key == "setting") {
      s.settings.emplace_back(rest);
    } else if (key == "expect") {
      if (!names_failure(rest)) return bad(number, "unknown kind of bug \"" + std::string(rest.substr(0, 40)) + "\"");
      s.expect = rest;
    } else if (key == "steps") {
      while (!rest.empty()) {
        const auto end = rest.find(' ');
        const std::string_view word = rest.substr(0, end);
        rest = end == rest.npos ? std::string_view{} : rest.substr(end + 1);
        if (word.empty()) continue;
        if (const std::string fact = parse_word(word, s.steps); !fact.empty()) return bad(number, fact);
      }
    } else if (key == "end") {
      ended = true;
    } else if (!line.empty()) {
      return bad(number, "unknown key \"" + std::string(key.substr(0, 40)) + "\"");
    }
  }
  if (number == 0) return bad(1, "the file is empty");
  if (!ended) return bad(number, "the file ends before its \"end\" line (truncated?)");
  return s;
}

}  // namespace heddle::trace
