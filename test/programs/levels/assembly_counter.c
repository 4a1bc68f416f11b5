// Assembly with operands in memory, as libraries of atomics have it: a lost update by loads and stores, none by lock xadd.
// A load that finds nothing new and stores that are read elsewhere are steps as those of atomics are.
// expect: --all --algorithm=optimal-dpor classes=8 none
// expect: --all --algorithm=source-dpor classes=8 none
// expect: --all --algorithm=exhaustive classes=8 none
// expect: --all --algorithm=unfolding classes=8 none
// expect: --all -D LOST=1 assertion
#include <assert.h>
#include <pthread.h>

static int loaded, added, compared;

static int load(const int* p) {
  int v;
  __asm__ volatile("movl %1, %0" : "=r"(v) : "m"(*p) : "memory");
  return v;
}
static void store(int* p, int v) { __asm__ volatile("movl %1, %0" : "=m"(*p) : "ir"(v) : "memory"); }
static int fetch_add(int* p, int v) {
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(v), "+m"(*p) : : "memory", "cc");
  return v;
}
static int compare_and_swap(int* p, int old, int wanted) {
  unsigned char done;
  __asm__ volatile("lock cmpxchgl %3, %0\n\tsetz %1" : "+m"(*p), "=q"(done), "+a"(old) : "r"(wanted) : "memory", "cc");
  return done;
}

static void* add(void* unused) {
#ifdef LOST
  store(&loaded, load(&loaded) + 1);
#endif
  fetch_add(&added, 1);
  int old;
  do old = load(&compared);
  while (!compare_and_swap(&compared, old, old + 1));
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(load(&added) == 2 && load(&compared) == 2);
#ifdef LOST
  assert(load(&loaded) == 2);
#endif
}
