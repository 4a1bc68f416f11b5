// Values that depend on inputs and leave memory: written to a file, a pipe, a socket, a stream. From there on they are
// the kernel's or the library's to keep, and terms do not go with them. To show them to somebody does no harm; to read
// them again would lose, silently, how they depend on inputs. So it is remembered that such a value was written, and
// the first thing that is read from outside afterwards leaves the result open, with its place. A stream in memory can
// be read without a call that anybody sees: there writing is enough.
#pragma once

namespace heddle::runtime {

// A function that only prints is about to be called with a value that has a term, or memory that has. Where to is in
// heddle_sym_destination.
void note_written(const char* function, const void* pc);

// Something is about to be read from outside, but for standard input.
void note_read(const void* pc);

// Is that what the function does?
bool reads_from_outside(const char* function);

}  // namespace heddle::runtime
