// An unfolding beside the search of every class (strategies/auto_search.h). It has to see accesses that locks order and
// cannot follow known steps (sharing.h), so for it the same program has other steps: it is built by a process of its
// own, a copy of this one. That is no company for a second core: it works when it is told to, as much as it is told to,
// and sleeps otherwise, so that the same command does the same again. If it comes to an answer first, it is the copy
// that tells the supervisor, and this process only waits for its end.
#pragma once

#include <cstdint>
#include <functional>

#include "trace/execution.h"

namespace heddle::runtime {

// The end at which the work is done.
class Allowance {
 public:
  explicit Allowance(int socket) : socket_(socket) {}
  // Waits for more where what was granted is used up.
  void charge(std::uint64_t work);
  // For what is looked for between two executions: asked after every thousand choices or so.
  void charge_for_looking();
  // The last word: is there an answer?
  void conclude(bool answer);
  // Processor time of the search beside which it worked, in seconds.
  double cpu_seconds_beside() const { return cpu_seconds_; }

 private:
  void say(std::uint8_t state);

  int socket_;
  std::uint64_t granted_ = 0, done_ = 0, told_ = 0;
  double cpu_seconds_ = 0;
};

// The end that grants it.
class Beside {
 public:
  using Job = std::function<void(Allowance&)>;  // in the copy; does not return

  explicit Beside(Job job);
  ~Beside() { end(); }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  // Has it do so much work, and says how much it did. 0: it has given up. Does not return if it has an answer.
  std::uint64_t work(std::uint64_t granted);

 private:
  void begin();
  void end();
  void follow();

  Job job_;
  bool over_ = false;
  long pid_ = 0, owner_ = 0;
  int socket_ = -1;
  double began_ = 0;
  double cpu_began_;
};

}  // namespace heddle::runtime
