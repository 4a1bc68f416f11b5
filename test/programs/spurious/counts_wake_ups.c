// A loop that looks again but does something else besides is not left alone: here it counts.
// expect: assertion
// expect: --spurious=off none
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static int ready, woken;

static int waits(void *argument) {
  mtx_lock(&mutex);
  while (!ready) {
    cnd_wait(&changed, &mutex);
    ++woken;
  }
  assert(woken <= 1);
  mtx_unlock(&mutex);
  return argument != 0;
}

int main(void) {
  thrd_t t;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&changed);
  thrd_create(&t, waits, 0);
  mtx_lock(&mutex);
  ready = 1;
  cnd_signal(&changed);
  mtx_unlock(&mutex);
  thrd_join(t, 0);
  return 0;
}
