// What main finds after the joins depends on the threads, through memory that no race makes visible: its joins are events.
// expect: --all --algorithm=optimal-dpor classes=2 assertion
// expect: --all --algorithm=unfolding executions=2 assertion
// expect: --all --algorithm=contextual-unfolding executions=2 assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static int result;

static void *look(void *unused) {
  if (flag == 1) result = 1;
  return unused;
}

static void *set(void *unused) {
  flag = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, look, NULL);
  pthread_create(&b, NULL, set, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(result == 0);
  return 0;
}
