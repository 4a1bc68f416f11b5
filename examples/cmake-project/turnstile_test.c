#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int inside;

static void* enter(void* unused) {
  (void)unused;
  atomic_fetch_add(&inside, 1);
  return NULL;
}

// The argument is the number of visitors.
int main(int argc, char** argv) {
  enum { kMost = 16 };
  pthread_t visitors[kMost];
  const int count = argc > 1 ? atoi(argv[1]) : 2;
  assert(count >= 0 && count <= kMost);
  for (int i = 0; i < count; ++i) pthread_create(&visitors[i], NULL, enter, NULL);
  for (int i = 0; i < count; ++i) pthread_join(visitors[i], NULL);
  assert(inside == count);
  return 0;
}
