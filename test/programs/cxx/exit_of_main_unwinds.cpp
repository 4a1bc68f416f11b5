// The first thread leaves by pthread_exit, the next one by thrd_exit: their frames are left like those of any other.
// expect: none classes=1
#include <pthread.h>
#include <threads.h>

#include <atomic>
#include <cassert>

static std::atomic<int> destroyed{0};
static pthread_t first;

struct Counted {
  ~Counted() { ++destroyed; }
};

static int leaves(void *) {
  Counted a, b;
  thrd_exit(5);
}

static void *waits_for_main(void *) {
  pthread_join(first, nullptr);
  assert(destroyed == 3);
  return nullptr;
}

int main() {
  Counted c;
  thrd_t thread;
  int result = 0;
  thrd_create(&thread, leaves, nullptr);
  thrd_join(thread, &result);
  assert(result == 5 && destroyed == 2);
  first = pthread_self();
  pthread_t waiter;
  pthread_create(&waiter, nullptr, waits_for_main, nullptr);
  pthread_exit(nullptr);
}
