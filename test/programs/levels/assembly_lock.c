// A spin lock by xchg and a flag by mov: data under them does not race.
// expect: --all none
// expect: --all --algorithm=unfolding none
// expect: --all --isolation=process none
// counts: spinning
#include <assert.h>
#include <pthread.h>

struct dummy { unsigned long v[10]; };   // operands may be of a larger type than what is accessed
static struct { int lock, flag, data, neighbour; } s;

static int exchange(int* p, int v) {
  __asm__ volatile("xchgl %0, %1" : "+r"(v), "+m"(*(struct dummy*)p) : : "memory");
  return v;
}
static int load(const int* p) {
  int v;
  __asm__ volatile("movl %1, %0" : "=r"(v) : "m"(*p) : "memory");
  return v;
}
static void store(int* p, int v) { __asm__ volatile("movl %1, %0" : "=m"(*p) : "r"(v) : "memory"); }

static void* increments(void* a) {
  while (exchange(&s.lock, 1)) __asm__ volatile("pause" : : : "memory");
  s.data++;
  store(&s.lock, 0);
  return a;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, increments, 0);
  s.neighbour = 1;   // beside the lock, and only main's
  increments(0);
  pthread_join(t, 0);
  __asm__ volatile("" : "+m"(s.data) : : "memory");   // a barrier for the compiler: no access
  assert(s.data == 2);
}
