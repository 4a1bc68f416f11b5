// Kähkönen's writes: who wrote last is all there is to the end, and every combination of what has ended and what is there is met.
// expect: --never='x==1&&ended(T1)&&ended(T2)' none
// expect: --reachable='x==2&&ended(T1)&&ended(T2)' reachable
// expect: --never='x==1&&ended(T1)&&!ended(T2)' property
// expect: --always='x>=0&&x<=2' none
// algorithms: source-dpor unfolding contextual-unfolding stateful stateful-unfolding
// configurations: one
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void* writes(void* unused) {
  atomic_store(&x, 1);
  atomic_store(&x, 2);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writes, NULL);
  pthread_create(&b, NULL, writes, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
