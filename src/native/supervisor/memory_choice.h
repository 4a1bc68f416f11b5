// Which memory model a program is explored with, if nobody has said: its orders decide.
//
// A program all of whose atomic operations are sequentially consistent has nothing but interleavings. One that asks for
// less, at a place of its own and in an object that several threads meet in, is explored as execution graphs under
// c++20 as well (docs/adr/0019-orders-decide-on-the-memory-model.md):
//
//   1. Interleavings, which are cheap: a bug that they have is a bug. They stop after a while, if there are many and
//      weaker orders were met.
//   2. Graphs.
//   3. If these have no bug, or cannot judge the program, the rest of the interleavings. (They know what graphs do not:
//      wake-ups for no reason, and freed memory that is used again.)
//
// A lock that is tried and taken by another thread, and what the standard library tells of others (use_count), order
// nothing either. Nobody has asked for graphs there, and loops of attempts have many: they get a budget.
//
// The answer is that of the graphs, and that of the interleavings where graphs have none: then it rests on sequential
// consistency, and says why.
#pragma once

#include <functional>

#include "native/supervisor/supervisor.h"

namespace heddle::supervisor {

using Explore = std::function<Result<NativeRun>(const NativeOptions&)>;

// `options` are those of interleavings.
Result<NativeRun> explore_as_orders_ask(const NativeOptions& options, const Explore& explore);

}  // namespace heddle::supervisor
