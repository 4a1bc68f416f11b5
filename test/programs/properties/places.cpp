// What names lead to: elements of arrays with several dimensions, members of bases and of what is inside others, statics in
// functions, as traces name them. And what has no place of its own is refused with the reason.
// expect: --reachable='grid[1][2]==9&&grid[1][1]==0' reachable
// expect: --reachable='grid[2][1]==9' none
// expect: --reachable='nest.in[1].deep[0]==4' reachable
// expect: --reachable='derived.own==2&&derived.inherited==1' reachable
// expect: --reachable='derived.own==1&&derived.inherited==2' none
// expect: --reachable='work()::calls==2' reachable
// expect: --reachable='work()::calls==3' none
// expect: --reachable='one::count==1&&two::count==1' reachable
// expect: --reachable='one::count==2' none
// expect: --never='count==1' "error:'count' may be one of 2 variables: one::count, two::count; say which"
// expect: --never='bits.low==1' "error:'bits.low' is a bit-field"
// expect: --never='remote.far==1' "error:there is no shared variable 'remote.far'"
// expect: --never='wide==1' "error:'wide' is no integer of up to 64 bits"
// expect: --never='own_copy==1' "error:'own_copy' is thread-local"
// expect: --never='grid[1]==1' "error:'grid[1]' is no integer"
// expect: --never='grid[3][0]==1' "error:there is no shared variable"
// expect: --never='T1==1' "error:'T1' is a thread, not a shared variable"
// expect: --never='one::count++==1' "error:a property changes nothing"
// expect: --never='deadlock()' "error:leave out the brackets"
// counts: optimiser
// algorithms: source-dpor unfolding contextual-unfolding stateful stateful-unfolding
#include <atomic>
#include <thread>

std::atomic<int> grid[3][4];
struct {
  struct {
    std::atomic<int> deep[2];
  } in[2];
} nest;
struct Base {
  std::atomic<int> inherited{0};
};
struct : Base {
  std::atomic<int> own{0};
} derived;
struct Far {
  int far = 1;
};
struct : virtual Far {
  int near = 2;
} remote;
struct {
  unsigned low : 3, high : 5;
} bits;
__int128 wide;
thread_local int own_copy;
namespace one {
std::atomic<int> count;
}
namespace two {
std::atomic<int> count;
}

__attribute__((noinline)) void work() {
  static std::atomic<int> calls;
  calls.fetch_add(1);
}

int main() {
  own_copy = bits.low = static_cast<unsigned>(wide) & 7u;
  std::thread first([] {
    work();
    grid[1][2] = 9;
    derived.inherited = 1;
    derived.own = 2;
    one::count.fetch_add(1);
  });
  std::thread second([] {
    work();
    nest.in[1].deep[0] = 4;
    two::count.fetch_add(1);
  });
  first.join();
  second.join();
  return remote.near + remote.far - 3 + static_cast<int>(bits.low);
}
