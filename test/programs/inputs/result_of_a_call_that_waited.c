// While a function of the runtime waits for its turn, another thread reads an input. Its term is no result of the function that
// waited. (It was taken for one that code without tracking had left behind, and the search was not called exhausted.)
// expect: --all classes=3 none
// expect: --all --algorithm=exhaustive classes=3 none
// configurations: one
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *reads(void *argument) {
  pthread_mutex_lock(&mutex);
  x = heddle_input_int("i");
  pthread_mutex_unlock(&mutex);
  return argument;
}

static void *tries(void *argument) {
  if (!pthread_mutex_trylock(&mutex)) pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, reads, 0);
  pthread_create(&b, 0, tries, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
