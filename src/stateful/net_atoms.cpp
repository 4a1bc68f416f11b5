#include "stateful/net_atoms.h"

namespace heddle::stateful {

using net::kNoLocal;
using net::kNoStep;
using net::LocalId;
using net::LocalState;
using net::Status;
using property::Atom;
using property::AtomKind;
using property::AtomValue;
using trace::OpKind;

void NetAtoms::read(const net::Marking& marking, bool deadlocked, std::vector<AtomValue>& values) {
  values.assign(atoms_.size(), {});
  for (std::uint32_t a = 0; a < atoms_.size(); ++a) {
    const Atom& atom = atoms_[a];
    const LocalId p = atom.thread == kNoThread ? kNoLocal : marking.local(atom.thread);
    switch (atom.kind) {
      case AtomKind::kValue:
        values[a] = value_of(atom, marking);
        break;
      case AtomKind::kLocked:
        values[a].value = locked(atom, marking);
        break;
      case AtomKind::kHeldBy:
        values[a].value = p != kNoLocal && held(a, p);
        break;
      case AtomKind::kAt:
        values[a].value = p != kNoLocal && stands(atom, net_[p]);
        break;
      case AtomKind::kEnded:  // a thread that is there from the start and does nothing has no place
        values[a].value = p == kNoLocal ? atom.from_start : net::ends(net_[p].status);
        break;
      case AtomKind::kDeadlock:
        values[a].value = deadlocked;
        break;
    }
  }
}

AtomValue NetAtoms::value_of(const Atom& atom, const net::Marking& marking) const {
  if (!net_.uses(atom.object)) return {narrowed(atom.initial, atom.type), {}};
  const net::ValueId v = marking.value(net_, atom.object);
  if (v == net_.initial(atom.object)) return {narrowed(atom.initial, atom.type), {}};
  return {narrowed(net_[v].state, atom.type), symbolic::TermId(net_[v].term)};
}

bool NetAtoms::locked(const Atom& atom, const net::Marking& marking) const {
  if (!net_.uses(atom.object)) return false;
  const net::Value& v = net_[marking.value(net_, atom.object)];
  return v.known && v.state != 0;
}

// Read off the thread's own steps. What a thread did before it was woken is what led to the local state it was in then.
bool NetAtoms::held(std::uint32_t a, LocalId p) {
  std::vector<std::uint8_t>& known = holds_[a];
  if (known.size() < net_.local_ids()) known.resize(net_.local_ids(), 0);
  const auto before = [&](LocalId q) { return net_[q].by != kNoStep ? net_[net_[q].by].from : net_[q].parent; };
  std::vector<LocalId> way;
  while (p != kNoLocal && known[p.index()] == 0) {
    way.push_back(p);
    p = before(p);
  }
  std::uint8_t count = p == kNoLocal ? 1 : known[p.index()];
  for (std::size_t i = way.size(); i-- > 0;) {
    const LocalState& state = net_[way[i]];
    if (state.by != kNoStep && net_[net_[state.by].from].object == atoms_[a].object) {
      const OpKind kind = net_[state.by].kind;
      if (takes_lock(kind)) ++count;
      if (gives_lock(kind) && count > 1) --count;
    }
    known[way[i].index()] = count;
  }
  return count > 1;
}

bool NetAtoms::stands(const Atom& atom, const LocalState& state) const {
  const LocalState* at = nullptr;
  if (state.status == Status::kPending || state.stands)
    at = &state;
  else if (state.status == Status::kParked && state.by != kNoStep)
    at = &net_[net_[state.by].from];  // at its wait
  return at != nullptr && stands_in(atom, locator_ ? locator_(at->where) : at->where);
}

}  // namespace heddle::stateful
