// Slots in neighbouring lines of memory: to exchange what they hold makes another state.
// followed: 41 of 110
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct {
  long value;
  char padding[56];
} slot[2] __attribute__((aligned(128)));
static atomic_int x, turns;

static void *work(void *argument) {
  for (int i = 0; i < 3; ++i) atomic_fetch_add(&turns, 1);
  slot[(long)argument].value = atomic_fetch_add(&x, 1) + 3;
  atomic_fetch_add(&turns, 1);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; ++i) pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  assert(slot[0].value != 4);
  return 0;
}
