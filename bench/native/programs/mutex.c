// N threads lock and unlock one mutex K times: (N K)! / K!^N classes.
// expect: -D N=3 -D K=2 classes=90 none
// expect: -D N=4 -D K=2 classes=2520 none
// slow: -D N=3 -D K=4 classes=34650 none
// slow: -D N=4 -D K=3 classes=369600 none
#include "start.h"

#ifndef N
#define N 3
#endif
#ifndef K
#define K 2
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void work(int index) {
  (void)index;
  for (int i = 0; i < K; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
}

int main(void) {
  for (int i = 0; i < N; ++i) start_thread(work, i);
  join_all();
  return 0;
}
