// The main thread frees the queue when the producer is done; a consumer may still look at it (as in pbzip2).
//
// bug: any
// run:
// run: -- -DCONSUMERS=4
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#ifndef CONSUMERS
#define CONSUMERS 2
#endif

struct Queue {
  std::mutex mutex;
  std::vector<int> blocks;
};

int main() {
  Queue* queue = new Queue;
  std::atomic<int> left = 3;
  std::vector<std::thread> consumers;
  for (int i = 0; i < CONSUMERS; ++i)
    consumers.emplace_back([&] {
      while (left > 0) {
        std::lock_guard lock(queue->mutex);
        if (queue->blocks.empty()) return;
        queue->blocks.pop_back();
        --left;
      }
    });
  for (int block = 0; block < 3; ++block) {
    std::lock_guard lock(queue->mutex);
    queue->blocks.push_back(block);
  }
  if (left == 0) delete queue;
  for (std::thread& t : consumers) t.join();
  if (left > 0) delete queue;
}
