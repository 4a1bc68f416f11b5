// expect: error:a thread waits in a system call
// configurations: one
// A thread that waits for another one in the kernel would wait for ever: only one runs at a time.
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writes(void *argument) {
  write(ends[1], "x", 1);
  return argument;
}

int main(void) {
  char byte;
  pthread_t thread;
  pipe(ends);
  pthread_create(&thread, 0, writes, 0);
  read(ends[0], &byte, 1);
  pthread_join(thread, 0);
  return 0;
}
