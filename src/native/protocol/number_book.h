// Who has which number: threads by their place in the spawn tree, objects by their address, positions by their call
// stack. A search by several explorers has one such book, and whoever meets something asks it.
#pragma once

#include <optional>
#include <unordered_map>
#include <variant>

#include "native/protocol/messages.h"

namespace heddle::protocol {

using Numbered = std::variant<NumberedThread, NumberedObject, Position>;

class NumberBook {
 public:
  explicit NumberBook(Numbers numbers = {});

  std::optional<std::uint32_t> find(const Numbered& thing) const;
  std::uint32_t find_or_add(const Numbered& thing);
  const Numbers& numbers() const { return numbers_; }

 private:
  void index(const Numbered& thing, std::uint32_t number);

  Numbers numbers_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash_;
};

}  // namespace heddle::protocol
