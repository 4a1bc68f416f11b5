// Two threads try to claim a slot: the order decides who fails.
// expect: classes=2 none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner;
int wins[3];

static void *claim(void *argument) {
  const int id = argument ? 2 : 1;
  int expected = 0;
  if (atomic_compare_exchange_strong(&owner, &expected, id)) wins[id] = 1;
  else assert(expected == 3 - id);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, claim, 0);
  pthread_create(&second, 0, claim, &first);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(wins[1] + wins[2] == 1 && wins[owner] == 1);
  return 0;
}
