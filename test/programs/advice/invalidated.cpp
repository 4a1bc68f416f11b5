// pattern: iterator invalidation
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
std::vector<int> numbers{1, 2, 3};

void grow() {
  std::lock_guard lock(mutex);
  numbers.push_back(4);
}

int& last() {
  std::lock_guard lock(mutex);
  return numbers.back();
}

// Each access is under the lock, but the reference outlives it.
int main() {
  std::thread other(grow);
  int& number = last();
  {
    std::lock_guard lock(mutex);
    number = 7;
  }
  other.join();
}
