#include "symbolic/term_parcel.h"

#include <algorithm>

namespace heddle::symbolic {
namespace {

PackedTerm packed(const TermStore& store, TermId number) {
  const Term& term = store[number];
  const bool input = term.kind == TermKind::kInput;
  return {number, term, input ? store.input_name(static_cast<std::size_t>(term.value)) : std::string()};
}

}  // namespace

TermParcel pack(const TermStore& store, std::vector<TermId> roots) {
  std::vector<bool> wanted(store.size(), false);
  std::vector<TermId> numbers;
  while (!roots.empty()) {
    const TermId number = roots.back();
    roots.pop_back();
    if (number == kNoTerm || wanted[number.index()]) continue;
    wanted[number.index()] = true;
    numbers.push_back(number);
    const Term& term = store[number];
    for (const TermId operand : {term.a, term.b, term.c}) roots.push_back(operand);
  }
  std::sort(numbers.begin(), numbers.end());
  TermParcel parcel;
  for (const TermId number : numbers) parcel.push_back(packed(store, number));
  return parcel;
}

TermParcel pack_from(const TermStore& store, std::size_t first) {
  TermParcel parcel;
  for (std::size_t i = std::max<std::size_t>(first, 1); i < store.size(); ++i)
    parcel.push_back(packed(store, TermId(static_cast<std::uint32_t>(i))));
  return parcel;
}

std::optional<Renumbering> unpack(TermStore& store, std::span<const PackedTerm> parcel) {
  Renumbering here;
  for (const PackedTerm& packed : parcel) {
    Term term = packed.term;
    for (TermId* operand : {&term.a, &term.b, &term.c}) {
      if (*operand == kNoTerm) continue;
      const auto known = here.find(operand->value);
      if (known == here.end()) return std::nullopt;
      *operand = known->second;
    }
    const TermId mine = store.find_or_adopt(term, packed.name);
    if (mine == kNoTerm || packed.number == kNoTerm || !here.emplace(packed.number.value, mine).second)
      return std::nullopt;
  }
  return here;
}

}  // namespace heddle::symbolic
