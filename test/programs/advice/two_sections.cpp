// pattern: check-then-act
// lines: 29 30
// data: stock.count_: 5 -> 5
// says: stock.count() is 5
#include <cassert>
#include <mutex>
#include <thread>

class Stock {
 public:
  int count() {
    std::lock_guard lock(mutex_);
    return count_;
  }
  void set_count(int count) {
    std::lock_guard lock(mutex_);
    count_ = count;
  }

 private:
  std::mutex mutex_;
  int count_ = 0;
};

int main() {
  Stock stock;
  // Both are locked, and yet what was found no longer holds when it is used.
  const auto add = [&] {
    int before = stock.count();
    stock.set_count(before + 5);
  };
  std::thread a(add), b(add);
  a.join();
  b.join();
  assert(stock.count() == 10);
}
