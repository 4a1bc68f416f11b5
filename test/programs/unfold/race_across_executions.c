// Both threads write `data` only in a state that takes a certain order of theirs and of the others, and each of the two
// states can be covered in an execution that does not show the other. The race is there only when both are.
// expect: --all --algorithm=optimal-dpor data-race
// expect: --all --algorithm=unfolding data-race
// expect: --all --algorithm=contextual-unfolding data-race
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
int data;

static void *first(void *unused) {
  if (x == 1) data = 1;
  return unused;
}

static void *second(void *unused) {
  if (y == 1) data = 2;
  return unused;
}

static void *write_x(void *unused) {
  x = 1;
  return unused;
}

static void *write_y(void *unused) {
  y = 1;
  return unused;
}

int main(void) {
  void *(*bodies[])(void *) = {first, second, write_x, write_y};
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, bodies[i], NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  return 0;
}
