// Locks, condition variables, semaphores and barriers whose memory is freed.
//
// To free one is to end it, and it matters whether that comes before or after what others do with it. Nearly always it
// comes after, in every execution: whoever frees knows that nobody uses the object any more. Only where a use was seen
// that nothing orders before the end, or one behind it, freeing is a step on the object from then on (and the search
// begins again, as when memory becomes visible). A use behind it is found when it is made (check_still_there in
// scheduler.h).
//
// Of uses the last one is remembered, and whether there was one that did not come after the one before it.
#pragma once

#include <cstdint>

#include "native/runtime/shadow.h"

namespace heddle::runtime {

// The current thread uses an object on the heap.
void note_use(Object& object);
// ... that was freed.
void note_use_behind_end(const Object& object);

// Those that begin in the granule are about to end, as a step, and do.
void await_end_of_objects(std::uintptr_t granule, const void* pc);
void note_end_of_objects(std::uintptr_t granule);

}  // namespace heddle::runtime
