// What debug information says of a program's static memory and of its lines: where a name leads, one type at a time.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "native/supervisor/dwarf.h"

namespace heddle::supervisor {

// Somewhere in the static memory of the program.
struct StaticPlace {
  std::uint64_t address = 0;
  Dwarf_Die type{};
  std::size_t dimensions = 0;  // of an array: that have been chosen from already
  bool bit_field = false;      // a part of the memory there
};

class DebugInformation {
 public:
  explicit DebugInformation(const std::string& path);
  ~DebugInformation();
  DebugInformation(const DebugInformation&) = delete;
  DebugInformation& operator=(const DebugInformation&) = delete;

  // By qualified name; several if files or functions have one of that name each.
  const std::map<std::string, std::vector<StaticPlace>>& variables() const { return variables_; }

  // "table[3].next" or a part of it; nothing if there is no such place, or more than one.
  std::optional<StaticPlace> place(std::string_view name) const;

  // Why there is no place of that name though the variable is there; empty: it is not.
  std::string complaint(std::string_view name) const;

  // The members of the place that all but the last part of the name stands for, by their whole names.
  std::vector<std::pair<std::string, StaticPlace>> beside(std::string_view name) const;

  // What a type that holds only one thing holds.
  static StaticPlace innermost(StaticPlace at);

  struct Line {
    std::uint64_t first = 0, last = 0;  // addresses
    std::string file;
    std::uint32_t line = 0;
  };
  // The program's own line of every piece of code that has one.
  const std::vector<Line>& lines();

 private:
  struct Inlined {
    std::uint64_t first, last;
    int depth;
    std::string file;
    std::uint32_t line;
  };

  template <class F>
  void for_each_unit(F&& f);
  void list(Dwarf_Die& parent, const std::string& scope);
  void read_symbols();
  std::vector<std::pair<std::string, StaticPlace>> meant_by(std::string_view variable) const;
  void collect_inlined(Dwarf_Die& unit, Dwarf_Die& parent, int depth, std::vector<Inlined>& out);
  void read_lines();

  int file_ = -1;
  Dwarf* dwarf_ = nullptr;
  std::map<std::string, std::vector<StaticPlace>> variables_;
  std::map<std::string, std::uint64_t> in_functions_;  // addresses, by names as traces show them: f(int)::n
  std::set<std::string> thread_local_;
  std::vector<Line> lines_;
  bool lines_read_ = false;
};

}  // namespace heddle::supervisor
