// Parts of a search speak of terms over inputs by their numbers: branches name the condition that they decide, steps
// and executions the values that memory has. A number means something in one store only, so a part that is sent comes
// with the terms it speaks of (symbolic/term_parcel.h), and whoever takes it puts the numbers of his own store in their
// places. Whoever keeps the search has a store that does nothing but number terms, so that parts can be compared.
#pragma once

#include "dist/work_item.h"
#include "symbolic/term_parcel.h"

namespace heddle::dist {

std::vector<symbolic::TermId> terms_of(const explore::SavedSearch& search);
std::vector<symbolic::TermId> terms_of(const Tally& tally);
// False: it speaks of a term that has no new number.
bool renumber(explore::SavedSearch& search, const symbolic::Renumbering& numbers);
bool renumber(Tally& tally, const symbolic::Renumbering& numbers);

// Terms to go with an item, or a result, of which the numbers are those of this store.
symbolic::TermParcel parcel_for(const symbolic::TermStore& store, const explore::SavedSearch& search);
symbolic::TermParcel parcel_for(const symbolic::TermStore& store, const WorkResult& result);
// The numbers of this store, instead of those of the parcel that came with it. False: it contradicts itself.
bool take_terms(symbolic::TermStore& store, WorkItem& item);
bool take_terms(symbolic::TermStore& store, WorkResult& result);
// A tally for somebody who has none of these terms, and looks at the executions again.
void forget_terms(Tally& tally);
// A tally that speaks of terms of one store speaks of those of another from now on.
void move_terms(const symbolic::TermStore& from, symbolic::TermStore& to, Tally& tally);

}  // namespace heddle::dist
