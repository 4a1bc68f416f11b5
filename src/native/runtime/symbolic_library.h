// Functions of the C library, and of the runtime, that know about terms.
#pragma once

namespace heddle::runtime {

// Does this function of the runtime look at the terms of its arguments?
bool takes_terms(const void* function);

}  // namespace heddle::runtime
