// C11's own threads, mutexes, conditions, storage and call_once.
// expect: none
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t storage;
int ready, initialised;

static void initialise(void) { ++initialised; }

static int consume(void *argument) {
  call_once(&once, initialise);
  tss_set(storage, argument);
  mtx_lock(&mutex);
  while (!ready) cnd_wait(&changed, &mutex);
  mtx_unlock(&mutex);
  return tss_get(storage) == argument ? 5 : 0;
}

static int produce(void *argument) {
  call_once(&once, initialise);
  mtx_lock(&mutex);
  ready = 1;
  cnd_signal(&changed);
  mtx_unlock(&mutex);
  (void)argument;
  return 6;
}

int main(void) {
  int results[2] = {0, 0};
  thrd_t consumer, producer;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&changed);
  tss_create(&storage, 0);
  thrd_create(&consumer, consume, &results);
  thrd_create(&producer, produce, 0);
  thrd_join(consumer, &results[0]);
  thrd_join(producer, &results[1]);
  assert(results[0] == 5 && results[1] == 6 && initialised == 1);
  return 0;
}
