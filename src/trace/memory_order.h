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

// Accesses and fences at a place of the source have this order.
struct OrderAt {
  std::uint32_t where = 0;
  MemoryOrder order = MemoryOrder::kSeqCst;
};

enum class MemoryModel : std::uint8_t { kSc, kTso, kCpp20 };
inline constexpr MemoryModel kMemoryModels[] = {MemoryModel::kSc, MemoryModel::kTso, MemoryModel::kCpp20};

const char* name_of(MemoryOrder order);
const char* name_of(MemoryModel model);
std::optional<MemoryOrder> memory_order_named(std::string_view word);
std::optional<MemoryModel> memory_model_named(std::string_view word);

}  // namespace heddle::trace
