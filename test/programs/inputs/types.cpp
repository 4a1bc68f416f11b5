// heddle::input of every type it takes, each with a value at the far end of its range, and bytes.
// expect: --all classes=18 failed=1 assertion
// configurations: one
#include <heddle/heddle.hpp>

#include <cstdint>
#include <limits>

enum class Color : std::uint8_t { red, green, blue = 200 };
enum Level { low = -5, high = 5 };

template <class T>
bool is(const char* name, T wanted) {
  return heddle::input<T>(name) == wanted;
}

template <class T>
bool is_extreme(const char* name) {
  using Limits = std::numeric_limits<T>;
  return is<T>(name, Limits::is_signed ? Limits::min() : Limits::max());
}

int main() {
  if (!is("bool", true)) return 0;
  if (!is_extreme<char>("char")) return 0;
  if (!is_extreme<signed char>("signed char")) return 0;
  if (!is_extreme<unsigned char>("unsigned char")) return 0;
  if (!is_extreme<short>("short")) return 0;
  if (!is_extreme<unsigned short>("unsigned short")) return 0;
  if (!is_extreme<int>("int")) return 0;
  if (!is_extreme<unsigned>("unsigned")) return 0;
  if (!is_extreme<long>("long")) return 0;
  if (!is_extreme<unsigned long>("unsigned long")) return 0;
  if (!is_extreme<long long>("long long")) return 0;
  if (!is_extreme<unsigned long long>("unsigned long long")) return 0;
  if (!is_extreme<char16_t>("char16_t")) return 0;
  if (!is_extreme<wchar_t>("wchar_t")) return 0;
  if (!is("Color", Color::blue)) return 0;
  if (!is("Level", low)) return 0;
  unsigned char bytes[3];
  heddle::input_bytes(bytes, sizeof bytes, "bytes");
  if ((bytes[0] << 16 | bytes[1] << 8 | bytes[2]) != 0xfedcba) return 0;
  heddle_assert(false);
}
