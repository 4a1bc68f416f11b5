// A ring whose ends remember how far the other one was and look again only if that is not enough: a turn of the loop
// writes plain memory, mostly what is there. The bug: the producer takes its memory for one place more than there are.
// expect: none classes=5
// expect: -D BUG=1 assertion
// algorithms: every
// counts: spinning
#include "together.h"

enum { kSize = 2, kItems = 3 };
atomic_int head, tail;
struct {
  int head_seen;
} producer;
struct {
  int tail_seen;
} consumer;
int ring[kSize];

static void *produce(void *argument) {
  for (int i = 0; i < kItems; ++i) {
    int t = atomic_load(&tail);
#ifdef BUG
    while (t - producer.head_seen > kSize)
#else
    while (t - producer.head_seen >= kSize)
#endif
      producer.head_seen = atomic_load(&head);
    ring[t % kSize] = i;
    atomic_store(&tail, t + 1);
  }
  return argument;
}

static void *consume(void *argument) {
  for (int i = 0; i < kItems; ++i) {
    int h = atomic_load(&head);
    while (consumer.tail_seen == h)
      consumer.tail_seen = atomic_load(&tail);
    assert(ring[h % kSize] == i);
    atomic_store(&head, h + 1);
  }
  return argument;
}

int main(void) {
  both(produce, consume);
}
