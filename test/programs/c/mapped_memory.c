// expect: none
// Memory that the program maps is not rewound: it is mapped anew in every execution, at the same place, and full of zeros.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

static atomic_int* counter;
static atomic_int others;

static void* count(void* unused) {
  atomic_fetch_add(&others, 1);
  atomic_fetch_add(counter, 1);
  atomic_fetch_add(&others, 1);
  void* own = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(own != MAP_FAILED && *(int*)own == 0);
  *(int*)own = 1;
  munmap((char*)own + 4096, 4096);
  return unused;
}

int main() {
  counter = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert(counter != MAP_FAILED && *counter == 0);
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, count, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  assert(*counter == 2);
}
