// What names in properties stand for: a front end knows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "property/expression.h"

namespace heddle::property {

enum class NameKind : std::uint8_t { kVariable, kLock, kThread, kLabel };

struct NamedVariable {
  ObjectId object;
  Type type;
  std::uint64_t initial = 0;  // its value before the first step
};

struct NamedThread {
  ThreadId thread;
  bool from_start = true;
};

// A line, or why there is none of that name.
struct NamedPlace {
  std::vector<PlaceRange> places;
  std::string complaint;
};

// Where a name leads through a pointer, or to an object that is made while the program runs.
inline constexpr const char* kNotFollowed =
    "pointers are not followed, and objects on the heap have no names here: they may be other places in every state; "
    "name a "
    "global or static variable and its members, or say it in the program as an assertion";

class Names {
 public:
  virtual ~Names() = default;
  virtual std::optional<std::int64_t> constant(std::string_view) const { return std::nullopt; }
  virtual std::optional<NamedVariable> variable(std::string_view name) const = 0;
  virtual std::optional<ObjectId> lock(std::string_view name) const = 0;
  virtual std::optional<NamedThread> thread(std::string_view name) const = 0;
  // "31", "file.cpp:31".
  virtual NamedPlace line(std::string_view text) const = 0;
  virtual std::optional<std::vector<PlaceRange>> label(std::string_view name) const = 0;
  // Why a name that is there cannot be used; empty: it is not there.
  virtual std::string complaint(NameKind, std::string_view) const { return {}; }
  // All that there are, for messages; a front end that cannot list them gives those that resemble `like`.
  virtual std::vector<std::string> known(NameKind kind, std::string_view like) const = 0;
};

}  // namespace heddle::property
