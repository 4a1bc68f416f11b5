// A write to memory that another thread has freed, both under one lock. Whatever a write overwrites, the net foretells where it
// leads; so the order must be run because the failure lies in it.
// expect: --all --algorithm=optimal-dpor use-after-free classes=2
// expect: --all --algorithm=stateful use-after-free findings=1
// expect: --all --algorithm=stateful-unfolding use-after-free findings=1
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int* block;

static void* writes(void* unused) {
  pthread_mutex_lock(&m);
  *block = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

static void* frees(void* unused) {
  pthread_mutex_lock(&m);
  free(block);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  block = malloc(sizeof *block);
  *block = 0;
  pthread_create(&a, NULL, writes, NULL);
  pthread_create(&b, NULL, frees, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
