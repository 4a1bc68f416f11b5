// Memory that no operand names: done, but the result says that it was not looked at.
// expect: --all inconclusive
// expect: --all -D STRING=1 inconclusive
// expect: --all -D PLAIN=1 data-race
#include <pthread.h>

static int x;
static char buffer[16];

static void* writes(void* a) {
#if defined STRING
  void* to = buffer;
  unsigned long n = sizeof buffer;
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(1) : "memory");
#elif defined PLAIN
  __asm__ volatile("incl %0" : "+m"(x) : : "cc");
#else
  __asm__ volatile("movl $1, (%0)" : : "r"(&x) : "memory");
#endif
  return a;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writes, 0);
#ifdef PLAIN
  x = 1;
#endif
  pthread_join(t, 0);
  return 0;
}
