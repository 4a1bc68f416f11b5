// expect: none classes=1
// What a program may ask about its threads, and how it leaves them: attributes, priorities, cleanups, waiting for nothing.
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>

static int cleaned[2], order;

static void clean(void *which) { cleaned[*(int *)which] = ++order; }

static void leave(void *result) {
  int inner = 1;
  pthread_cleanup_push(clean, &inner);
  pthread_exit(result);
  pthread_cleanup_pop(0);
}

static void *work(void *argument) {
  pthread_attr_t attributes;
  void *stack;
  size_t size;
  char here;
  assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
  assert(pthread_attr_getstack(&attributes, &stack, &size) == 0);
  assert((char *)stack < &here && &here < (char *)stack + size);
  pthread_attr_destroy(&attributes);

  cpu_set_t processors;
  assert(pthread_getaffinity_np(pthread_self(), sizeof processors, &processors) == 0 && CPU_COUNT(&processors) > 0);
  assert(pthread_setaffinity_np(pthread_self(), sizeof processors, &processors) == 0);
  struct sched_param parameters;
  int policy;
  assert(pthread_getschedparam(pthread_self(), &policy, &parameters) == 0);
  assert(pthread_setschedparam(pthread_self(), policy, &parameters) == 0);
  assert(pthread_kill(pthread_self(), 0) == 0);

  int outer = 0, never = 0;
  pthread_cleanup_push(clean, &outer);
  pthread_cleanup_push(clean, &never);
  pthread_cleanup_pop(0);
  leave(argument);
  pthread_cleanup_pop(0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  assert(pthread_create(&thread, &attributes, work, "result") == 0);
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  assert(poll(0, 0, 60000) == 0);   // no time passes but in the program
  struct timeval minute = {60, 0};
  assert(select(0, 0, 0, 0, &minute) == 0);
  clock_gettime(CLOCK_MONOTONIC, &after);
  assert(after.tv_sec - before.tv_sec >= 120);
  void *result;
  pthread_join(thread, &result);
  assert(strcmp(result, "result") == 0 && cleaned[1] == 1 && cleaned[0] == 2);
  return 0;
}
