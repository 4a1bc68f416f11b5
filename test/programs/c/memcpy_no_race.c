// Ranges that only touch do not overlap; neither do the bytes of one word.
// expect: none
#include <pthread.h>
#include <string.h>

char shared[64], copy[64];
struct { char a; char b; short c; int d; } word;

static void *copy_out(void *argument) {
  memcpy(copy, shared, 32);
  word.a = 1;
  word.c = 2;
  return argument;
}

static void *write_one(void *argument) {
  memset(shared + 32, 1, 32);
  word.b = 1;
  word.d = 3;
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, copy_out, 0);
  pthread_create(&second, 0, write_one, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
