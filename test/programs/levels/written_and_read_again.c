// Two reads of one place are two reads, and a store that is overwritten at once can be seen.
// expect: --all --races=explore assertion
// expect: --all data-race assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int x, sum, never_read;
static int hidden;
atomic_int seen;

static void* writer(void* a) {
  x = 1;
  x = 2;
  hidden = 5;
  hidden = 0;
  never_read = 1;
  return a;
}

static void* reader(void* a) {
  sum = x + x;
  if (hidden != 0) atomic_fetch_add(&seen, 1);
  for (int i = 0; i < 2; ++i) sum += x;
  return a;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, writer, 0);
  pthread_create(&u, 0, reader, 0);
  never_read = 2;
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(sum != 1 + 2 + 2 + 2);
  assert(seen == 0);
}
