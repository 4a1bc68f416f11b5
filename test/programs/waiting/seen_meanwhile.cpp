// T's turn sets data under one lock and sets it back under another one; who holds both may have seen it meanwhile.
// expect: assertion
#include <atomic>
#include <mutex>
#include <thread>
#include <cassert>
std::mutex A,B; int data=0; std::atomic<int> go{0}; int seen=0;
int main(){
  std::thread o([]{ { std::lock_guard a(A); std::lock_guard b(B); seen=data; } go.store(1); });
  std::thread t([]{ while(!go.load()) { { std::lock_guard a(A); data=1; } { std::lock_guard b(B); data=0; } } assert(seen==0); });
  while(!go.load()) {} o.join(); t.join(); 
}
