// Random numbers of the program: seeded, and a sequence per thread, so that what a thread draws does not depend on the
// schedule.
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/random.h"
#include "native/runtime/random_numbers.h"
#include "native/runtime/runtime.h"

namespace heddle::runtime {
namespace {
constinit std::uint64_t input_seed = 0;
}  // namespace

void seed_random_numbers(std::uint64_t seed) { input_seed = seed; }

std::uint64_t draw() {
  Thread& self = rt.self();
  if (self.random == 0) self.random = combine(input_seed, rt.current.index() + 1);
  self.random = mix(self.random);
  self.spin.unchanged = false;  // a loop that draws is no repetition of itself (spinning.h)
  return self.random;
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

extern "C" {

void srand(unsigned seed) noexcept { rt.self().random = heddle::combine(seed, rt.current.index() + 1); }
int rand() noexcept { return static_cast<int>(draw() >> 33); }
void srandom(unsigned seed) noexcept { srand(seed); }
long random() noexcept { return static_cast<long>(draw() >> 33); }
void srand48(long seed) noexcept { srand(static_cast<unsigned>(seed)); }
long lrand48() noexcept { return static_cast<long>(draw() >> 33); }
double drand48() noexcept { return static_cast<double>(draw() >> 11) * 0x1p-53; }
std::uint32_t arc4random() { return static_cast<std::uint32_t>(draw() >> 32); }

ssize_t getrandom(void* buffer, std::size_t size, unsigned) {
  auto bytes = static_cast<unsigned char*>(buffer);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(draw() >> 32);
  return static_cast<ssize_t>(size);
}
int getentropy(void* buffer, std::size_t size) {
  getrandom(buffer, size, 0);
  return 0;
}

// std::random_device::operator() calls this member of libstdc++.
unsigned _ZNSt13random_device9_M_getvalEv(void*) { return static_cast<unsigned>(draw() >> 32); }
}
