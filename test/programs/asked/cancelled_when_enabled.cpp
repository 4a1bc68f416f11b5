// A request is kept while the thread is protected from it, and acted upon at the next cancellation point after that;
// destructors run.
// expect: --all none classes=4
// expect: --all --algorithm=exhaustive none classes=4
// expect: --all --algorithm=unfolding none
// expect: --all -D UNPROTECTED=1 assertion
#include <pthread.h>

#include <atomic>
#include <cassert>

static std::atomic<int> half, destroyed, steps;

struct Guard {
  ~Guard() { ++destroyed; }
};

static void* worker(void*) {
  Guard guard;
  int before;
#ifndef UNPROTECTED
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
#endif
  ++half;
  pthread_testcancel();
  ++half;
#ifndef UNPROTECTED
  pthread_setcancelstate(before, nullptr);
#endif
  (void)before;
  pthread_testcancel();
  ++steps;
  return nullptr;
}

int main() {
  pthread_t t;
  void* result;
  pthread_create(&t, nullptr, worker, nullptr);
  pthread_cancel(t);
  pthread_cancel(t);
  pthread_join(t, &result);
  assert(destroyed == 1);
  assert(half == 0 || half == 2);
  assert((steps == 0) == (result == PTHREAD_CANCELED));
}
