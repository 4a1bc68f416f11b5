// Addresses to source positions and variables, by llvm-symbolizer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "native/protocol/messages.h"

namespace heddle::supervisor {

struct SourceFrame {
  std::string function;
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

// A global or static variable around an address.
struct Variable {
  std::string name;          // qualified, as in the source
  std::string module;        // file that holds it
  std::uint64_t offset = 0;  // of the address in it
};

// One batch: say what is wanted, look everything up at once (starting the tool is what costs), then ask.
class Symbolizer {
 public:
  explicit Symbolizer(std::vector<protocol::Module> modules);

  void want_code(std::uint64_t pc);
  void want_data(std::uint64_t address);
  // False: there is no llvm-symbolizer, and everything stays nameless.
  bool look_up();

  // Inlined functions first. Empty if unknown.
  const std::vector<SourceFrame>& code(std::uint64_t pc) const;
  std::optional<Variable> data(std::uint64_t address) const;
  // The address in the file that holds it.
  struct InFile {
    std::string module;
    std::uint64_t address = 0;
  };
  std::optional<InFile> in_file(std::uint64_t address) const;
  // "program+0x1234", for what has no name.
  std::string raw(std::uint64_t address) const;

 private:
  const protocol::Module* module_of(std::uint64_t address) const;
  void read_answer(const std::string& line, std::uint64_t address, bool code);

  std::vector<protocol::Module> modules_;
  std::map<std::uint64_t, std::vector<SourceFrame>> code_;
  std::map<std::uint64_t, std::optional<Variable>> data_;
};

}  // namespace heddle::supervisor
