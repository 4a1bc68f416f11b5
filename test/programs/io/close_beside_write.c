// A descriptor is closed by one thread while the other writes to it.
// expect: --all assertion
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;

static void *work(void *argument) {
  close(file);
  return argument;
}

int main(void) {
  file = open("/dev/null", O_WRONLY);
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  assert(write(file, "x", 1) == 1);
  pthread_join(t, 0);
  return 0;
}
