// Two threads write to a pipe: what the reader finds first is one or the other's.
// expect: --all assertion
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *put(void *argument) {
  assert(write(ends[1], argument, 1) == 1);
  return 0;
}

int main(void) {
  assert(pipe(ends) == 0);
  pthread_t a, b;
  pthread_create(&a, 0, put, "a");
  pthread_create(&b, 0, put, "b");
  char byte[2];
  assert(read(ends[0], byte, 1) == 1 && read(ends[0], byte + 1, 1) == 1);
  assert(byte[0] == 'a');
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
