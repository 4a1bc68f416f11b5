// What a property says, ready to be asked about states: a condition over *atoms*. An atom is something that a global
// state makes a number of: the value of a shared variable, whether a lock is held, where a thread is, whether it has
// ended.
//
// The condition is a term (symbolic/term.h) whose inputs are the atoms, so there is one arithmetic: a state with
// numbers is evaluated, and where a variable holds a value that depends on the program's inputs, its term is put in the
// atom's place and a solver asked. All operators are total, as they are there: what C leaves undefined (a division by
// zero, a sum that overflows) has a value here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/strong_id.h"
#include "symbolic/term.h"

namespace heddle::property {

struct Type {
  std::uint8_t bits = 32;
  bool is_signed = true;
  bool operator==(const Type&) const = default;
};

enum class AtomKind : std::uint8_t {
  kValue,     // of the memory `object`
  kLocked,    // somebody holds `object`
  kHeldBy,    // `thread` holds `object`
  kAt,        // the next operation of `thread` is at one of `places`
  kEnded,     // `thread` has come to its end
  kDeadlock,  // nobody can go on, and somebody waits
};

// Positions as the front end numbers them, or what it makes of them (Changes::Locator); both ends belong to it.
struct PlaceRange {
  std::uint64_t first = 0, last = 0;
  bool operator==(const PlaceRange&) const = default;
};

struct Atom {
  AtomKind kind = AtomKind::kValue;
  std::string text;  // as it was written
  Type type{1, false};
  ObjectId object = kNoObject;
  std::uint64_t initial = 0;  // kValue: before any step
  ThreadId thread = kNoThread;
  bool from_start = true;  // the thread: it is there before the first step
  std::vector<PlaceRange> places;
};

// Is this one of them?
inline bool stands_in(const Atom& atom, std::uint64_t place) {
  return std::any_of(atom.places.begin(), atom.places.end(),
                     [&](const PlaceRange& r) { return r.first <= place && place <= r.last; });
}

// The bits that the type has.
inline std::uint64_t narrowed(std::uint64_t value, Type type) {
  return type.bits >= 64 ? value : value & ((std::uint64_t{1} << type.bits) - 1);
}

struct Expression {
  std::vector<Atom> atoms;  // the input number i of `terms` is atom i
  symbolic::TermStore terms;
};

}  // namespace heddle::property
