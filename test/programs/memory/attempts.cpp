// A lock that another thread holds when it is tried: the attempt orders nothing, though every atomic operation is
// sequentially consistent. Who finds the lock held need not see what its holder wrote before. No interleaving shows it.
// expect: assertion stronger=nothing
// expect: --memory=sc none assumes=sequential-consistency
// expect: -D SEMAPHORE=1 assertion
// expect: -D TWICE=1 assertion
// expect: -D TAKEN=1 none classes=3 assumes=no-spurious-wake-ups
// expect: -D ALONE=1 none classes=1 assumes=no-spurious-wake-ups@59
#include <semaphore.h>

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::atomic<int> x{0};
std::mutex m, n;
sem_t s;

int main() {
#if defined(SEMAPHORE)
  sem_init(&s, 0, 1);
  std::thread holder([] {
    x.store(1);
    sem_wait(&s);
  });
  if (sem_trywait(&s) != 0)
    assert(x.load() == 1);
  else
    sem_post(&s);
#elif defined(TWICE)
  // No atomic operation at all: one lock is held, given back, and then the other one is held.
  std::thread holder([] {
    m.lock();
    m.unlock();
    n.lock();
    n.unlock();
  });
  const bool second = n.try_lock();
  const bool first = m.try_lock();
  assert(second || first);
  if (second) n.unlock();
  if (first) m.unlock();
#elif defined(TAKEN)
  // Who gets the lock is ordered behind who had it.
  static int guarded = 0;
  std::thread holder([] {
    m.lock();
    guarded = 1;
    m.unlock();
  });
  if (std::unique_lock<std::mutex> lock(m, std::try_to_lock); lock.owns_lock()) assert(guarded <= 1);
#elif defined(ALONE)
  // Nobody else wants it: only for no reason could the attempt fail.
  std::thread holder([] {
    m.lock();
    m.unlock();
  });
  std::unique_lock<std::mutex> lock(n, std::try_to_lock);
  assert(lock.owns_lock());
#else
  std::thread holder([] {
    x.store(1);
    m.lock();
    m.unlock();
  });
  if (!m.try_lock())
    assert(x.load() == 1);
  else
    m.unlock();
#endif
  holder.join();
}
