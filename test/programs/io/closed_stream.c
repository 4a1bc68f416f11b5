// A stream is closed by one thread while the other prints to it.
// expect: --all use-after-free
#include <pthread.h>
#include <stdio.h>

static FILE *file;

static void *work(void *argument) {
  fprintf(file, "%d\n", 5);
  return argument;
}

int main(void) {
  file = fopen("/dev/null", "w");
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  fclose(file);
  pthread_join(t, 0);
  return 0;
}
