// A value with a term where another thread compares and swaps: the value is taken as it is, and the search is not called
// exhausted.
// expect: --all classes=4 inconclusive
// expect: --all --isolation=process classes=4 inconclusive
// configurations: one
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int cell;

static void *swap(void *argument) {
  int expected = 0;
  atomic_compare_exchange_strong(&cell, &expected, 7);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, swap, 0);
  const int n = heddle_input_int("n");
  volatile int large = 0;
  if (n > 10) large = 1;
  atomic_store(&cell, n);
  pthread_join(t, 0);
  return 0;
}
