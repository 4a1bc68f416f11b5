// expect: -D N=2 --all data-race
// expect: --all --races=ignore none
// exempt: gcc
// main has returned, and its process is about to end; a thread that it has detached still writes to its locals, as another does to
// those of a thread whose destructors run. That is wrong; if nobody asks for races, nothing comes of it: the frames stay until the end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N   /* to smash a frame; each is a place that races with its end */
#define N 40
#endif
static pthread_key_t key;
static atomic_int turn;

static void *write_there(void *argument) {
  for (int i = 0; i < N; ++i) atomic_store(&((atomic_long *)argument)[i], 0x4141414141);
  return argument;
}

static void at_end(void *value) {
  atomic_fetch_add(&turn, 1);
  atomic_fetch_add((atomic_int *)value, 1);
}

static void *returns(void *unused) {
  atomic_long local[N];
  for (int i = 0; i < N; ++i) local[i] = i;
  pthread_t t;
  pthread_setspecific(key, &turn);
  pthread_create(&t, 0, write_there, local);
  pthread_detach(t);
  return unused;
}

int main(void) {
  atomic_long local[N];
  for (int i = 0; i < N; ++i) local[i] = i;
  pthread_key_create(&key, at_end);
  pthread_t t;
  pthread_create(&t, 0, returns, 0);
  pthread_join(t, 0);
  assert(turn == 2);
  pthread_create(&t, 0, write_there, local);
  pthread_detach(t);
  return 0;
}
