// Flanagan and Godefroid's indexer: each thread inserts four values into a hash table by compare-and-swap with linear
// probing. Conflicts begin with 12 threads.
// expect: -D N=12 classes=8 none
// expect: -D N=13 classes=64 none
// expect: -D N=15 classes=4096 none
#include <stdatomic.h>

#include "start.h"

#ifndef N
#define N 12
#endif
enum { SIZE = 128, INSERTS = 4 };

static atomic_int table[SIZE];

static void insert(int index) {
  for (int m = 1; m <= INSERTS; ++m) {
    const int w = m * 11 + index;
    int h = w * 7 % SIZE;
    for (;;) {
      int expected = 0;
      if (atomic_compare_exchange_strong(&table[h], &expected, w)) break;
      h = (h + 1) % SIZE;
    }
  }
}

int main(void) {
  for (int i = 0; i < N; ++i) start_thread(insert, i);
  join_all();
  return 0;
}
