// Each thread reads a file of its own; that both may be given the same number is no matter.
// expect: --all none classes=1 assumes=nothing
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void *work(void *argument) {
  char text[16];
  const int file = open("/etc/passwd", O_RDONLY);
  read(file, text, sizeof text);
  lseek(file, 0, SEEK_SET);
  read(file, text, sizeof text);
  close(file);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  return 0;
}
