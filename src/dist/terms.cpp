#include "dist/terms.h"

#include "base/assert.h"
#include "trace/execution_fields.h"

namespace heddle::dist {
namespace {

using explore::SavedSearch;
using symbolic::TermId;
using symbolic::TermStore;

// `visit` gets every number of a term, and gives back what is to stand there if the part may be changed.
template <class V, class Visit>
void visit_step(V& step, Visit& visit) {
  const bool branch = step.op.kind == trace::OpKind::kBranch || step.op.kind == trace::OpKind::kAssume;
  if (!branch && (!trace::on_memory(step.op.kind) || step.set.empty())) return;
  const std::uint64_t number = branch ? step.op.before : step.set.word_at(0);
  const TermId other = visit(TermId(static_cast<std::uint32_t>(number)));
  if constexpr (!std::is_const_v<V>) {
    if (branch)
      step.op.before = other.value;
    else
      step.set = SmallSet::word(other.value);
  }
}

template <trace::Described<SavedSearch> V, class Visit>
void visit_terms(V& search, Visit&& visit) {
  for (auto& step : search.path) visit_step(step, visit);
  for (auto& node : search.nodes) {
    for (auto& sequence : node.wakeups)
      for (auto& step : sequence) visit_step(step, visit);
    for (auto& step : node.explored) visit_step(step, visit);
  }
}

template <trace::Described<Tally> V, class Visit>
void visit_terms(V& tally, Visit&& visit) {
  for (auto& finding : tally.findings) {
    for (auto& step : finding.execution.steps) visit_step(step, visit);
    for (auto& pending : finding.execution.pending) visit_step(pending.step, visit);
    if (finding.execution.diverged_from) visit_step(*finding.execution.diverged_from, visit);
    for (auto& written : finding.execution.written_terms) {
      const TermId other = visit(TermId(written.term));
      if constexpr (!std::is_const_v<V>) written.term = other.value;
    }
  }
  if (!tally.parted) return;
  if (tally.parted->once) visit_step(*tally.parted->once, visit);
  if (tally.parted->again) visit_step(*tally.parted->again, visit);
}

template <class T>
std::vector<TermId> collected(const T& part) {
  std::vector<TermId> terms;
  visit_terms(part, [&](TermId term) {
    if (term != symbolic::kNoTerm) terms.push_back(term);
    return term;
  });
  return terms;
}

template <class T>
bool renumbered(T& part, const symbolic::Renumbering& numbers) {
  bool all = true;
  visit_terms(part, [&](TermId term) {
    if (term == symbolic::kNoTerm) return term;
    const auto known = numbers.find(term.value);
    all = all && known != numbers.end();
    return known == numbers.end() ? term : known->second;
  });
  return all;
}

}  // namespace

std::vector<TermId> terms_of(const SavedSearch& search) { return collected(search); }
std::vector<TermId> terms_of(const Tally& tally) { return collected(tally); }
bool renumber(SavedSearch& search, const symbolic::Renumbering& numbers) { return renumbered(search, numbers); }
bool renumber(Tally& tally, const symbolic::Renumbering& numbers) { return renumbered(tally, numbers); }

symbolic::TermParcel parcel_for(const TermStore& store, const SavedSearch& search) {
  return symbolic::pack(store, terms_of(search));
}

symbolic::TermParcel parcel_for(const TermStore& store, const WorkResult& result) {
  std::vector<TermId> terms = terms_of(result.search);
  for (const TermId term : terms_of(result.tally)) terms.push_back(term);
  return symbolic::pack(store, std::move(terms));
}

bool take_terms(TermStore& store, WorkItem& item) {
  const auto numbers = symbolic::unpack(store, std::exchange(item.terms, {}));
  return numbers && renumber(item.search, *numbers);
}

bool take_terms(TermStore& store, WorkResult& result) {
  const auto numbers = symbolic::unpack(store, std::exchange(result.terms, {}));
  return numbers && renumber(result.search, *numbers) && renumber(result.tally, *numbers);
}

void forget_terms(Tally& tally) {
  visit_terms(tally, [](TermId) { return symbolic::kNoTerm; });
}

void move_terms(const TermStore& from, TermStore& to, Tally& tally) {
  const auto numbers = symbolic::unpack(to, symbolic::pack(from, terms_of(tally)));
  INVARIANT(numbers.has_value());
  const bool all = renumber(tally, *numbers);
  INVARIANT(all);
}

}  // namespace heddle::dist
