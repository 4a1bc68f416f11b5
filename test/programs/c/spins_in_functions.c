// expect: none classes=46
// expect: --checkpoints=off none classes=46
// expect: --isolation=process none classes=46
// expect: --backend=threads none classes=46
// expect: -j2 none classes=46
// flags: -O0
// configurations: one
// (142 before idle turns were found from any of the last operations, 126 before the heads of loops were marked, 6 if turns that find different things count as in vain.)
// Without optimisation frames are full of holes. How often a waiting loop is seen to repeat itself must not depend on what other
// calls and executions have left there: every way of running counts the same.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdbool.h>
atomic_int l; int c; atomic_int n;
struct guard { int owner; char name[28]; atomic_int* lock; };
static __attribute__((noinline)) bool try_it(struct guard* g) { int e = 0; return atomic_compare_exchange_strong(g->lock, &e, g->owner); }
static __attribute__((noinline)) void acquire(int me) { struct guard g; g.owner = me; g.lock = &l; while (!try_it(&g)) { while (atomic_load(&l) != 0) {} } }
static void* w(void* u) { acquire(1); ++c; atomic_store(&l, 0); acquire(2); ++c; atomic_store(&l, 0); return u; }
int main() { pthread_t t[4];  for(int i=0;i<2;++i) pthread_create(&t[i],0,w,0); for(int i=0;i<2;++i) pthread_join(t[i],0); assert(c==4);}
