// Cleanups of several frames run in the reverse of the order in which they were pushed, and not those that were popped.
// expect: none classes=1
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char way[16];
static int length;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void note(void *letter) { way[length++] = *(const char *)letter; }
static void unlock(void *held) { pthread_mutex_unlock(held); }

static void deeper(int depth) {
  pthread_cleanup_push(note, depth == 0 ? "a" : depth == 1 ? "b" : "c");
  if (depth == 2) {
    pthread_cleanup_push(note, "x");
    pthread_cleanup_pop(0);
    pthread_cleanup_push(note, "y");
    pthread_cleanup_pop(1);
    pthread_exit(way);
  }
  deeper(depth + 1);
  pthread_cleanup_pop(1);
}

static void *thread(void *argument) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  deeper(0);
  pthread_cleanup_pop(1);
  return argument;
}

int main(void) {
  pthread_t t;
  void *result = 0;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, &result);
  assert(result == way);
  assert(strcmp(way, "ycba") == 0);
  assert(pthread_mutex_trylock(&mutex) == 0);
  pthread_mutex_unlock(&mutex);
  return 0;
}
