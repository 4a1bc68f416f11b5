#include "office.h"

#ifdef WITHOUT_LOCK
bool Office::buy() {
  if (left_ == 0) return false;
  --left_;
  return true;
}
#else
bool Office::buy() {
  std::lock_guard lock(mutex_);
  if (left_ == 0) return false;
  --left_;
  return true;
}
#endif

int Office::left() {
  std::lock_guard lock(mutex_);
  return left_;
}
