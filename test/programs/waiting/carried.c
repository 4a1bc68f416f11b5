// What a thread carries from turn to turn is all that it may still use: in registers, in memory of its own, in the frames of
// those who called it. Each of these loops looks once for every turn and then knows how often: four classes, as the flag may be
// set before any look or after up to three, which is where it gives up.
// expect: none classes=4
// expect: -D KIND=1 none classes=4
// expect: -D KIND=2 none classes=4
// expect: -D KIND=3 none classes=4
// expect: -D KIND=4 none classes=4
// expect: -D KIND=5 none classes=4
// expect: -D KIND=6 none classes=4
// expect: -D KIND=7 none classes=4
// expect: -D KIND=8 none classes=4
// algorithms: every
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifndef KIND
#define KIND 0
#endif

atomic_int flag;
int looks;

#define LOOK() atomic_load(&flag)
enum { kMost = 3 };

#if KIND == 0   // a local variable
static int wait(void) {
  int n = 0;
  while (n < kMost && !LOOK()) ++n;
  return n;
}
#elif KIND == 1   // one of the caller's, by an address that the callee gets
__attribute__((noinline)) static void count(int *n) {
  while (*n < kMost && !LOOK()) ++*n;
}
static int wait(void) {
  int n = 0;
  count(&n);
  return n;
}
#elif KIND == 2   // the same, inlined
__attribute__((always_inline)) static inline void count(int *n) {
  while (*n < kMost && !LOOK()) ++*n;
}
static int wait(void) {
  int n = 0;
  count(&n);
  return n;
}
#elif KIND == 3   // part of a structure, changed by a function
struct State {
  char other[20];
  int n;
};
__attribute__((noinline)) static void step(struct State *state) { ++state->n; }
static int wait(void) {
  struct State state = {{0}, 0};
  while (state.n < kMost && !LOOK()) step(&state);
  return state.n;
}
#elif KIND == 4   // floating point
static int wait(void) {
  double d = 0;
  long double l = 0;
  while (l < kMost && !LOOK()) {
    d += 0.5;
    l += 1;
  }
  assert(d * 2 == (double)l);
  return (int)l;
}
#elif KIND == 5   // on the heap
static int wait(void) {
  int *n = calloc(1, sizeof *n);
  while (*n < kMost && !LOOK()) ++*n;
  int result = *n;
  free(n);
  return result;
}
#elif KIND == 6   // of the thread
static _Thread_local int n;
static int wait(void) {
  while (n < kMost && !LOOK()) ++n;
  return n;
}
#elif KIND == 7   // a loop that the optimiser may write out three times
static int wait(void) {
  for (int n = 0; n < kMost; ++n)
    if (LOOK()) return n;
  return kMost;
}
#else   // a function that looks once, called again and again with the same arguments
static int once(atomic_int *place) {
  int found = 0;
  do found = atomic_load(place);
  while (0);
  return found;
}
static int wait(void) {
  char text[8] = "";
  while (strlen(text) < kMost && !once(&flag)) strcat(text, "x");
  return (int)strlen(text);
}
#endif

static void *waiter(void *argument) {
  looks = wait();
  return argument;
}

static void *setter(void *argument) {
  atomic_store(&flag, 1);
  return argument;
}

int main(void) {
  pthread_t w, s;
  pthread_create(&w, 0, waiter, 0);
  pthread_create(&s, 0, setter, 0);
  pthread_join(w, 0);
  pthread_join(s, 0);
  assert(looks >= 0 && looks <= kMost);
}
