// Invariants in the source are checked in every state, whoever runs the program.
// expect: property
// expect: -D SAFE=1 none
// counts: optimiser
// algorithms: source-dpor unfolding contextual-unfolding stateful stateful-unfolding
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

std::atomic<int> free_slots{2}, used{0};

#ifdef SAFE
HEDDLE_INVARIANT(free_slots + used <= 2);
#else
HEDDLE_INVARIANT(free_slots + used == 2);
#endif
HEDDLE_INVARIANT(used >= 0 && free_slots >= 0);

int main() {
  std::thread worker([] {
    free_slots.fetch_sub(1);
    used.fetch_add(1);
  });
  worker.join();
}
