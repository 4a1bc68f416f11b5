// Whether the detached thread gets to its store before the process ends is a matter of scheduling.
// expect: verdict=no-bug exhausted=1 classes=2
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int x;
static void* body(void* p) {
  atomic_store(&x, 1);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, body, NULL);
  pthread_detach(t);
  exit(0);
}
