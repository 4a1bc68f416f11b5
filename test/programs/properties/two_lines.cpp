// Who is where at the same time: two threads in a section that a flag should keep for one of them.
// expect: --never='in(T1,two_lines.cpp:23)&&in(T2,two_lines.cpp:23)' property
// expect: --never='in(T1,two_lines.cpp:30)&&in(T2,two_lines.cpp:30)' none
// expect: --reachable='in(T1,two_lines.cpp:28)&&in(T2,two_lines.cpp:30)' reachable
// expect: --never='in(T1,two_lines.cpp:13)' "error:no code was made of this line"
// expect: --never='in(T9x,two_lines.cpp:24)' "error:threads are main, T1, T2"
// counts: optimiser
// algorithms: source-dpor unfolding contextual-unfolding stateful stateful-unfolding
#include <atomic>
#include <mutex>
#include <thread>

std::atomic<bool> busy;
std::atomic<int> inside, total;
std::mutex mutex;

void careless() {
  if (busy) return;
  busy = true;
  inside.fetch_add(1);
  // the section

  inside.fetch_sub(1);
  busy = false;
}

void careful() {
  mutex.lock();

  total.fetch_add(1);
  mutex.unlock();
}

int main() {
  std::thread first([] { careless(); careful(); });
  std::thread second([] { careless(); careful(); });
  first.join();
  second.join();
}
