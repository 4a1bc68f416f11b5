// expect: verdict=bug finding:data-race=1
#include <thread>

int counter;

int main() {
  std::thread t([] { counter++; });
  counter++;
  t.join();
}
