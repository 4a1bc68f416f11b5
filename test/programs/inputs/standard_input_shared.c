// Two threads read a character each: either may be first, and either may get what the bug needs. Per order three paths.
// expect: --all --symbolic-stdin=2 classes=6 failed=2 assertion
// configurations: one
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdio.h>

static int its;

static void *reader(void *unused) {
  its = getchar();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
  int mine = getchar();
  pthread_join(thread, 0);
  if (mine != 'a') return 0;
  if (its == 'b') heddle_fail("a and b");
  return 0;
}
