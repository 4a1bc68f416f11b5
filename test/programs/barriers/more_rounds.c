// rounds.c by what is no tree of all classes: states that are remembered, a bound on pre-emptions, several processes.
// expect: -D N=3 -D ROUNDS=3 --algorithm=stateful none
// expect: -D N=3 -D ROUNDS=3 --algorithm=stateful-unfolding none
// expect: -D N=3 -D ROUNDS=3 --preemptions=0 none classes=1
// expect: -D N=3 -D ROUNDS=3 --preemptions=2 none classes=1
// expect: -D N=3 -D ROUNDS=3 --algorithm=exhaustive none classes=1
// expect: -D N=4 -D ROUNDS=2 -j2 none classes=1
// counts: results
#include "rounds.c"
