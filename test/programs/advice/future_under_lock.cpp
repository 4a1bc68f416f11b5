// pattern: wait with a lock held
// lines: 20 21
#include <future>
#include <mutex>
#include <thread>

std::mutex mutex;
std::promise<int> answer;

void compute() {
  std::lock_guard lock(mutex);
  answer.set_value(42);
}

// Nobody can compute the answer while it is being waited for.
int main() {
  std::thread other(compute);
  int result = 0;
  {
    std::lock_guard lock(mutex);
    result = answer.get_future().get();
  }
  other.join();
  return result == 42 ? 0 : 1;
}
