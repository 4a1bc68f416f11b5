// A loop that locks a recursive mutex once more in each turn.
// expect: --max-steps=100 assertion
#include <mutex>
#include <thread>
#include <atomic>
#include <cassert>
std::recursive_mutex m; std::atomic<int> flag{0};
int main(){ std::thread t([]{ std::lock_guard g(m); while(!flag.load()) m.lock(); }); flag=1; t.join(); assert(m.try_lock()); }
