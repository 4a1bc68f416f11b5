#pragma once

#include <mutex>

// Sells tickets to whoever comes first.
class Office {
 public:
  explicit Office(int tickets) : left_(tickets) {}
  bool buy();
  int left();

 private:
  std::mutex mutex_;
  int left_;
};
