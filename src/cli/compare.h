// What `heddle compare` shows: one row for each algorithm, as text, CSV, JSON and a page.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::cli {

inline constexpr const char* kRefused = "refused";  // the algorithm is not for such a program
inline constexpr const char* kLost = "error";       // its process ended without a result

struct ComparedRow {
  std::string algorithm;
  std::string verdict;  // or kRefused, or kLost
  std::string reason;   // why not exhausted, or why not run
  bool exhausted = false;
  std::uint64_t executions = 0;
  std::uint64_t classes = 0;  // that its executions were of
  std::uint64_t states = 0;
  std::uint64_t events = 0;    // of an unfolding or prefix; 0: none was built
  std::uint64_t findings = 0;  // distinct
  double seconds = 0;
  std::uint64_t kilobytes = 0;  // at most at any time

  bool ran() const { return verdict != kRefused && verdict != kLost; }
};

std::string compared_as_text(const std::vector<ComparedRow>& rows);
std::string compared_as_csv(const std::vector<ComparedRow>& rows);
std::string compared_as_json(const std::string& program, const std::vector<ComparedRow>& rows);
std::string compared_as_html(const std::string& program, const std::vector<ComparedRow>& rows);

}  // namespace heddle::cli
