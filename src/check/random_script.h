// Random scripts, and their reduction to a minimal one that still shows a defect.
#pragma once

#include <functional>

#include "check/script.h"

namespace heddle::check {

// 2 to 4 threads; locks, condition variables, compare-and-swap, branches, spawn and join. Small enough, mostly, for
// brute force. The same seed gives the same script.
Script random_script(std::uint64_t seed);
// 3 to 5 threads and about twice as many statements: too large for brute force, small enough to compare
// algorithms with each other.
Script random_large_script(std::uint64_t seed);
// The same, and threads end the process.
Script random_ending_script(std::uint64_t seed);
// Like random_script(), and threads wait in loops; some end the process.
Script random_waiting_script(std::uint64_t seed);
// The same, and some wait for a time in their loops.
Script random_polling_script(std::uint64_t seed);
// Of several kinds, small, and threads assume things about what they have seen: many executions are void.
Script random_assuming_script(std::uint64_t seed);
// Inputs, attempts at all kinds of locks, assumptions and ends of the process, for programs in C.
Script random_mixed_script(std::uint64_t seed);
// 2 or 3 threads that read up to three inputs of 1 or 2 bits, pass them on through shared variables and branch on them.
Script random_input_script(std::uint64_t seed);
// The same, and threads start others that read inputs too.
Script random_spawning_input_script(std::uint64_t seed);

// 2 or 3 threads with semaphores, barriers, reader-writer locks, attempts at all kinds of locks, timed waits and exits
// among the rest.
Script random_synchronised_script(std::uint64_t seed);

// The smallest script reachable by deleting threads and statements and unwrapping bodies for which `fails` holds.
Script shrink(Script script, const std::function<bool(const Script&)>& fails);

}  // namespace heddle::check
