// std_barrier.cpp with the library's own code.
// expect: -D N=2 -D ROUNDS=1 -D HEDDLE_LIBRARY_BARRIERS=1 none
// flags: -std=c++20
// counts: spinning
#include "std_barrier.cpp"
