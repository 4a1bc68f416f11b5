#include "native/protocol/number_book.h"

#include "base/random.h"

namespace heddle::protocol {
namespace {

// An object is known by its address, however long the accesses to it are.
std::uint64_t hash_of(const Numbered& thing) {
  std::uint64_t hash = mix(thing.index() + 1);
  const auto add = [&](std::uint64_t word) { hash = mix(hash ^ word); };
  if (const auto* thread = std::get_if<NumberedThread>(&thing)) {
    add(thread->parent.value);
    add(thread->ordinal);
  } else if (const auto* object = std::get_if<NumberedObject>(&thing)) {
    add(object->address);
  } else {
    const Position& position = std::get<Position>(thing);
    for (const std::uint64_t pc : position.pcs) add(pc);
    for (const std::uint64_t sp : position.stack_pointers) add(sp);
  }
  return hash;
}

bool is_at(const Numbers& numbers, std::uint32_t number, const Numbered& thing) {
  if (const auto* thread = std::get_if<NumberedThread>(&thing))
    return number < numbers.threads.size() && numbers.threads[number] == *thread;
  if (const auto* object = std::get_if<NumberedObject>(&thing))
    return number < numbers.objects.size() && numbers.objects[number].address == object->address;
  return number < numbers.positions.size() && numbers.positions[number] == std::get<Position>(thing);
}

}  // namespace

NumberBook::NumberBook(Numbers numbers) : numbers_(std::move(numbers)) {
  if (numbers_.threads.empty()) numbers_.threads.emplace_back();
  if (numbers_.positions.empty()) numbers_.positions.emplace_back();
  std::uint32_t n = 0;
  for (const NumberedThread& thread : numbers_.threads) index(thread, n++);
  n = 0;
  for (const NumberedObject& object : numbers_.objects) index(object, n++);
  n = 0;
  for (const Position& position : numbers_.positions) index(position, n++);
}

void NumberBook::index(const Numbered& thing, std::uint32_t number) { by_hash_.emplace(hash_of(thing), number); }

std::optional<std::uint32_t> NumberBook::find(const Numbered& thing) const {
  const auto [first, last] = by_hash_.equal_range(hash_of(thing));
  for (auto known = first; known != last; ++known)
    if (is_at(numbers_, known->second, thing)) return known->second;
  return std::nullopt;
}

std::uint32_t NumberBook::find_or_add(const Numbered& thing) {
  if (const auto known = find(thing)) return *known;
  const auto added = [&](auto& list, const auto& value) {
    list.push_back(value);
    return static_cast<std::uint32_t>(list.size() - 1);
  };
  std::uint32_t number = 0;
  if (const auto* thread = std::get_if<NumberedThread>(&thing))
    number = added(numbers_.threads, *thread);
  else if (const auto* object = std::get_if<NumberedObject>(&thing))
    number = added(numbers_.objects, *object);
  else
    number = added(numbers_.positions, std::get<Position>(thing));
  index(thing, number);
  return number;
}

}  // namespace heddle::protocol
