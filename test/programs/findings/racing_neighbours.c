// Variables that race and lie within the same eight bytes are findings of their own; the first one hid the others.
// expect: --all data-race findings=5
#include <pthread.h>

static _Alignas(8) struct {
  int a, b;
  short c, d;
  char e;
} shared;

static void* store(void* unused) {
  shared.a = 1;
  shared.b = 1;
  shared.c = 1;
  shared.d = 1;
  shared.e = 1;
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, store, 0);
  store(0);
  pthread_join(other, 0);
  return 0;
}
