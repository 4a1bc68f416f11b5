// What moves to memory and does no more is at most a release, and on the machine a later look may come before it: no bug
// is found under sequential consistency, and the verdict says so. With a locked instruction nothing is weaker.
// expect: none assumes=sequential-consistency@16,18,30,32
// expect: -D LOCKED=1 none assumes=nothing
// exempt: gcc
#include <assert.h>
#include <pthread.h>
static int x, y, a, b;
static void *one(void *p) {
#ifdef LOCKED
  int old = 1;
  __asm__ volatile("lock xchgl %1, %0" : "+m"(x), "+r"(old) : : "memory");
  old = 0;
  __asm__ volatile("lock xaddl %1, %0" : "+m"(y), "+r"(old) : : "memory");
#else
  __asm__ volatile("movl $1, %0" : "=m"(x) : : "memory");
  int old;
  __asm__ volatile("movl %1, %0" : "=r"(old) : "m"(y) : "memory");
#endif
  a = old;
  return p;
}
static void *other(void *p) {
#ifdef LOCKED
  int old = 1;
  __asm__ volatile("lock xchgl %1, %0" : "+m"(y), "+r"(old) : : "memory");
  old = 0;
  __asm__ volatile("lock xaddl %1, %0" : "+m"(x), "+r"(old) : : "memory");
#else
  __asm__ volatile("movl $1, %0" : "=m"(y) : : "memory");
  int old;
  __asm__ volatile("movl %1, %0" : "=r"(old) : "m"(x) : "memory");
#endif
  b = old;
  return p;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, other, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a + b > 0);
  return 0;
}
