// `catch (...)` around pthread_exit that does not rethrow: the C library aborts the program.
// expect: abort
// expect: --all abort findings=1 failed=1
#include <pthread.h>

static void *thread(void *) {
  try {
    pthread_exit(nullptr);
  } catch (...) {
  }
  return nullptr;
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, thread, nullptr);
  pthread_join(t, nullptr);
}
