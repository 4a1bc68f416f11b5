// What some steps have to do with, in a few bits: most questions whether a step depends on any of them end
// here with no.
//
// Objects are told apart by the last six bits of their numbers. Steps that may touch threads (starting, joining,
// waking, ending the process) count as accesses to all objects.
#pragma once

#include "trace/dependence.h"

namespace heddle::trace {

class Footprint {
 public:
  void add(const Step& step) {
    const std::uint64_t objects = touches_threads(step.op.kind) ? ~0ull : bit_of(step.op.object);
    accessed_ |= objects;
    if (access_of(step.op.kind) != Access::kReads) written_ |= objects;
  }

  // False: the step depends on none of them, unless on one of its own thread.
  bool may_depend(const Step& step) const {
    if (touches_threads(step.op.kind)) return true;
    return ((access_of(step.op.kind) == Access::kReads ? written_ : accessed_) & bit_of(step.op.object)) != 0;
  }

 private:
  static std::uint64_t bit_of(ObjectId object) { return 1ull << (object.value & 63); }

  std::uint64_t accessed_ = 0;
  std::uint64_t written_ = 0;
};

}  // namespace heddle::trace
