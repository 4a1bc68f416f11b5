// Memory orders of accesses and fences, and the memory models under which they have a meaning (docs/memory-models.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle::trace {

// The strongest is 0: an operation that says nothing is sequentially consistent.
enum class MemoryOrder : std::uint8_t {
  kSeqCst,
  kPlain,  // no atomic access at all: conflicting ones that nothing orders are a data race
  kRelaxed,
  kAcquire,
  kRelease,
  kAcqRel,
};
inline constexpr int kMemoryOrders = static_cast<int>(MemoryOrder::kAcqRel) + 1;

constexpr bool acquires(MemoryOrder o) {
  return o == MemoryOrder::kSeqCst || o == MemoryOrder::kAcquire || o == MemoryOrder::kAcqRel;
}
constexpr bool releases(MemoryOrder o) {
  return o == MemoryOrder::kSeqCst || o == MemoryOrder::kRelease || o == MemoryOrder::kAcqRel;
}
// What is left of the order of a compare-exchange that fails: it only reads.
constexpr MemoryOrder order_of_failure(MemoryOrder o) {
  if (o == MemoryOrder::kRelease) return MemoryOrder::kRelaxed;
  return o == MemoryOrder::kAcqRel ? MemoryOrder::kAcquire : o;
}

// The weakest that is as strong as both, the strongest that is as weak as both. A plain access stays one.
constexpr MemoryOrder order_that(bool acquires, bool releases) {
  if (acquires) return releases ? MemoryOrder::kAcqRel : MemoryOrder::kAcquire;
  return releases ? MemoryOrder::kRelease : MemoryOrder::kRelaxed;
}
constexpr MemoryOrder stronger_of(MemoryOrder a, MemoryOrder b) {
  if (a == MemoryOrder::kPlain || b == MemoryOrder::kPlain) return MemoryOrder::kPlain;
  if (a == MemoryOrder::kSeqCst || b == MemoryOrder::kSeqCst) return MemoryOrder::kSeqCst;
  return order_that(acquires(a) || acquires(b), releases(a) || releases(b));
}
constexpr MemoryOrder weaker_of(MemoryOrder a, MemoryOrder b) {
  if (a == MemoryOrder::kPlain || b == MemoryOrder::kPlain) return MemoryOrder::kPlain;
  if (a == MemoryOrder::kSeqCst) return b;
  if (b == MemoryOrder::kSeqCst) return a;
  return order_that(acquires(a) && acquires(b), releases(a) && releases(b));
}

// Accesses and fences at a place of the source have at least this order, or at most, instead of their own.
struct OrderAt {
  std::uint32_t where = 0;
  MemoryOrder order = MemoryOrder::kSeqCst;
  bool weakens = false;
};
// The order of an access there that has `own` in the source. A compare-exchange that fails has what is left of the
// place's, unless its own is stronger (weaker) already.
constexpr MemoryOrder order_there(const OrderAt& at, MemoryOrder own, bool failed = false) {
  const MemoryOrder given = failed ? order_of_failure(at.order) : at.order;
  return at.weakens ? weaker_of(own, given) : stronger_of(own, given);
}

enum class MemoryModel : std::uint8_t { kSc, kTso, kCpp20 };
inline constexpr MemoryModel kMemoryModels[] = {MemoryModel::kSc, MemoryModel::kTso, MemoryModel::kCpp20};

const char* name_of(MemoryOrder order);
const char* name_of(MemoryModel model);
std::optional<MemoryOrder> memory_order_named(std::string_view word);
std::optional<MemoryModel> memory_model_named(std::string_view word);

}  // namespace heddle::trace
