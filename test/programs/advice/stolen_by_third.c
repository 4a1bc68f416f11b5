// pattern: wait without a loop
// options: --spurious=off
// lines: 27
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
int items;

static void* put(void* unused) {
  pthread_mutex_lock(&mutex);
  ++items;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* take_if_any(void* unused) {
  pthread_mutex_lock(&mutex);
  if (items > 0) --items;
  pthread_mutex_unlock(&mutex);
  return unused;
}
static void* take(void* unused) {
  pthread_mutex_lock(&mutex);
  if (items == 0) pthread_cond_wait(&filled, &mutex);
  assert(items > 0);
  --items;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, take, 0);
  pthread_create(&b, 0, put, 0);
  pthread_create(&c, 0, take_if_any, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
