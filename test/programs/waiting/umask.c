// A loop that counts in the mask of new files, which the kernel keeps.
// expect: --all assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

static atomic_int done;

static int mask(void) {
  const int now = (int)umask(0);
  umask((mode_t)now);
  return now;
}

static void *count(void *argument) {
  umask(1);
  while (!done) {
    umask((mode_t)mask() + 1);
    if (mask() == 3) break;
  }
  assert(mask() != 3);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, count, 0);
  done = 1;
  pthread_join(t, 0);
  return 0;
}
