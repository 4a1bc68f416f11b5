// Locks that are held twice, tried, and held while others try. Attempts that fail ask for graphs, which follow nothing.
// followed: 12 of 30
// options: --memory=sc
#include <atomic>
#include <mutex>
#include <thread>

std::recursive_mutex outer;
std::mutex inner;
std::atomic<int> got{0};

void work() {
  outer.lock();
  if (inner.try_lock()) {
    ++got;
    inner.unlock();
  }
  std::lock_guard again(outer);
  outer.unlock();
  if (outer.try_lock()) outer.unlock();
}

int main() {
  std::thread a(work), b(work);
  for (int i = 0; i < 2; ++i) {
    inner.lock();
    inner.unlock();
  }
  a.join();
  b.join();
}
