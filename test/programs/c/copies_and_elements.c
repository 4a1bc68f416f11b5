// memcpy, memmove and memset beside accesses of elements: pieces are copied when they are read and written, so a copy may be
// torn, but what it holds was there.
// expect: --all --races=explore --algorithm=optimal-dpor classes=16 none
// expect: --all --races=explore --algorithm=source-dpor classes=16 none
// expect: --all --races=explore --algorithm=dpor classes=16 none
// expect: --all --races=explore --algorithm=exhaustive classes=16 none
// expect: --all --races=explore --algorithm=unfolding classes=16 none
#include <pthread.h>
#include <string.h>

static long pair[2], copy[2], line[3];
static char odd[12];

static void* writer(void* a) {
  pair[0] = 1;
  pair[1] = 1;
  memset(odd + 5, 1, 6);
  return a;
}

static void* copier(void* a) {
  memcpy(copy, pair, sizeof pair);
  memmove(line + 1, line, 2 * sizeof(long));
  return a;
}

int main(void) {
  line[0] = 1, line[1] = 2;
  pthread_t t, u;
  pthread_create(&t, 0, writer, 0);
  pthread_create(&u, 0, copier, 0);
  const char seen = odd[6];
  const long moved = line[1];
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (line[0] != 1 || line[1] != 1 || line[2] != 2 || (moved != 1 && moved != 2)) return 1;
  return seen > 1 || copy[0] > 1 || copy[1] > 1;
}
