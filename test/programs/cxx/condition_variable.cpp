// A bounded buffer of one with two producers and one consumer.
// expect: none
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

std::mutex mutex;
std::condition_variable not_full, not_empty;
std::optional<int> slot;

void put(int value) {
  std::unique_lock lock(mutex);
  not_full.wait(lock, [] { return !slot; });
  slot = value;
  not_empty.notify_one();
}

int take() {
  std::unique_lock lock(mutex);
  not_empty.wait(lock, [] { return slot.has_value(); });
  const int value = *slot;
  slot.reset();
  not_full.notify_one();
  return value;
}

int main() {
  std::thread a(put, 1);
  std::thread b(put, 2);
  const int first = take(), second = take();
  a.join();
  b.join();
  assert(first + second == 3 && !slot);
}
