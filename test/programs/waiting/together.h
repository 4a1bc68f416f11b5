// What the C programs of this folder share: numbered threads that run together, and a critical section whose plain data
// say if two were inside at once (a data race) and whether all have been there.
#pragma once

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static int visits;

static inline void critical_section(void) {
  ++visits;
}

static inline void together(int threads, void *(*work)(void *)) {
  pthread_t thread[8];
  for (intptr_t i = 0; i < threads; ++i)
    pthread_create(&thread[i], 0, work, (void *)i);
  for (int i = 0; i < threads; ++i)
    pthread_join(thread[i], 0);
}

// Two that do different things.
static inline void both(void *(*one)(void *), void *(*other)(void *)) {
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, other, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
}
