#include "random_term.h"

namespace heddle::symbolic {

TermId random_condition(TermStore& store, Random& random, unsigned width, int size) {
  const auto kind = static_cast<TermKind>(static_cast<int>(TermKind::kEq) + static_cast<int>(random.below(5)));
  const TermId a = random_term(store, random, width, size / 2), b = random_term(store, random, width, size / 2);
  const TermId c = store.make(kind, a, b);
  return random.below(4) == 0 ? store.negation(c) : c;
}

TermId random_term(TermStore& store, Random& random, unsigned width, int size) {
  const auto below = [&](unsigned w) { return random_term(store, random, w, size / 2); };
  if (size <= 0) {
    if (random.below(4) == 0) {
      const Bits interesting[] = {0, 1, 2, ~Bits{0}, Bits{1} << (width - 1), random.next()};
      return store.constant(width, interesting[random.below(6)]);
    }
    const char* const names[] = {"a", "b", "c"};
    return store.input(width, names[random.below(3)] + std::to_string(width));
  }
  switch (random.below(12)) {
    case 0:
      return store.make(random.below(2) ? TermKind::kNot : TermKind::kNeg, random_term(store, random, width, size - 1));
    case 1:
      return store.ite(random_condition(store, random, width, size / 3), below(width), below(width));
    case 2:
      if (width < 2) return below(width);
      return store.make(TermKind::kConcat, random_term(store, random, width / 2, size / 3),
                        random_term(store, random, width - width / 2, size / 3));
    case 3:
      if (width > 32) return below(width);
      return store.extract(random_term(store, random, width + 3, size / 2), static_cast<unsigned>(random.below(4)),
                           width);
    case 4:
      if (width < 3) return below(width);
      return store.extend(random.below(2) ? TermKind::kZext : TermKind::kSext,
                          random_term(store, random, width - 2, size / 2), width);
    default: {
      constexpr int kFirst = static_cast<int>(TermKind::kAnd), kLast = static_cast<int>(TermKind::kAshr);
      const auto kind = static_cast<TermKind>(kFirst + static_cast<int>(random.below(kLast - kFirst + 1)));
      return store.make(kind, below(width), below(width));
    }
  }
}

}  // namespace heddle::symbolic
