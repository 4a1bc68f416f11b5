// Every read-modify-write operation, also on a neighbour of fewer bytes in the same word: six pairs, and one thread twice
// against once.
// expect: classes=192 none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct { atomic_uchar low, high; } pair;
static atomic_int add = 10, sub = 10, and_ = 15, or_, xor_, swapped;

static void *work(void *argument) {
  const int id = argument != 0;
  atomic_fetch_add(&add, 1);
  atomic_fetch_sub(&sub, 1);
  atomic_fetch_and(&and_, id ? 7 : 14);
  atomic_fetch_or(&or_, id ? 1 : 2);
  atomic_fetch_xor(&xor_, 5);
  atomic_exchange(&swapped, id + 1);
  atomic_fetch_add(&pair.low, 200);
  atomic_fetch_add(id ? &pair.high : &pair.low, 0);   // one of them touches the neighbour
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, &first);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(add == 12 && sub == 8 && and_ == 6 && or_ == 3 && xor_ == 0 && (swapped == 1 || swapped == 2));
  assert(pair.low == (unsigned char)400 && pair.high == 0);
  return 0;
}
