// Values that depend on inputs, and no branch: a state is reachable if some inputs lead there, with what they make of all
// variables together. Plain and atomic variables, members, elements, narrow and wide ones.
// expect: --reachable='sum==4242&&left==4240' reachable
// expect: --reachable='sum==4242&&left==17' none
// expect: --reachable='sum==left+1&&done&&left==7' reachable
// expect: --never='done&&(sum&1)!=((left+right)&1)' none
// expect: --reachable='right==3&&box.part[1]==300' reachable
// expect: --reachable='box.part[1]>1500' none
// expect: --reachable='small==5&&flag' reachable
// expect: --reachable='small==5&&flag&&left>=0' none
// expect: --reachable='wide==123456789012345678' reachable
// expect: --always='wide%2==0' none
// expect: --reachable='counter==1000' reachable
// expect: --reachable='counter<0' none
// algorithms: source-dpor dpor unfolding contextual-unfolding stateful stateful-unfolding
// configurations: one
#include <heddle/heddle.h>

#include <atomic>
#include <mutex>
#include <thread>

std::mutex mutex;
int left, right, sum;
bool done, flag;
signed char small;
long wide;
std::atomic<int> counter;
struct {
  int own;
  short part[2];
} box;

int main() {
  std::thread first([] {
    const int value = heddle_input_int("left");
    std::lock_guard lock(mutex);
    left = value;
    small = static_cast<signed char>(value);
    flag = value < 0;
    counter += static_cast<int>(static_cast<unsigned>(value) >> 16);
  });
  std::thread second([] {
    const int value = heddle_input_int("right") & 15;
    std::lock_guard lock(mutex);
    right = value;
    box.part[1] = static_cast<short>(100 * value);
  });
  first.join();
  second.join();
  sum = left + right;
  wide = 2 * heddle_input_long("wide");
  done = true;
}
