// The only name that begins so, or else by Levenshtein distance, with one row of its table: names are short.
#include "base/spelling.h"

#include <algorithm>
#include <numeric>

namespace heddle {

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& known) {
  // Whoever writes the beginning of a name and of no other means that.
  std::string_view begun;
  for (const std::string_view candidate : known)
    if (!word.empty() && candidate.starts_with(word)) begun = begun.empty() ? candidate : word;
  if (!begun.empty() && begun != word) return begun;
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  std::vector<std::size_t> row;
  for (const std::string_view candidate : known) {
    row.resize(candidate.size() + 1);
    std::iota(row.begin(), row.end(), 0u);
    for (std::size_t i = 1; i <= word.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= candidate.size(); ++j) {
        const std::size_t above = row[j];
        row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (word[i - 1] != candidate[j - 1])});
        diagonal = above;
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

}  // namespace heddle
