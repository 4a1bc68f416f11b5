// expect: none
// counts: spinning
// What threads share is a local of main's, and main is left as soon as its waiting loop repeats itself: its stack belongs to
// the states that later executions begin at.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct shared {
  atomic_int sum, done;
};

static void* add(void* argument) {
  struct shared* s = argument;
  for (int i = 0; i < 2; ++i) {
    int before = atomic_fetch_add(&s->sum, 1);
    assert(before < 6);
  }
  atomic_fetch_add(&s->done, 1);
  return 0;
}

int main() {
  struct shared s = {0, 0};
  pthread_t t[3];
  for (int i = 0; i < 3; ++i) pthread_create(&t[i], 0, add, &s);
  while (atomic_load(&s.done) < 3) {
  }
  assert(atomic_load(&s.sum) == 6);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
}
