// The process ends while threads are about to branch on an input. Which ways they could have gone instead is known, and
// every algorithm counts the same; so it is where one way excludes another (COMPARE) or an assumption is ahead (ASSUME).
// expect: --all exit-with-threads classes=30
// expect: --all --algorithm=source-dpor exit-with-threads classes=30
// expect: --all --algorithm=dpor exit-with-threads classes=30
// expect: --all --algorithm=race-flip exit-with-threads classes=30
// expect: --all --algorithm=exhaustive exit-with-threads classes=30
// expect: --all --algorithm=unfolding exit-with-threads
// expect: --all --algorithm=contextual-unfolding exit-with-threads
// expect: --all -D ASSUME=1 exit-with-threads classes=23
// expect: --all -D ASSUME=1 --algorithm=exhaustive exit-with-threads classes=23
// expect: --all -D COMPARE=1 exit-with-threads classes=139
// expect: --all -D COMPARE=1 --algorithm=source-dpor exit-with-threads classes=139
// configurations: one
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int level;
static int limit;

static void *raise(void *argument) {
  const int now = level;
#ifdef ASSUME
  heddle_assume(now <= limit);
  level = (int)(long)argument;
#else
  if (now <= limit) level = (int)(long)argument;
#endif
  return argument;
}

int main(void) {
  pthread_t threads[2];
  limit = heddle_input_int("limit");
  pthread_create(&threads[0], 0, raise, (void *)5);
  pthread_create(&threads[1], 0, raise, (void *)6);
#ifdef COMPARE
  if (limit == 5) return 0;
  level = 4;
#endif
  return 0;
}
