// Failures of the program under test, as the runtime sees them happen.
#pragma once

#include <vector>

#include "native/runtime/runtime.h"

namespace heddle::runtime {

// Records a failure of the current thread, which may go on (a data race).
void record_failure(trace::FailureKind kind, std::uint32_t where, std::string message,
                    const protocol::FailureDetail& detail = {});
// Records it and stops the thread for good. Without a controlled execution: prints it and ends the process.
[[noreturn]] void fail_thread(trace::FailureKind kind, const void* pc, std::string message,
                              const protocol::FailureDetail& detail = {});
// free() of something that is not a live block. Stops the thread when an execution is going on.
void report_heap_misuse(trace::FailureKind kind, const void* pc, std::uintptr_t address);
// An access to heap memory that is not there (any more).
void report_bad_access(const void* pc, std::uintptr_t address, std::size_t size, bool write);

// What is known of an assertion that fails now: the comparison that the pass has told of.
protocol::FailureDetail detail_of_assertion();

// One per failure of the running execution, in the same order.
std::vector<protocol::FailureDetail>& failure_details();

}  // namespace heddle::runtime
