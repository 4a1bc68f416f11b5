// Memory that was mapped before main is not rewound: found out, and run in processes of their own instead.
// expect: verdict=no-bug exhausted=1
// gives: every execution runs in a process of its own
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

static atomic_int x;
static int* executions;

__attribute__((constructor)) static void before_main(void) {
  executions = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void* body(void* p) {
  atomic_store(&x, 1);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, body, NULL);
  if ((*executions)++ == 0) atomic_load(&x);
  pthread_join(t, NULL);
  return 0;
}
