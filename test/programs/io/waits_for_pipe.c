// Who reads from an empty pipe waits until the other thread writes, like at a semaphore.
// expect: --all none assumes=nothing
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int there[2], back[2];

static void *answer(void *argument) {
  char byte;
  assert(read(there[0], &byte, 1) == 1);
  ++byte;
  assert(write(back[1], &byte, 1) == 1);
  return argument;
}

int main(void) {
  assert(pipe(there) == 0 && pipe(back) == 0);
  pthread_t t;
  pthread_create(&t, 0, answer, 0);
  char byte = 'a';
  assert(write(there[1], &byte, 1) == 1);
  assert(read(back[0], &byte, 1) == 1 && byte == 'b');
  pthread_join(t, 0);
  return 0;
}
