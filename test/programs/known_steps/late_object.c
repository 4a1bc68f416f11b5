// A thread that comes upon an object and a page that nobody has touched before, when most of the search is over.
// followed: 274 of 328
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static atomic_int far_away[4096];

static void *work(void *argument) {
  (void)argument;
  for (int i = 0; i < 3; ++i) {
    const int seen = x;
    x = seen + 1;
    if (seen == 1 && i == 2) far_away[3000] = far_away[3000] + 1;
  }
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  assert(far_away[3000] != 2);
  return 0;
}
