// A work-stealing deque whose owner forgets that the last task may be stolen while it takes it: the task runs twice.
// expect: assertion
// pre-emptions: 2
#include <array>
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>

// The owner pushes and takes at the bottom, thieves steal at the top (Chase and Lev).
class Deque {
 public:
  void push(int task) {
    const int bottom = bottom_;
    tasks_[bottom] = task;
    bottom_ = bottom + 1;
  }

  std::optional<int> take() {
    const int bottom = bottom_ - 1;
    bottom_ = bottom;
    int top = top_;
    if (top > bottom) {
      bottom_ = top;   // empty
      return std::nullopt;
    }
    return tasks_[bottom];
  }

  std::optional<int> steal() {
    int top = top_;
    if (top >= bottom_) return std::nullopt;
    const int task = tasks_[top];
    if (!top_.compare_exchange_strong(top, top + 1)) return std::nullopt;
    return task;
  }

 private:
  std::array<std::atomic<int>, 8> tasks_{};
  std::atomic<int> top_{0};
  std::atomic<int> bottom_{0};
};

Deque deque;
std::array<std::atomic<int>, 2> runs{};

void run(std::optional<int> task) {
  if (task) ++runs[*task];
}

int main() {
  deque.push(0);
  deque.push(1);
  std::thread thief([] { run(deque.steal()); });
  run(deque.take());
  run(deque.take());
  thief.join();
  assert(runs[0] == 1 && runs[1] == 1);
}
