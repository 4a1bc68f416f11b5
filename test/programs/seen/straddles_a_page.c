// What a function of the library fills may lie across the border of two pages: the kernel can write to both, and all of it is seen.
// expect: --all none
// expect: -D RACE=1 data-race
#include <assert.h>
#include <pthread.h>
#include <sys/stat.h>

static _Alignas(4096) char pages[2 * 4096];
static struct stat *found = (struct stat *)(pages + 4096 - 16);

static void *look(void *unused) {
  assert(stat("/", found) == 0);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, look, 0);
#ifdef RACE
  const off_t last = found->st_size;
  (void)last;
#endif
  pthread_join(t, 0);
  return found->st_nlink == 0;
}
