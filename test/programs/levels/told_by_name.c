// Instructions that differ from run to run are virtual, or executed as they are and named in the result. The number of the
// processor is the same everywhere.
// flags: -mrdrnd -mrdpid
// expect: --all -D VIRTUAL=1 none
// expect: --all inconclusive
// expect: --all -D SEED=1 inconclusive
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <x86intrin.h>

static atomic_int count;

static void* acts(void* argument) {
#ifdef VIRTUAL
  unsigned low, high, processor = 7;
  __asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(processor));
  const uint64_t start = (uint64_t)high << 32 | low;
  unsigned other = 7;
  assert(__rdtscp(&other) > start && processor == other);
  assert(__builtin_readcyclecounter() > start);
  assert(sched_getcpu() == 0);
#elif defined(SEED)
  unsigned long number;
  __asm__ volatile("rdseed %0" : "=r"(number) : : "cc");
#else
  unsigned number;
  __asm__ volatile("rdrand %0" : "=r"(number) : : "cc");
#endif
  ++count;
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, acts, 0);
  acts(0);
  pthread_join(t, 0);
  assert(count == 2);
  return 0;
}
