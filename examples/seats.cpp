// A hall keeps its seats and how many of them are taken. A cancellation gives the seat back under the lock, but counts after
// it: in between the hall is free to all and does not add up. No assertion of one thread would see it; the invariant is
// checked in every state.
// expect: property
// pre-emptions: 0
// algorithms: source-dpor unfolding contextual-unfolding stateful stateful-unfolding
#include <heddle/heddle.h>

#include <atomic>
#include <mutex>
#include <thread>

class Hall {
 public:
  void book(int seat, int guest) {
    std::lock_guard lock(mutex_);
    if (seats_[seat] != 0) return;
    seats_[seat] = guest;
    ++taken_;
  }
  void cancel(int seat) {
    {
      std::lock_guard lock(mutex_);
      if (seats_[seat] == 0) return;
      seats_[seat] = 0;
    }
    --taken_;
  }

 private:
  std::mutex mutex_;
  int seats_[2] = {0, 0};
  std::atomic<int> taken_{0};
};

Hall hall;

HEDDLE_INVARIANT(locked(hall.mutex_) || hall.taken_ == (hall.seats_[0] != 0) + (hall.seats_[1] != 0));

int main() {
  std::thread first([] {
    hall.book(0, 1);
    hall.cancel(0);
  });
  std::thread second([] { hall.book(1, 2); });
  first.join();
  second.join();
}
