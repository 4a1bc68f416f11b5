// The same bytes as one atomic, as two, and as plain memory.
// expect: --all --races=explore --algorithm=optimal-dpor classes=30 none
// expect: --all --races=explore --algorithm=source-dpor classes=30 none
// expect: --all --races=explore --algorithm=dpor classes=30 none
// expect: --all --races=explore --algorithm=exhaustive classes=30 none
// expect: --all --races=explore --algorithm=unfolding classes=30 none
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
  _Atomic uint64_t whole;
  _Atomic uint32_t half[2];
  _Atomic uint16_t quarter[4];
} u;

static void* whole(void* a) {
  atomic_store(&u.whole, 0x0000000200000001ull);
  uint64_t expected = 3;
  atomic_compare_exchange_strong(&u.whole, &expected, 0);
  return a;
}

static void* parts(void* a) {
  atomic_fetch_add(&u.half[0], 1);
  atomic_load(&u.quarter[2]);
  return a;
}

int main(void) {
  pthread_t t, v;
  pthread_create(&t, 0, whole, 0);
  pthread_create(&v, 0, parts, 0);
  atomic_store(&u.half[1], 0);
  pthread_join(t, 0);
  pthread_join(v, 0);
}
