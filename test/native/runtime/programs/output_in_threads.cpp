// expect: deadlocks=0 verdict=no-bug exhausted=1 classes=2
#include <cstdio>
#include <iostream>
#include <mutex>
#include <thread>

std::mutex m;

int main() {
  auto body = [](int n) {
    std::lock_guard lock(m);
    std::printf("hello %d\n", n);
    std::cout << "and " << n << std::endl;
  };
  std::thread a(body, 1), b(body, 2);
  a.join();
  b.join();
}
