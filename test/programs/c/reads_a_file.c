// expect: none
// The position in a file is the kernel's, and in no checkpoint: two threads read on where the other stopped. Nobody closes it, so
// descriptors would run out.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static int file;
static atomic_int sum;

static void* reader(void* unused) {
  char two[2];
  atomic_fetch_add(&sum, 1);
  assert(read(file, two, 2) == 2);
  for (int i = 0; i < 2; ++i) atomic_fetch_add(&sum, two[i] == 0 ? 1 : 100);
  atomic_fetch_add(&sum, 1);
  return unused;
}

int main() {
  file = open("/dev/zero", O_RDONLY);
  assert(file >= 0 && file < 16);
  int text = open("/proc/self/stat", O_RDONLY);
  char digit;
  assert(read(text, &digit, 1) == 1 && digit >= '0' && digit <= '9');
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, reader, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  assert(sum == 8);
  assert(read(text, &digit, 1) == 1);
  assert(lseek(text, 0, SEEK_CUR) == 2);
}
