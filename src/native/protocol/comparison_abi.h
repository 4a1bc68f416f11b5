// What the pass tells the runtime of a comparison that has just made an assertion fail (native/pass/comparisons.cpp):
//
//   void heddle_compared(std::uint64_t left, std::uint64_t right, std::uint32_t description);
//
// called right before the function that reports the failure.
#pragma once

#include <cstdint>

namespace heddle::protocol {

// How the source has it.
enum class Relation : std::uint8_t { kEqual, kNotEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };
inline constexpr std::uint64_t kRelations = static_cast<std::uint64_t>(Relation::kGreaterOrEqual) + 1;

enum class SideKind : std::uint8_t { kSigned, kUnsigned, kFloat, kPointer };
inline constexpr std::uint64_t kSideKinds = static_cast<std::uint64_t>(SideKind::kPointer) + 1;

// The two sides of a comparison that should have held.
struct Compared {
  std::uint64_t left = 0, right = 0;
  std::uint32_t bits = 0;  // of each; 0: nothing is known
  Relation relation = Relation::kEqual;
  SideKind kind = SideKind::kSigned;
  bool left_constant = false, right_constant = false;
};

constexpr std::uint32_t description_of(const Compared& c) {
  return c.bits | static_cast<std::uint32_t>(c.relation) << 8 | static_cast<std::uint32_t>(c.kind) << 16 |
         std::uint32_t{c.left_constant} << 24 | std::uint32_t{c.right_constant} << 25;
}

constexpr Compared compared_as(std::uint64_t left, std::uint64_t right, std::uint32_t description) {
  return {left,
          right,
          description & 0xff,
          static_cast<Relation>(description >> 8 & 0xff),
          static_cast<SideKind>(description >> 16 & 0xff),
          (description >> 24 & 1) != 0,
          (description >> 25 & 1) != 0};
}

}  // namespace heddle::protocol
