// The processor's clock and random numbers are virtual: every execution sees the same.
// flags: -mrdrnd
// expect: --all classes=2 none
// expect: --all --algorithm=exhaustive classes=2 none
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <immintrin.h>

static atomic_uint parity;

static uint64_t cycles(void) {
  uint32_t low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return (uint64_t)high << 32 | low;
}

static void* draws(void* a) {
  const uint64_t start = cycles();
  unsigned long long number = 0;
  while (!_rdrand64_step(&number)) {}
  if ((number ^ __builtin_ia32_rdtsc() ^ start) & 1) atomic_fetch_add(&parity, 1);
  else atomic_fetch_sub(&parity, 1);
  return cycles() > start ? 0 : a;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, draws, 0);
  pthread_create(&u, 0, draws, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
