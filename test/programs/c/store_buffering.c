// Each writes its own and reads the other's: under sequential consistency both cannot read nothing.
// expect: classes=3 none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
int seen_x, seen_y;

static void *left(void *argument) {
  x = 1;
  seen_y = y;
  return argument;
}

static void *right(void *argument) {
  y = 1;
  seen_x = x;
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, left, 0);
  pthread_create(&second, 0, right, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(seen_x || seen_y);
  return 0;
}
