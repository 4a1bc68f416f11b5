// A thread that ends before its function returns.
#pragma once

namespace heddle::runtime {

// Runs what the frames of the current thread have left to do, latest first - destructors, handlers that rethrow,
// cleanups of pthread_cleanup_push -, then tears the thread down.
[[noreturn]] void leave_frames();

}  // namespace heddle::runtime
