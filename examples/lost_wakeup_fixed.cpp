// The flag changes under the mutex, so it cannot change between the check and the wait.
// expect: none
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable arrived;
bool ready = false;

void consume() {
  std::unique_lock lock(mutex);
  arrived.wait(lock, [] { return ready; });
}

void produce() {
  {
    std::lock_guard lock(mutex);
    ready = true;
  }
  arrived.notify_one();
}

int main() {
  std::thread consumer(consume);
  std::thread producer(produce);
  consumer.join();
  producer.join();
}
