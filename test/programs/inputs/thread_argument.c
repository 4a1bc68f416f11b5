// A number passed to a thread, and through a function pointer, keeps its term.
// expect: --all classes=3 failed=1 assertion
// configurations: one
#include <heddle/heddle.h>
#include <pthread.h>

static int twice(int n) { return 2 * n; }
static int (*volatile function)(int) = twice;

static void *run(void *argument) {
  const int n = (int)(long)argument;
  if (n > 3)
    if (function(n) == 20) heddle_fail("twenty");
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, (void *)(long)heddle_input("n", 16, 1));
  pthread_join(t, 0);
  return 0;
}
