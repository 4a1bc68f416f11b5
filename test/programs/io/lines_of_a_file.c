// Two threads read lines from one stream: either may have the first.
// expect: --all assertion
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static FILE *file;

static void *take(void *argument) {
  fgets(argument, 16, file);
  return 0;
}

int main(void) {
  static char text[] = "one\ntwo\n", first[16], second[16];
  file = fmemopen(text, sizeof text - 1, "r");
  pthread_t t;
  pthread_create(&t, 0, take, first);
  take(second);
  pthread_join(t, 0);
  assert(strcmp(first, "one\n") == 0);
  fclose(file);
  return 0;
}
