// expect: none
// What is in a pipe is in no checkpoint. Each thread takes a byte out of it; both are filled in before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static int ends[2];
static atomic_int sum, order;

static void* take(void* unused) {
  char byte = 0;
  atomic_fetch_add(&order, 1);
  assert(read(ends[0], &byte, 1) == 1);
  atomic_fetch_add(&sum, byte);
  atomic_fetch_add(&order, 1);
  return unused;
}

int main() {
  assert(pipe(ends) == 0 && ends[1] < 16);
  assert(write(ends[1], "\x01\x02\x04", 3) == 3);
  pthread_t t[3];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, take, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  assert(sum == 3);
}
