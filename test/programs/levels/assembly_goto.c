// Assembly that goes on elsewhere.
// expect: --all --algorithm=optimal-dpor classes=2 none
// expect: --all --algorithm=source-dpor classes=2 none
// expect: --all --algorithm=exhaustive classes=2 none
// expect: --all --algorithm=unfolding classes=2 none
#include <pthread.h>

static int count = 2, last;

static int is_last(void) {
  __asm__ goto("lock; decl %0\n\tjz %l1" : : "m"(count) : "memory", "cc" : zero);
  return 0;
zero:
  return 1;
}

static void* leave(void* a) {
  if (is_last()) last++;
  return a;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, leave, 0);
  pthread_create(&u, 0, leave, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return last != 1;
}
