#pragma once

#include <cstdint>

namespace heddle::runtime {

void seed_random_numbers(std::uint64_t seed);
// The current thread's next number.
std::uint64_t draw();

}  // namespace heddle::runtime
