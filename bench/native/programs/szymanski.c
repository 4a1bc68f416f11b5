// Szymanski's mutual exclusion for two threads, with bounded waiting loops. The default is szymanski 1.
// expect: classes=65138 none
// slow: -D K1=4 -D K4=4 classes=82008 none
// slow: -D K1=5 -D K2=4 -D K3=4 -D K4=5 classes=132532 none
#include <stdatomic.h>

#include "start.h"

#ifndef K1
#define K1 3
#endif
#ifndef K2
#define K2 3
#endif
#ifndef K3
#define K3 3
#endif
#ifndef K4
#define K4 3
#endif

atomic_int flag[2];
atomic_int x;

static void process(int index) {
  atomic_int *own = &flag[index];
  atomic_int *other = &flag[1 - index];
  int it = 0;
  *own = 1;
  while (*other >= 3 && it < K1) ++it;
  *own = 3;
  if (*other == 1) {
    *own = 2;
    while (*other != 4 && it < K2) ++it;
  }
  *own = 4;
  while (*other >= 2 && it < K3) ++it;
  x = index;
  (void)atomic_load(&x);
  while (*other >= 2 && *other <= 3 && it < K4) ++it;
  *own = 0;
}

int main(void) {
  start_thread(process, 0);
  start_thread(process, 1);
  join_all();
  return 0;
}
