// Fork per execution, for programs that cannot be rewound: the child runs one execution and sends back what happened
// and what it learnt (new threads, objects, positions, visible bytes), so that numbers mean the same in every
// process.
#pragma once

#include <cstdint>
#include <vector>

#include "native/protocol/messages.h"
#include "trace/execution.h"

namespace heddle::runtime {

// Something about memory that later executions must know; entered by whoever learns it.
struct Lesson {
  std::uint64_t granule = 0;  // or the address of an access of another size than those before
  std::uint8_t visible = 0;
  std::uint8_t flags = 0;
  std::uint32_t access_size = 0;  // of that access
  const void* spin_site = nullptr;
  std::uint64_t wait_loop = 0;
  std::uint64_t asked = 0;    // of whom for what (requests.h)
  bool spins = false;         // somebody may be waiting in a loop
  bool long_loop = false;     // ... and change something in passing
  std::uint64_t barrier = 0;  // 1 + its number, and how it is used (barriers.h)
  std::uint8_t barrier_use = 0;
  std::uint64_t joined = 0;  // another place that is one object with the access
  std::uint32_t joined_size = 0;
  const void* writing_section = nullptr;
  const void* choosing_section = nullptr;
  std::uint32_t choice = 0, alternatives = 0;
  const char* unmodelled = nullptr;
  const void* unmodelled_at = nullptr;
  bool waited = false;  // a thread was stopped in the kernel (signals.h)
};
void note_lesson(const Lesson& lesson);
// Without lessons to pass on, nothing is kept.
void keep_lessons(bool on);
const std::vector<Lesson>& kept_lessons();
// What another process has learnt.
void learn(const std::vector<Lesson>& lessons);
// All that was learnt here, in processes of executions as well, since the last call; and the other way round. For
// workers of the same executable, whose libraries lie at the same addresses.
std::vector<protocol::PackedLesson> take_news();
void learn_news(const std::vector<protocol::PackedLesson>& news);

// Forks; `run` is called in the child. False when the child died without an answer: `status` of waitpid.
bool run_in_child(void (*run)(void*), void* argument, trace::Execution& execution, int& status);

}  // namespace heddle::runtime
