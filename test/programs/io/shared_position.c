// Two threads go to a place in a file and read there, through one descriptor: each may read where the other has gone.
// expect: --all assertion
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;

static char at(long offset) {
  char byte = 0;
  lseek(file, offset, SEEK_SET);
  read(file, &byte, 1);
  return byte;
}

static void *work(void *argument) {
  at(5);
  return argument;
}

int main(void) {
  file = open("/etc/passwd", O_RDONLY);
  const char first = at(0);
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  const char again = at(0);
  pthread_join(t, 0);
  assert(first == again);
  return 0;
}
