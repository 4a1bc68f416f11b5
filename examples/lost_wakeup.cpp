// The flag is atomic, so the producer sets it without the mutex, and its notification falls between the consumer's check
// and the consumer's wait. Nobody notifies again.
// expect: deadlock
// pre-emptions: 1
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable arrived;
std::atomic<bool> ready{false};

void consume() {
  std::unique_lock lock(mutex);
  while (!ready) arrived.wait(lock);
}

void produce() {
  ready = true;
  arrived.notify_one();
}

int main() {
  std::thread consumer(consume);
  std::thread producer(produce);
  consumer.join();
  producer.join();
}
