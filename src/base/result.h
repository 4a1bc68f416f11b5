// A user's or the environment's error is a value: one sentence with the fact and the remedy. Bugs of the program
// under test are Findings (trace/outcome.h) and bugs of ours are assertions (base/assert.h); the three never mix.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "base/assert.h"

namespace heddle {

struct Error {
  std::string message;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() {
    REQUIRE(ok());
    return std::get<0>(state_);
  }
  const T& value() const {
    REQUIRE(ok());
    return std::get<0>(state_);
  }
  T& operator*() { return value(); }
  T* operator->() { return &value(); }
  const Error& error() const {
    REQUIRE(!ok());
    return std::get<1>(state_);
  }

 private:
  std::variant<T, Error> state_;
};

}  // namespace heddle
