// expect: --all data-race findings=1 classes=2
// A race is met at whichever of its accesses comes second; both orders are the same race, however executions are run.
#include <pthread.h>

volatile int x;

static void *write_it(void *argument) {
  x = 1;
  return argument;
}

static void *read_it(void *argument) {
  int seen = x;
  return seen ? argument : 0;
}

int main(void) {
  pthread_t writer, reader;
  pthread_create(&writer, 0, write_it, 0);
  pthread_create(&reader, 0, read_it, 0);
  pthread_join(writer, 0);
  pthread_join(reader, 0);
  return 0;
}
