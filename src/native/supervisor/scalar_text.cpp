#include "native/supervisor/scalar_text.h"

#include <fmt/format.h>

#include <bit>

namespace heddle::supervisor {

std::string scalar_text(const Scalar& scalar, std::uint64_t value) {
  const unsigned bits = scalar.size == 0 || scalar.size >= 8 ? 64 : static_cast<unsigned>(scalar.size) * 8;
  const std::uint64_t own = value << (64 - bits) >> (64 - bits);
  const std::int64_t with_sign = static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
  switch (scalar.kind) {
    case Scalar::Kind::kSigned:
      return std::to_string(with_sign);
    case Scalar::Kind::kUnsigned:
      return std::to_string(own);
    case Scalar::Kind::kBoolean:
      return own == 0 ? "false" : own == 1 ? "true" : std::to_string(own);
    case Scalar::Kind::kCharacter:
      return own >= 0x20 && own < 0x7f ? std::to_string(own) + " '" + static_cast<char>(own) + "'"
                                       : std::to_string(with_sign);
    case Scalar::Kind::kFloat:
      if (scalar.size == 8) return fmt::format("{}", std::bit_cast<double>(value));
      if (scalar.size == 4) return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(value)));
      break;
    case Scalar::Kind::kPointer:
      return value == 0 ? "null" : fmt::format("{:#x}", value);
    case Scalar::Kind::kUnknown:
      break;
  }
  // What looks like an address is easier to recognise in hexadecimal.
  return value >> 32 != 0 && value >> 47 == 0 ? fmt::format("{:#x}", value)
                                              : std::to_string(static_cast<std::int64_t>(value));
}

}  // namespace heddle::supervisor
