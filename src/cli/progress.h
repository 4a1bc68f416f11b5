// What happens while an exploration runs: a line of progress on a terminal, and Ctrl-C.
#pragma once

#include "explore/explorer.h"

namespace heddle::cli {

// Shown on standard error, and only if that is a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  void show(const explore::Progress& progress);
  void clear();

 private:
  bool on_;
  bool shown_ = false;
  double last_ = 0;   // seconds into the exploration
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
