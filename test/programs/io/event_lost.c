// Two events may be read as one: who counts on two reads waits for ever.
// expect: --all deadlock
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int event;

static void *work(void *argument) {
  eventfd_t count;
  eventfd_read(event, &count);
  eventfd_read(event, &count);
  return argument;
}

int main(void) {
  event = eventfd(0, 0);
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  eventfd_write(event, 1);
  eventfd_write(event, 1);
  pthread_join(t, 0);
  return 0;
}
