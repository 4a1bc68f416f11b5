// The order in which threads use one descriptor or one stream (FILE).
//
// It is no race: the kernel and the C library keep each call whole. But what a call does depends on those before it,
// as with any object that threads share: a write fails behind a close, a read finds what was written until then. So
// what is used has places in memory that stand for it, and a call is an operation on them; it is a step once two
// threads were seen to use the place in no order (and the search begins again, as when memory becomes visible).
//
// A descriptor has three places: its slot in the table, which close changes; the position of a regular file; and the
// content, which all descriptors of the same file, pipe or pair of sockets share. What is printed to the standard
// streams has no order that the program could tell, nor have outputs among themselves anywhere until somebody reads
// them: `kAppends`.
//
// Who reads from a pipe or a pair of sockets that the program has made itself, where nothing is, waits until somebody
// writes, or closes the other end. So it is with an event counter.
//
// Who waits for several descriptors (poll, select) looks at one after the other, each look a step, and what it is told
// is what these looks found: what comes behind a look comes too late for it. If none is ready it looks again, and to
// have looked in vain is a turn of a waiting loop (trace/turn.h).
#pragma once

#include <poll.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>

#include "base/strong_id.h"

namespace heddle::runtime {

enum class Use : std::uint8_t { kLooks, kAppends, kChanges, kEnds };

// The current thread is about to do this with a stream, at `pc`. One that was closed is reported.
void use_stream(std::FILE* stream, Use use, const void* pc);

enum class DescriptorUse : std::uint8_t {
  kReads,  // and waits until it can, as long as others can run
  kWrites,
  kSeeks,
  kLooks,
  kCloses,
};
void use_descriptor(int descriptor, DescriptorUse use, std::size_t bytes, const void* pc);

// Is it the object that stands for what is in a pipe, or another descriptor? How much that is, only the kernel knows.
bool is_of_descriptor(std::uintptr_t address);

// The program has made these: nobody else has to do with them.
void note_channel(int one_end, int other_end);

// The current thread looks at these, and, if it does so `for_ever`, until one is ready. What each look found is
// entered, and how many are ready is the answer. Nothing: it may ask the kernel now, since nobody else in the program
// has a say, or since it is about a single one, which it has waited for.
std::optional<int> look_at_descriptors(std::span<pollfd> asked, bool for_ever, const void* pc);
// Is that how the thread waits, without anything to look at that would ever change?
bool waits_for_descriptors(ThreadId thread);

}  // namespace heddle::runtime
