// Elements of arrays, of the language's own and of the library's, atomic and not; enumerations and pointers.
// expect: --reachable='slots[2]==7&&flags[1]==0' reachable
// expect: --reachable='slots[2]==7&&flags[1]==1' reachable
// expect: --reachable='slots[2]!=7&&flags[1]==1' none
// expect: --always='slots[3]==0' none
// expect: --reachable='state==1&&where!=0' reachable
// expect: --reachable='state==0&&where!=0' none
// expect: --never='slots[9]==1' "error:no shared variable"
// expect: --never='where->next==1' "error:pointers are not followed"
// expect: --never='*where==1' "error:pointers are not followed"
// expect: --never='(Node of list.cpp:5).hits==1' "error:objects on the heap have no names"
// counts: optimiser
// algorithms: source-dpor dpor unfolding contextual-unfolding stateful stateful-unfolding
#include <array>
#include <atomic>
#include <thread>

enum State { kEmpty, kFull };
int slots[4];
std::array<std::atomic<int>, 2> flags;
std::atomic<State> state;
std::atomic<int*> where;

int main() {
  std::thread writer([] {
    slots[2] = 7;
    flags[1] = 1;
    state = kFull;
    where = &slots[2];
  });
  std::thread reader([] {
    while (flags[1] == 0) {
    }
    slots[1] = slots[2];
  });
  writer.join();
  reader.join();
}
