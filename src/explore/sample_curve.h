// What samples have shown: distinct classes, and distinct pairs of a write and a read that found it (by their places in
// the source), after 1, 2, 4, 8, ... samples.
//
// What is still unseen is estimated as Good and Turing did (Good, 1953): of n samples those whose class has been met
// only once are as many as one expects to be new among n more. So the chance that the next sample shows a new class is
// about the number of such classes divided by n. It is a statement about the sampler, not about the program: a class
// that it hardly ever draws hardly counts.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "trace/execution.h"

namespace heddle::explore {

struct SamplePoint {
  std::uint64_t samples = 0;
  std::uint64_t classes = 0;  // distinct
  std::uint64_t pairs = 0;    // of a write and a read, distinct
  double unseen = 0;          // the chance that the next sample shows a class that was not seen
  bool operator==(const SamplePoint&) const = default;
};

// What a curve has to know of a sample: for one that others make of all samples together.
struct Sample {
  std::uint64_t fingerprint = 0;     // of its class
  std::vector<std::uint64_t> pairs;  // by hash; those of samples before it in the list may be left out
  bool operator==(const Sample&) const = default;
};

class SampleCurve {
 public:
  // A sample of the class that has this fingerprint. What was new about it:
  Sample add(const trace::Execution& execution, std::uint64_t fingerprint);
  void add(const Sample& sample);
  // The points up to now, and the present one.
  std::vector<SamplePoint> points() const;

 private:
  SamplePoint now() const;
  std::vector<std::uint64_t> new_pairs(const trace::Execution& execution);

  std::uint64_t samples_ = 0;
  std::uint64_t met_once_ = 0;                            // classes
  std::unordered_map<std::uint64_t, std::uint64_t> met_;  // by fingerprint: how often
  std::unordered_set<std::uint64_t> pairs_;               // by hash
  std::vector<std::uint32_t> last_write_;                 // by object, in the execution at hand
  std::vector<SamplePoint> points_;
};

}  // namespace heddle::explore
