// Terms on their way from one store to another. A number of a term means something in one store only (term.h), so what
// speaks of terms travels together with them: each with its number there and with all it is made of, operands first.
// Whoever unpacks such a parcel has terms of the same structure in a store of its own, and learns which number has
// become which. Inputs are known by their names.
//
// Nothing is simplified on the way, so a term that comes back is the term that went.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "symbolic/term.h"

namespace heddle::symbolic {

struct PackedTerm {
  TermId number;     // in the store that it comes from
  Term term;         // operands by their numbers there
  std::string name;  // of an input
  bool operator==(const PackedTerm&) const = default;
};

using TermParcel = std::vector<PackedTerm>;
using Renumbering = std::unordered_map<std::uint32_t, TermId>;  // from the numbers of a parcel to those of a store

// `roots` and whatever they are made of, by rising numbers.
TermParcel pack(const TermStore& store, std::vector<TermId> roots);
// All terms from this number on.
TermParcel pack_from(const TermStore& store, std::size_t first);
// Nothing: it speaks of terms that it does not have, or that cannot be.
std::optional<Renumbering> unpack(TermStore& store, std::span<const PackedTerm> parcel);

}  // namespace heddle::symbolic
