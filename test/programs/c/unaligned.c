// An access over a boundary of eight bytes is one access, of whatever size and however the others look at its parts.
// expect: --all --races=explore --algorithm=optimal-dpor classes=6 none
// expect: --all --races=explore --algorithm=source-dpor classes=6 none
// expect: --all --races=explore --algorithm=dpor classes=6 none
// expect: --all --races=explore --algorithm=exhaustive classes=6 none
// expect: --all --races=explore --algorithm=unfolding classes=6 none
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct __attribute__((packed, aligned(8))) record {
  char head[7];
  uint16_t pair;      // over the first boundary
  char gap[3];
  uint64_t number;    // over the second
};
static struct record r;
static atomic_int halves, torn;

static void* writer(void* a) {
  r.pair = 0x0202;
  r.number = 0x0101010101010101ull;
  return a;
}

static void* reader(void* a) {
  const volatile unsigned char* bytes = (const volatile unsigned char*)&r;
  if (bytes[7] != bytes[8]) atomic_fetch_add(&halves, 1);
  const uint64_t n = *(const volatile uint64_t*)((const char*)&r + 12);
  if (n != 0 && n != 0x0101010101010101ull) atomic_fetch_add(&torn, 1);
  return a;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, writer, 0);
  pthread_create(&u, 0, reader, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return torn != 0;
}
