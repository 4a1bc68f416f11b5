#include "cli/test_filter.h"

namespace heddle::cli {
namespace {

// A star takes as little as it can; on a mismatch the last star takes one more.
bool matches_pattern(std::string_view text, std::string_view pattern) {
  std::size_t t = 0, p = 0, star = pattern.npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool matches_any(std::string_view test, std::string_view patterns) {
  while (true) {
    const auto colon = patterns.find(':');
    if (matches_pattern(test, patterns.substr(0, colon))) return true;
    if (colon == patterns.npos) return false;
    patterns.remove_prefix(colon + 1);
  }
}

}  // namespace

bool matches_filter(std::string_view test, std::string_view filter) {
  const auto minus = filter.find('-');
  const std::string_view wanted = filter.substr(0, minus);
  if (minus != filter.npos && matches_any(test, filter.substr(minus + 1))) return false;
  return wanted.empty() || matches_any(test, wanted);
}

}  // namespace heddle::cli
