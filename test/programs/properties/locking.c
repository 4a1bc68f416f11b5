// Kähkönen's locking, with properties: what can be seen of three variables that are written under one lock, and what only inside.
// expect: --never='a==1&&b==1&&!locked(m)' none
// expect: --never='a==1&&b==1' property
// expect: --always='c==0||c==5' none
// expect: --always='(a==0)==(b==0)' --when='!locked(m)' property
// expect: --reachable='held_by(m,T1)&&held_by(m,T2)' none
// expect: --reachable='a==2&&b==4&&ended(T1)&&!ended(T2)' reachable
// algorithms: source-dpor unfolding contextual-unfolding stateful stateful-unfolding
// configurations: one
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int a, b, c;
static volatile int seen;

static void group(void) {
  pthread_mutex_lock(&m);
  a = 1;
  b = 4;
  c = 5;
  seen = a;
  pthread_mutex_unlock(&m);
}

static void* first(void* unused) {
  group();
  pthread_mutex_lock(&m);
  a = 2;
  seen = c;
  pthread_mutex_unlock(&m);
  return unused;
}

static void* second(void* unused) {
  pthread_mutex_lock(&m);
  a = 3;
  seen = b;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  b = 1;
  a = 4;
  c = 5;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, NULL, first, NULL);
  pthread_create(&y, NULL, second, NULL);
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  return 0;
}
