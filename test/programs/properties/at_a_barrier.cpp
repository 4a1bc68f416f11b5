// A thread that waits at a barrier is there until the last one comes, also if it goes on later.
// expect: --never='in(T1,at_a_barrier.cpp:19)&&in(T2,at_a_barrier.cpp:17)' none
// expect: --reachable='in(T1,at_a_barrier.cpp:18)&&in(T2,at_a_barrier.cpp:17)' reachable
// expect: --reachable='in(T1,at_a_barrier.cpp:19)&&in(T2,at_a_barrier.cpp:19)' reachable
// expect: --reachable='after==2&&in(T1,at_a_barrier.cpp:18)' none
// counts: optimiser
// algorithms: source-dpor dpor unfolding contextual-unfolding stateful stateful-unfolding
#include <pthread.h>

#include <atomic>
#include <thread>

std::atomic<int> before, after;
pthread_barrier_t barrier;

void work() {
  before.fetch_add(1);
  pthread_barrier_wait(&barrier);
  after.fetch_add(1);
}

int main() {
  pthread_barrier_init(&barrier, nullptr, 2);
  std::thread first(work), second(work);
  first.join();
  second.join();
}
