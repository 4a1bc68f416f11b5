// What the runtime is made of, as far as it remembers anything of the running execution.
//
// Between two executions, and between an execution and one that begins at a state on its way (checkpoint.h), everything
// that the first one has changed has to be as it was. Each part of the runtime says in its own file what that means for
// it, in one `Part`: what an execution begins with, and what is kept at a checkpoint or why nothing need be. A part
// that says neither does not compile. The list in parts.cpp is the only place that knows them all; NativeProgram and
// Checkpoints walk it.
//
// What carries the number of the execution that it is of (Runtime::generation) is stale by itself afterwards: that
// costs nothing between executions. But the number stays when an execution begins at a checkpoint, so what may have
// been changed behind the checkpoint has to be kept even so, and is a part. Only what belongs to stores under memory
// models can do without: for these programs there are no checkpoints. Nor is anything a part that holds over
// executions: what was learnt about the program.
#pragma once

#include <cstddef>
#include <span>

namespace heddle::runtime {

// So many checkpoints at a time, at most.
inline constexpr std::size_t kMostCheckpoints = 8;

struct Part {
  struct Memory {
    void* place = nullptr;
    std::size_t size = 0;
  };
  // Before the first execution, when global constructors have run: so it is when every execution begins.
  void (*keep_as_start)() = nullptr;
  // An execution begins.
  void (*begin)() = nullptr;
  // It has ended, and the process goes on.
  void (*end)() = nullptr;
  // What belongs to a checkpoint: memory as it is, of whole words, which is also part of what tells two states apart
  // (memory_hash.h), ...
  Memory memory[2] = {};
  // ... or a copy of the part's own, one for each number of a checkpoint.
  void (*keep)(std::size_t checkpoint) = nullptr;
  void (*go_back)(std::size_t checkpoint) = nullptr;
  // ... or nothing. Why?
  const char* not_kept = nullptr;
};

// Says so, or does not compile.
consteval Part described(Part part) {
  const bool kept = part.memory[0].place != nullptr || part.keep != nullptr;
  if (kept == (part.not_kept != nullptr)) throw "what does a checkpoint keep of this part, or why nothing?";
  if ((part.keep == nullptr) != (part.go_back == nullptr) && part.not_kept == nullptr) throw "kept, but not put back";
  return part;
}

// In the order of the list, which is that of what they rely on.
void begin_parts();
void keep_parts(std::size_t checkpoint);
void put_parts_back(std::size_t checkpoint);
// The other way round.
void end_parts();
void keep_parts_as_start();

// All memory that is kept as it is.
std::span<const Part::Memory> kept_memory();

// Each in the file of what it is a part of.
extern const Part world_part, heap_part, io_order_part, uses_part, keys_part, exit_part, signals_part, requests_part,
    kernel_state_part, failures_part, tries_part, data_log_part, clocks_part, accesses_part, sharing_part,
    weak_memory_part, threads_part, scheduler_part, inputs_part;

}  // namespace heddle::runtime
