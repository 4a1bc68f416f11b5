// One thread looks up an element that an input names while another writes one of them. Where all elements would be read as
// one term, the race is seen all the same, and only by the input that has it.
// expect: --all data-race assertion classes=5
// expect: --all --symbolic-reads=64 data-race assertion classes=5
// expect: --all --races=explore --symbolic-reads=64 classes=5 failed=1 assertion
// configurations: one
#include <heddle/heddle.h>
#include <pthread.h>

static int table[4] = {10, 20, 30, 40};

static void *writer(void *unused) {
  (void)unused;
  table[2] = 77;
  return 0;
}

int main(void) {
  unsigned i = heddle_input_uint("i");
  heddle_assume(i < 4);
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  int seen = table[i];
  pthread_join(thread, 0);
  heddle_assert(seen != 77);
  return 0;
}
