// Atomics of one, two, four and eight bytes: each pair of increments comes in two orders.
// expect: classes=16 none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uchar a;
static atomic_ushort b;
static atomic_uint c;
static atomic_ullong d;

static void *work(void *argument) {
  ++a;
  ++b;
  ++c;
  d += (unsigned long long)1 << 40;
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(a == 2 && b == 2 && c == 2 && d == (unsigned long long)2 << 40);
  return 0;
}
