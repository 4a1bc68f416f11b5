// pattern: lock upgrade
// lines: 14
#include <pthread.h>

#include <thread>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int value = 0;

// Looks as a reader and writes as a writer without letting go: two of them wait for each other.
void once() {
  pthread_rwlock_rdlock(&lock);
  if (value == 0) {
    pthread_rwlock_wrlock(&lock);
    value = 1;
    pthread_rwlock_unlock(&lock);
  }
  pthread_rwlock_unlock(&lock);
}

int main() {
  std::thread other(once);
  once();
  other.join();
}
