// Properties of global states in the process that they are about: the supervisor has found what their names stand for,
// here they become objects, bytes whose accesses are steps, and call stacks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "native/protocol/messages.h"
#include "native/runtime/program.h"
#include "property/watched_program.h"
#include "unfold/global_search.h"

namespace heddle::runtime {

class Watch {
 public:
  Watch(NativeProgram& program, const protocol::PropertyOptions& options);

  bool empty() const { return options_.statements.empty(); }
  // Steps have to know their whole call stacks.
  bool needs_stacks() const { return !options_.lines.empty(); }

  // The program as it is to be run from now on. What was found out about objects since the last call counts.
  trace::Program& begin(property::Look look);
  std::vector<property::Property> properties() const;
  property::Changes::Locator locator();

  // About the states of an unfolding or a net.
  unfold::GlobalQuestions questions();

  // Why not every state was looked at as it is; empty: it was.
  std::string left_open() const;

 private:
  property::InputQuestions about_inputs() const;
  std::uint64_t own_address(std::uint32_t where);

  NativeProgram& program_;
  const protocol::PropertyOptions& options_;
  std::uint64_t bias_ = 0;                    // of the executable's addresses
  std::vector<std::uint64_t> initial_;        // of the variables, before the program runs
  std::vector<std::uint64_t> own_addresses_;  // by position, if known
  std::unique_ptr<property::WatchedProgram> watched_;
};

}  // namespace heddle::runtime
