// More threads at once than there are ids is said in clear words.
// expect: error:more than 127 threads besides main at once
#include <pthread.h>

static void* nothing(void* argument) { return argument; }

int main(void) {
  pthread_t t[150];
  for (int i = 0; i < 150; ++i) pthread_create(&t[i], 0, nothing, 0);
  for (int i = 0; i < 150; ++i) pthread_join(t[i], 0);
  return 0;
}
