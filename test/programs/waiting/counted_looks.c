// A loop that counts its looks: leaving it at each of the first turns is explored, and giving up. That it makes no difference at
// which of the others it is left is an assumption where somebody may look at the counter, and none where nobody can.
// expect: none classes=10 assumes=counting-loops@23
// expect: -D DEAD=1 none classes=10 assumes=nothing
// expect: -D USED=1 none classes=10 assumes=counting-loops@23
// expect: -D SEEN=1 --all assertion
// algorithms: every
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *set(void *argument) {
  atomic_store(&flag, 1);
  return argument;
}

static int turns;

static int wait_a_little(void) {
  for (int i = 0; i < 1000; ++i) {
    if (atomic_load(&flag)) {
#ifdef DEAD
      return 1;
#else
      turns = i;
      return 1;
#endif
    }
#ifdef USED   // in the loop itself
    assert(i != 999 || turns == 0);
#endif
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  wait_a_little();
  pthread_join(t, 0);
#ifdef SEEN
  assert(turns != 7);
#else
  assert(turns != 50);
#endif
  return 0;
}
