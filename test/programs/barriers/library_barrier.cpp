// std_barrier.cpp with the library's own code. (Whether one of its waits is seen to look again depends on what is explored
// first, and with it whether that wait is also left for no reason.)
// expect: -D N=2 -D ROUNDS=1 -D HEDDLE_LIBRARY_BARRIERS=1 --spurious=off none
// flags: -std=c++20
// counts: spinning
#include "std_barrier.cpp"
