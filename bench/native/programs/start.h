// Starting and joining a number of threads, the same in all these programs.
#pragma once

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

// The body of thread `index`.
typedef void (*body)(int index);

struct start {
  body run;
  int index;
};

static void *run_body(void *argument) {
  struct start *start = argument;
  start->run(start->index);
  return NULL;
}

enum { MAX_THREADS = 64 };
static struct start starts[MAX_THREADS];
static pthread_t threads[MAX_THREADS];
static int started;

static void start_thread(body run, int index) {
  starts[started] = (struct start){run, index};
  pthread_create(&threads[started], NULL, run_body, &starts[started]);
  ++started;
}

static void join_all(void) {
  for (int i = 0; i < started; ++i) pthread_join(threads[i], NULL);
}
