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
// A pipe or a pair of sockets that the program has made itself is like a semaphore: who reads where nothing is waits
// until somebody writes, or closes the other end. So is an event counter, and who waits for one of several (poll) waits
// so at the first of them.
#pragma once

#include <poll.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>

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

// Is it the object that stands for what is in a pipe, or another descriptor? How much that is, only the kernel knows,
// and who waits for several of them is enabled by any.
bool is_of_descriptor(std::uintptr_t address);

// The program has made these: nobody else has to do with them.
void note_channel(int one_end, int other_end);

// The current thread waits until one of these is ready, as long as others can run; those it has to do with are known.
void await_any(const pollfd* descriptors, std::size_t count, const void* pc);

}  // namespace heddle::runtime
