// A thousand threads, eight at a time, each adding once under a lock: too many orders to go through all, but every one can be
// run; without the lock the race is found.
// expect: --all --max-executions=20 inconclusive
// expect: --all --algorithm=random --max-executions=20 inconclusive
// expect: --all --algorithm=pct --max-executions=20 inconclusive
// expect: --all --algorithm=pos --max-executions=20 inconclusive
// expect: -D RACE=1 --algorithm=random --max-executions=20 data-race
#include <assert.h>
#include <pthread.h>

enum { kBatches = 125, kBatch = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void* add(void* argument) {
#ifdef RACE
  if (argument == 0)
#endif
    pthread_mutex_lock(&lock);
  ++count;
#ifdef RACE
  if (argument == 0)
#endif
    pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  for (int b = 0; b < kBatches; ++b) {
    pthread_t t[kBatch];
    for (long i = 0; i < kBatch; ++i) pthread_create(&t[i], 0, add, (void*)(i * (b == kBatches - 1)));
    for (int i = 0; i < kBatch; ++i) pthread_join(t[i], 0);
  }
  assert(count <= kBatches * kBatch);
  return 0;
}
