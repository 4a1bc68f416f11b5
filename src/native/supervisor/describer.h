// Names for what a native execution holds as numbers: threads, objects, source positions.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "native/protocol/messages.h"
#include "native/supervisor/debug_types.h"
#include "native/supervisor/symbolizer.h"
#include "trace/program.h"

namespace heddle::supervisor {

class NativeDescriber final : public trace::Describer {
 public:
  // Looks up everything that the findings of `worker` mention.
  explicit NativeDescriber(const protocol::WorkerResult& worker);

  std::string thread_name(ThreadId thread) const override;
  std::string object_name(ObjectId object) const override;
  std::string value_text(ObjectId object, std::uint64_t value) const override;
  std::string position(std::uint32_t where) const override;
  std::string source_line(std::uint32_t where) const override;

  std::vector<std::string> stack(std::uint32_t where) const override;
  std::string input_name(const trace::InputValue& input) const override;
  // A place in memory: a variable with its member, or a heap block with its origin.
  struct Place {
    std::uint64_t address = 0;
    bool on_heap = false;
    std::uint32_t allocated_at = 0;
    std::uint64_t block_size = 0;
    std::uint64_t offset = 0;
  };
  std::string place_name(const Place& place) const;
  // What lies where a plain access went to (WorkerResult::data): its whole name, and what it holds.
  Member data_at(std::uint64_t address) const;
  // What may be said of a position by name: functions, files and libraries. Innermost: of the access or call itself,
  // and where the program itself was.
  enum class Frames : std::uint8_t { kInnermost, kAll };
  std::vector<std::string> names_at(std::uint32_t where, Frames which) const;
  // A global or static one.
  bool is_variable(std::uint64_t address) const { return symbolizer_.data(address).has_value(); }
  // Is it the C++ library that acts there, by itself? Its atomics only do what the program tells them to.
  bool inside_standard_library(std::uint32_t where) const;
  // Has the program called a function of the C++ library there that tells it what other threads have done, without
  // being ordered behind it: shared_ptr::use_count, or mutex::try_lock?
  bool library_tells_of(std::uint32_t where) const;

 private:
  void want(std::uint32_t where);
  std::set<std::uint32_t> want_steps(const explore::ExploreResult& result);
  void want_data(const protocol::WorkerResult& worker);
  void name_objects(const std::set<std::uint32_t>& objects);
  void name_data(const protocol::WorkerResult& worker);
  // A place's whole name, in the path.
  Member name_place(const Place& place);
  // The local variable at an address, if one of the stacks that are known reaches there.
  Member name_local(std::uint64_t address);
  void note_surroundings(const trace::Execution& execution);
  std::vector<SourceFrame> frames(std::uint32_t where) const;
  // Where the program itself was: the innermost frame that is not of the standard library.
  const SourceFrame* own_frame(const std::vector<SourceFrame>& frames) const;

  std::vector<protocol::ThreadInfo> threads_;
  std::map<std::pair<std::uint16_t, std::uint32_t>, std::string> input_labels_;  // by thread and ordinal
  std::vector<protocol::ObjectInfo> objects_;
  std::vector<protocol::Position> positions_;
  std::string program_;            // path of the executable
  std::set<std::uint32_t> exact_;  // positions whose first address is no return address
  Symbolizer symbolizer_;
  DebugTypes types_;
  std::map<std::uint64_t, std::string> names_;  // of places by address
  std::map<std::uint64_t, Scalar> scalars_;     // what they hold
  std::map<std::uint64_t, Member> data_;        // of plain accesses by address
  // Where threads were around the last access to a place, the nearest first.
  std::map<std::uint64_t, std::vector<std::uint32_t>> surroundings_;
};

}  // namespace heddle::supervisor
