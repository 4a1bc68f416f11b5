// The plain accesses of one execution, for reports (explore/data_slice.h).
//
// An execution that fails is run once more with all of them written down as they happen: where in memory, what was
// there, and, as soon as the thread is heard of again, what it left there. Then it is chosen what a reader needs, and
// in one more run these get their call stacks and what lies around them in memory: by that the supervisor knows how
// large a container was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "explore/data_slice.h"
#include "native/protocol/messages.h"

namespace heddle::runtime {

class DataLog {
 public:
  // From the next execution on (rt.data_logged), all accesses: of a very long one the last are known.
  void write_all();
  // From the next execution on, these of it, by their numbers as they come.
  void write_details(std::vector<std::uint64_t> numbers);
  void stop();

  void begin();  // a new execution
  void access(std::uintptr_t address, std::size_t size, bool write, const void* pc);
  // What has been written can be seen now: its thread has gone on ...
  void settle();
  // ... to another place, if this is one. (An access is asked for its position before it happens.)
  void pass(const void* pc) {
    if (pc != last_pc_) settle();
  }

  const std::vector<explore::PlainAccess>& all() const { return all_; }
  std::uint64_t number_of(std::size_t index) const { return first_ + index; }
  const std::vector<protocol::DataAccess>& details() const { return details_; }
  // From the process in which the execution was run.
  void adopt(std::vector<explore::PlainAccess> all, std::uint64_t first, std::vector<protocol::DataAccess> details);
  std::uint64_t first() const { return first_; }

 private:
  bool detailed_ = false;
  bool unsettled_ = false;
  const void* last_pc_ = nullptr;  // of the last access
  std::uint64_t next_ = 0;         // number of the next access
  std::uint64_t first_ = 0;        // of all_
  std::vector<std::uint64_t> wanted_;
  std::size_t met_ = 0;  // of the wanted ones
  std::vector<explore::PlainAccess> all_;
  std::vector<protocol::DataAccess> details_;
};

extern DataLog data_log;

}  // namespace heddle::runtime
