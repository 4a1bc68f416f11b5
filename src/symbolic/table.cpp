#include "symbolic/table.h"

#include <bit>

#include "base/assert.h"

namespace heddle::symbolic {
namespace {

// The elements whose indices agree with `elements[0]` in all bits but the lowest `bits`.
TermId choose(TermStore& store, TermId index, std::span<const TermId> elements, unsigned bits) {
  if (elements.size() == 1) return elements[0];
  const std::size_t half = std::size_t{1} << (bits - 1);
  if (elements.size() <= half) return choose(store, index, elements, bits - 1);  // the bit is 0
  const TermId upper = choose(store, index, elements.subspan(half), bits - 1);
  const TermId lower = choose(store, index, elements.first(half), bits - 1);
  return upper == lower ? upper : store.ite(store.extract(index, bits - 1, 1), upper, lower);
}

}  // namespace

TermId element_of(TermStore& store, TermId index, std::span<const TermId> elements) {
  REQUIRE(!elements.empty());
  const auto bits = static_cast<unsigned>(std::bit_width(elements.size() - 1));
  REQUIRE(bits <= store.width(index));
  return choose(store, index, elements, bits);
}

}  // namespace heddle::symbolic
