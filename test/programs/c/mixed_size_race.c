// A write of eight bytes and a read of one byte inside.
// expect: data-race
#include <pthread.h>
#include <stdint.h>

union { uint64_t whole; uint8_t bytes[8]; } word;
uint8_t seen;

static void *write_whole(void *argument) {
  word.whole = ~(uint64_t)0;
  return argument;
}

static void *read_byte(void *argument) {
  seen = word.bytes[5];
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, write_whole, 0);
  pthread_create(&second, 0, read_byte, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
