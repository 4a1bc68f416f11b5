// expect: none classes=30
// expect: --checkpoints=off none classes=30
// expect: --isolation=process none classes=30
// expect: --backend=threads none classes=30
// expect: -j2 none classes=30
// flags: -O0
// configurations: one
// Without optimisation frames are full of holes. How often a waiting loop is seen to repeat itself must not depend on what other
// calls and executions have left there: every way of running counts the same.
#include <atomic>
#include <thread>
#include <cassert>
class SpinLock { std::atomic_flag f = ATOMIC_FLAG_INIT; public: void lock() { while (f.test_and_set(std::memory_order_acquire)) std::this_thread::yield(); } void unlock() { f.clear(std::memory_order_release);} };
SpinLock l; int c; 
void w() { for (int i=0;i<2;++i){ l.lock(); ++c; l.unlock(); } }
int main() { std::thread a(w), b(w), d([]{ l.lock(); ++c; l.unlock(); }); a.join(); b.join(); d.join(); assert(c==5); }
