// A flag that is only volatile, explored as if it were atomic. The bug: it is raised before the data are there.
// expect: --races=explore none classes=1
// expect: --races=explore -D BUG=1 assertion
// algorithms: every
#include "together.h"

volatile int flag;
volatile int data;

static void *raise_it(void *argument) {
#ifdef BUG
  flag = 1;
  data = 1;
#else
  data = 1;
  flag = 1;
#endif
  return argument;
}

static void *wait_for_it(void *argument) {
  while (!flag) {
  }
  assert(data == 1);
  return argument;
}

int main(void) {
  both(wait_for_it, raise_it);
}
