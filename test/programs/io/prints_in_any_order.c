// What is printed has no order that the program could tell: to the standard streams, to a file, to a log under a lock.
// expect: --all none classes=1 assumes=nothing
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static FILE *log_file;
static int raw;

static void *work(void *argument) {
  printf("%s\n", (const char *)argument);
  fputs("out\n", stderr);
  fprintf(log_file, "%s\n", (const char *)argument);
  write(raw, "line\n", 5);
  write(1, "line\n", 5);
  return argument;
}

int main(void) {
  log_file = fopen("/dev/null", "a");
  raw = open("/dev/null", O_WRONLY | O_APPEND);
  pthread_t a, b;
  pthread_create(&a, 0, work, "a");
  pthread_create(&b, 0, work, "b");
  pthread_join(a, 0);
  pthread_join(b, 0);
  fclose(log_file);
  close(raw);
  return 0;
}
