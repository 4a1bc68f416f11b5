#pragma once

namespace heddle::runtime {

// Looks up what stands behind the interposed functions. Call before the world is kept.
void take_over_libstdcxx();

}  // namespace heddle::runtime
