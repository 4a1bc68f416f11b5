// Kähkönen's fib: how far two sums can get by reading each other. With K rounds the Fibonacci number 2K + 2 is reachable, no more.
// expect: -D K=2 --reachable='i==8||j==8' reachable
// expect: -D K=2 --reachable='i>8||j>8' none
// expect: -D K=3 --reachable='i==21||j==21' reachable
// expect: -D K=2 --never='i==3&&j==1&&ended(T1)' property
// algorithms: source-dpor unfolding contextual-unfolding stateful stateful-unfolding
// configurations: one
#include <pthread.h>
#include <stdatomic.h>

atomic_int i = 1, j = 1;

static void* first(void* unused) {
  for (int k = 0; k < K; ++k) i = i + j;
  return unused;
}

static void* second(void* unused) {
  for (int k = 0; k < K; ++k) j = j + i;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
