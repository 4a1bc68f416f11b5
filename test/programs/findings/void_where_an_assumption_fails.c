// An execution in which an assumption fails is void, in whichever thread and whenever: before a failure or after it. What
// goes wrong in it is no finding (CASE 0: an assertion, 1: a deadlock, 2: a race, 3: a code to exit with). Where the process
// ends before the assumption is reached, or the failure also comes in an execution that counts, it is one (4, 5).
// expect: --all none classes=0
// expect: --all --algorithm=source-dpor none classes=0
// expect: --all --algorithm=dpor none classes=0
// expect: --all --algorithm=exhaustive none classes=0
// expect: --all --algorithm=unfolding none classes=0
// expect: --all --algorithm=contextual-unfolding none classes=0
// expect: --all -D CASE=1 none classes=0
// expect: --all -D CASE=2 none classes=0
// expect: --all -D CASE=3 none
// expect: --all -D CASE=3 --algorithm=exhaustive none
// expect: --all -D CASE=3 --algorithm=unfolding none
// expect: --all -D CASE=4 exit-code
// expect: --all -D CASE=4 --algorithm=exhaustive exit-code
// expect: --all -D CASE=4 --algorithm=unfolding exit-code
// expect: --all -D CASE=5 assertion classes=1 failed=1
// expect: --all -D CASE=5 --algorithm=race-flip assertion classes=1 failed=1
// expect: --all -D CASE=5 --algorithm=unfolding assertion
// expect: --all -D CASE=5 --algorithm=contextual-unfolding assertion
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef CASE
#define CASE 0
#endif

atomic_int flag, seen;   // not static: the optimiser would see that nobody writes to one of them
static int plain;
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

static void *assume(void *argument) {
  if (CASE == 2) plain = 1;
  if (CASE == 4) flag = 1;
  const int sees = CASE == 5 ? flag : seen;
  if (CASE == 3) flag = 1;
  heddle_assume(sees == (CASE == 5 ? 1 : 7));
  return argument;
}

static void *go_wrong(void *argument) {
  if (CASE == 0) assert(seen == 7);
  if (CASE == 1) {
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
  }
  if (CASE == 2) plain = 2;
  if ((CASE == 3 || CASE == 4) && flag == 1) exit(3);
  if (CASE == 5) {
    flag = 1;
    assert(seen == 7);
  }
  return argument;
}

static void *other_order(void *argument) {
  pthread_mutex_lock(&right);
  pthread_mutex_lock(&left);
  return argument;
}

int main(void) {
  pthread_t threads[3];
  int count = 2;
  pthread_create(&threads[0], 0, assume, 0);
  pthread_create(&threads[1], 0, go_wrong, 0);
  if (CASE == 1) pthread_create(&threads[count++], 0, other_order, 0);
  for (int i = 0; i < count; i++) pthread_join(threads[i], 0);
}
