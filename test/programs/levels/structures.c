// Structures are copied as a whole, and what is small enough for a register at some level is no other access for it.
// expect: --all --races=explore none
#include <pthread.h>
#include <string.h>

struct small { int a, b; };
struct odd { char c[3]; };
struct large { long v[3]; };
static struct small small;
static struct odd odd;
static struct large large;
static unsigned char bytes[8];
static int seen;

static void* copies(void* unused) {
  struct small s = small;
  struct odd o = odd;
  struct large l = large;
  seen = s.a + o.c[1] + (int)l.v[2];
  return unused;
}

static void* fills(void* unused) {
  struct small s = {1, 2};
  small = s;
  for (int i = 0; i < 3; ++i) odd.c[i] = 1;
  memset(&large, 0, sizeof large);
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, copies, 0);
  pthread_create(&u, 0, fills, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  for (int i = 0; i < 8; ++i) bytes[i] = 0;
  return bytes[3];
}
