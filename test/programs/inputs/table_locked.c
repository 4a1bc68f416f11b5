// A table that a lock guards is read as one term, in whose elements an input may be. With the writer second, nothing in it is
// 77: one class; with the writer first, two outcomes of the comparison.
// expect: --all classes=9 failed=1 assertion
// expect: --all --symbolic-reads=4 classes=3 failed=1 assertion
// configurations: one
#include <heddle/heddle.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int table[4] = {10, 20, 30, 40};
static int weight;

static void *writer(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  table[2] = weight;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  weight = heddle_input_int("weight");
  unsigned i = heddle_input_uint("i") & 3;
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  pthread_mutex_lock(&lock);
  int seen = table[i];
  pthread_mutex_unlock(&lock);
  heddle_assert(seen != 77);
  pthread_join(thread, 0);
  return 0;
}
