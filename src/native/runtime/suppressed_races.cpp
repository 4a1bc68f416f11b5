#include "native/runtime/suppressed_races.h"

#include <algorithm>

#include "native/runtime/assumptions.h"
#include "native/runtime/shadow.h"

// The linker supplies the bounds, if any function is marked.
extern "C" {
extern const char __start_heddle_no_race[] __attribute__((weak, visibility("hidden")));
extern const char __stop_heddle_no_race[] __attribute__((weak, visibility("hidden")));
}

namespace heddle::runtime {
namespace {

constinit std::vector<protocol::SuppressedRace> suppressed;

bool is_marked(std::uint64_t pc) {
  const auto begin = reinterpret_cast<std::uint64_t>(__start_heddle_no_race);
  const auto end = reinterpret_cast<std::uint64_t>(__stop_heddle_no_race);
  return pc - begin < end - begin;
}

bool is_listed(std::uint64_t one, std::uint64_t two, std::uintptr_t address) {
  return std::any_of(suppressed.begin(), suppressed.end(), [&](const protocol::SuppressedRace& race) {
    return ((race.pc == one && race.other_pc == two) || (race.pc == two && race.other_pc == one)) &&
           (race.address == 0 || race.address == address);
  });
}

}  // namespace

void suppress_races(const std::vector<protocol::SuppressedRace>& races) { suppressed = races; }

bool is_suppressed(std::uint32_t before, std::uint32_t now, std::uintptr_t address) {
  const std::uint64_t one = first_address(before), two = first_address(now);
  if (!is_marked(one) && !is_marked(two) && !is_listed(one, two, address)) return false;
  // Whichever comes second, it is the same race.
  note_race_left_out(std::min(one, two), std::max(one, two));
  return true;
}

}  // namespace heddle::runtime
