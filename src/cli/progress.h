// What happens while an exploration runs: a line of progress on a terminal, and Ctrl-C.
#pragma once

#include "explore/explorer.h"

namespace heddle::cli {

// On standard error: a line that changes on a terminal, now and then a plain line elsewhere (logs of continuous
// integration).
class ProgressLine {
 public:
  enum class Mode : std::uint8_t { kShown, kNone };
  // `seconds`: between plain lines; 0: none.
  ProgressLine(Mode mode, double seconds);
  void show(const explore::Progress& progress);
  void clear();

 private:
  bool terminal_;
  double between_;  // seconds; 0: never
  bool shown_ = false;
  double last_ = 0;  // seconds into the exploration
};

// While it lives, the first SIGINT or SIGTERM is a request to end; a second one kills.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  bool requested() const;
};

}  // namespace heddle::cli
