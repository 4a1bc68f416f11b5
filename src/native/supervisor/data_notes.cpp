// What a thread does with one variable between two of its steps becomes one note: what it found there, and what it
// left. Of a container of the standard library nobody wants to see the pointers: the note says how many elements it
// had, which follows from what lay around the access in memory and from how libstdc++ arranges it.
#include "native/supervisor/data_notes.h"

#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "native/supervisor/scalar_text.h"

namespace heddle::supervisor {
namespace {

using explore::DataNote;

// A container's bytes, as far as they are known.
class Image {
 public:
  Image(const std::vector<std::uint8_t>& around, const Container& container)
      : around_(around),
        begin_(protocol::kDataAround - container.before),
        known_(container.before <= protocol::kDataAround) {}
  std::optional<std::uint64_t> word(std::size_t offset) const {
    std::uint64_t value = 0;
    if (!known_ || begin_ + offset + sizeof value > around_.size()) return std::nullopt;
    std::memcpy(&value, around_.data() + begin_ + offset, sizeof value);
    return value;
  }

 private:
  const std::vector<std::uint8_t>& around_;
  std::size_t begin_;
  bool known_;
};

std::optional<std::uint64_t> words_apart(const Image& image, std::size_t from, std::size_t to, std::uint64_t unit) {
  const auto a = image.word(from), b = image.word(to);
  if (!a || !b || unit == 0 || *b < *a) return std::nullopt;
  return (*b - *a) / unit;
}

// A deque's blocks hold 512 bytes each, or one element; the first and the last are used in part.
std::optional<std::uint64_t> deque_size(const Image& image, std::uint64_t element) {
  if (element == 0) return std::nullopt;
  const std::uint64_t per_block = element < 512 ? 512 / element : 1;
  const auto blocks = words_apart(image, 40, 72, sizeof(void*));
  const auto first = words_apart(image, 16, 32, element), last = words_apart(image, 56, 48, element);
  if (!blocks || !first || !last) return std::nullopt;
  return (*blocks * per_block + *first + *last) - per_block;
}

std::optional<std::uint64_t> container_size(const std::vector<std::uint8_t>& around, const Container& container) {
  const Image image(around, container);
  constexpr std::uint64_t kMost = 1u << 30;  // more than that is no container (yet)
  std::optional<std::uint64_t> size;
  switch (container.kind) {
    case Container::Kind::kVector:
      size = words_apart(image, 0, 8, container.element);
      break;
    case Container::Kind::kDeque:
      size = deque_size(image, container.element);
      break;
    case Container::Kind::kString:
      size = image.word(8);
      break;
    case Container::Kind::kList:
      size = image.word(16);
      break;
    case Container::Kind::kTree:
      size = image.word(40);
      break;
    case Container::Kind::kHashed:
      size = image.word(24);
      break;
    case Container::Kind::kNone:
      break;
  }
  return size && *size < kMost ? size : std::nullopt;
}

class Notes {
 public:
  explicit Notes(const NativeDescriber& describer) : describer_(describer) {}

  void add(const protocol::DataAccess& access) {
    const Member member = describer_.data_at(access.address);
    const bool contained = member.container.kind != Container::Kind::kNone;
    // Blocks of which nothing is known but where they come from: the library's own, buffers of containers.
    const bool nameless = member.path.empty() || member.path.starts_with("(block of") ||
                          member.path.starts_with("heap block of") || member.path.starts_with("__") ||
                          member.path.starts_with("0x") || member.path.find("+0x") != member.path.npos;
    const bool whole = contained || (access.size <= sizeof access.before &&
                                     (member.scalar.size == 0 || member.scalar.size == access.size));
    if (nameless || !whole || describer_.position(access.where).empty()) return;
    const std::uint64_t place = access.address - member.container.before;
    const auto text = [&](std::uint64_t value, const std::vector<std::uint8_t>& around) -> std::optional<std::string> {
      if (!contained) return scalar_text(member.scalar, value);
      const auto size = container_size(around, member.container);
      return size ? std::optional(std::to_string(*size)) : std::nullopt;
    };
    const auto before = text(access.before, access.around_before), after = text(access.after, access.around_after);
    if (!before || !after) return;
    const auto [known, added] = open_.try_emplace({access.thread.value, access.step, place}, notes_.size());
    if (added) {
      notes_.push_back({access.step, access.thread, access.where, name(member, place, contained), *before, *after,
                        access.write && (!contained || *before != *after), access.distance});
      return;
    }
    DataNote& note = notes_[known->second];
    if (access.write) note.where = access.where;
    note.after = *after;
    note.write = note.write || (access.write && (!contained || note.before != note.after));
    note.distance = std::min(note.distance, access.distance);
  }

  // What a thread sees again is told once; addresses that nobody changes say nothing.
  std::vector<DataNote> told() {
    std::vector<DataNote> out;
    std::set<std::string> changed;
    for (const DataNote& note : notes_)
      if (note.write && note.before != note.after) changed.insert(note.object);
    std::map<std::pair<std::uint16_t, std::string>, std::string> seen;
    for (DataNote& note : notes_) {
      std::string& last = seen[{note.thread.value, note.object}];
      const bool address =
          (note.after.starts_with("0x") && !changed.contains(note.object)) ||
          (note.distance == explore::kUnrelated && (note.before.starts_with("0x") || note.after.starts_with("0x")));
      const bool again = address || (!note.write && note.distance > 0 && last == note.after);
      last = note.after;
      if (!again && (note.write || note.distance < explore::kUnrelated)) out.push_back(note);
    }
    return out;
  }

 private:
  // Two places of one name are numbered.
  std::string name(const Member& member, std::uint64_t place, bool contained) {
    std::map<std::uint64_t, std::size_t>& numbers = named_[member.path];
    const std::size_t number = numbers.try_emplace(place, numbers.size() + 1).first->second;
    return member.path + (number == 1 ? "" : " #" + std::to_string(number)) + (contained ? ".size()" : "");
  }

  const NativeDescriber& describer_;
  std::vector<DataNote> notes_;
  std::map<std::tuple<std::uint16_t, EventIndex, std::uint64_t>, std::size_t> open_;  // by thread, step and place
  std::map<std::string, std::map<std::uint64_t, std::size_t>> named_;
};

}  // namespace

void note_data(protocol::WorkerResult& worker, const NativeDescriber& describer) {
  std::map<std::uint32_t, Notes> notes;
  for (const protocol::DataAccess& access : worker.data)
    if (access.finding < worker.result.findings.size())
      notes.try_emplace(access.finding, describer).first->second.add(access);
  for (auto& [finding, all] : notes) worker.result.findings[finding].data = all.told();
}

}  // namespace heddle::supervisor
