// Functions that only read read all the same if nobody uses what they return: those of the C library, and one's own.
// expect: -D CASE=1 data-race
// expect: -D CASE=2 data-race
// expect: -D CASE=3 data-race
#include <pthread.h>
#include <string.h>

static char name[8] = "HOME";

__attribute__((pure, noinline)) static int third(void) { return name[2]; }

static void *change(void *argument) {
  name[2] = 'X';
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, change, 0);
#if CASE == 1
  strcmp(name, "HOMER");
#elif CASE == 2
  memcmp(name, "HOMER", 5);
#else
  third();
#endif
  pthread_join(thread, 0);
  return third() == 0;
}
