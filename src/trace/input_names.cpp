#include "trace/input_names.h"

#include <algorithm>

namespace heddle::trace {
namespace {

bool is_printable(std::uint8_t byte) { return byte >= 0x20 && byte < 0x7f; }

// Text, perhaps with lines, and perhaps with zeros behind it.
bool is_text(const std::vector<std::uint8_t>& bytes) {
  const auto end = std::find(bytes.begin(), bytes.end(), 0);
  const bool letters =
      std::all_of(bytes.begin(), end, [](std::uint8_t b) { return is_printable(b) || b == '\n' || b == '\t'; });
  return end != bytes.begin() && letters && std::all_of(end, bytes.end(), [](std::uint8_t b) { return b == 0; });
}

std::string literal(const std::vector<std::uint8_t>& bytes) {
  std::string out = "\"";
  for (const std::uint8_t b : bytes) {
    if (b == '"' || b == '\\') out += '\\';
    if (b == '\n')
      out += "\\n";
    else if (b == '\t')
      out += "\\t";
    else if (b == 0)
      out += "\\0";
    else
      out += static_cast<char>(b);
  }
  return out + "\"";
}

std::string hexadecimal(const std::vector<std::uint8_t>& bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string out;
  for (const std::uint8_t b : bytes) {
    if (!out.empty()) out += ' ';
    out += kDigits[b >> 4];
    out += kDigits[b & 15];
  }
  if (bytes.size() != 2 && bytes.size() != 4 && bytes.size() != 8) return out;
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) number = number << 8 | bytes[i];
  const unsigned unused = 64 - 8 * static_cast<unsigned>(bytes.size());
  return out + " (" + std::to_string(static_cast<std::int64_t>(number << unused) >> unused) + ")";
}

// "packet[main,3]" and 4 bytes: "packet[main,3..6]".
std::string range_name(std::string name, const InputValue& first, std::size_t count) {
  if (count == 1 || !name.ends_with("]")) return name;
  name.pop_back();
  return name + ".." + std::to_string(first.ordinal + count - 1) + "]";
}

}  // namespace

std::string Describer::input_name(const InputValue& input) const {
  return "input[" + thread_name(input.thread) + "," + std::to_string(input.ordinal) + "]";
}

std::map<std::string, std::int64_t> inputs_by_name(const Execution& execution, const Describer& describer) {
  std::map<std::string, std::int64_t> named;
  for (const InputValue& input : execution.named_inputs) named[describer.input_name(input)] = input.value;
  return named;
}

std::vector<std::string> input_lines(const Execution& execution, const Describer& describer) {
  std::vector<InputValue> all = execution.named_inputs;
  std::stable_sort(all.begin(), all.end(), [](const InputValue& a, const InputValue& b) {
    return a.thread != b.thread ? a.thread.value < b.thread.value : a.ordinal < b.ordinal;
  });
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < all.size();) {
    const InputValue& first = all[i];
    std::vector<std::uint8_t> bytes;
    for (; i < all.size() && bytes.size() < first.bytes_left && all[i].thread == first.thread &&
           all[i].bytes_left == first.bytes_left - bytes.size();
         ++i)
      bytes.push_back(static_cast<std::uint8_t>(all[i].value));
    if (bytes.empty()) {
      lines.push_back(describer.input_name(first) + " = " + std::to_string(first.value));
      ++i;
    } else {
      lines.push_back(range_name(describer.input_name(first), first, bytes.size()) + " = " +
                      (is_text(bytes) ? literal(bytes) : hexadecimal(bytes)));
    }
  }
  return lines;
}

}  // namespace heddle::trace
