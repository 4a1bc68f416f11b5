// What the atoms of a property are in a marking of the net. A marking determines them: the value of a variable is in
// its place, named by its origin, with the number or the term that its writer left; where a thread is, whether it has
// ended and which locks it holds is in its local state, whatever the others do.
#pragma once

#include <vector>

#include "net/program_net.h"
#include "property/changes.h"

namespace heddle::stateful {

class NetAtoms {
 public:
  NetAtoms(net::ProgramNet& net, const std::vector<property::Atom>& atoms, property::Changes::Locator locator)
      : net_(net), atoms_(atoms), locator_(std::move(locator)), holds_(atoms.size()) {}

  // By atom. `deadlocked`: nobody can go on in the marking, and somebody waits.
  void read(const net::Marking& marking, bool deadlocked, std::vector<property::AtomValue>& values);

 private:
  property::AtomValue value_of(const property::Atom& atom, const net::Marking& marking) const;
  bool locked(const property::Atom& atom, const net::Marking& marking) const;
  bool held(std::uint32_t atom, net::LocalId p);
  bool stands(const property::Atom& atom, const net::LocalState& state) const;

  net::ProgramNet& net_;
  const std::vector<property::Atom>& atoms_;
  property::Changes::Locator locator_;
  std::vector<std::vector<std::uint8_t>> holds_;  // by atom and local state: how often the thread holds the lock, and 1
};

}  // namespace heddle::stateful
