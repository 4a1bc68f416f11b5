// A handshake: each waits for the other in turn. The bug: both wait first.
// expect: none classes=1
// expect: -D BUG=1 livelock
// algorithms: every
#include "together.h"

atomic_int asked, answered;
int question, answer;

static void *ask(void *argument) {
#ifndef BUG
  question = 6;
  atomic_store(&asked, 1);
#endif
  while (!atomic_load(&answered)) {
  }
#ifdef BUG
  atomic_store(&asked, 1);
#endif
  assert(answer == 42);
  return argument;
}

static void *reply(void *argument) {
  while (!atomic_load(&asked)) {
  }
  answer = 7 * question;
  atomic_store(&answered, 1);
  return argument;
}

int main(void) {
  both(ask, reply);
}
