// A loop that reads a file under a lock, with equal lines: what the C library keeps of the file is no part of memory, but
// every turn goes on in it.
// expect: --all none
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add_large_ones(void *argument) {
  FILE *file = tmpfile();
  assert(file);
  fputs("1\n1\n1\n1\n101\n", file);
  rewind(file);
  char line[64];
  while (fgets(line, sizeof line, file)) {
    int value = 0;
    sscanf(line, "%d", &value);
    pthread_mutex_lock(&lock);
    if (value > 100) sum += value;
    pthread_mutex_unlock(&lock);
  }
  fclose(file);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add_large_ones, 0);
  add_large_ones(0);
  pthread_join(t, 0);
  assert(sum == 202);
  return 0;
}
