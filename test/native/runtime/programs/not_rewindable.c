// The file offset of a descriptor survives rewinding: found out, and run in processes of their own instead.
// expect: verdict=no-bug exhausted=1
// gives: every execution runs in a process of its own
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int x;
static int fd = -1;

__attribute__((constructor)) static void before_main(void) {
  char name[] = "/tmp/heddle-test-XXXXXX";
  fd = mkstemp(name);
  unlink(name);
  if (write(fd, "ab", 2) != 2) abort();
  lseek(fd, 0, SEEK_SET);
}

static void* body(void* p) {
  atomic_store(&x, 1);
  return p;
}

int main(void) {
  char c = 0;
  pthread_t t;
  pthread_create(&t, NULL, body, NULL);
  if (read(fd, &c, 1) == 1 && c == 'a') atomic_load(&x);
  pthread_join(t, NULL);
  return 0;
}
