#include "native/runtime/heap.h"

#include <string.h>
#include <sys/mman.h>

#include "base/random.h"
#include "native/runtime/engine_memory.h"
#include "native/runtime/failure.h"
#include "native/runtime/parts.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/raw.h"
#include "native/runtime/runtime.h"
#include "native/runtime/shadow.h"
#include "native/runtime/sharing.h"
#include "native/runtime/world.h"

namespace heddle::runtime {

constinit Heap heap;

namespace {
constexpr std::uint16_t kLive = 0x4c49;
constexpr std::uint16_t kDead = 0x4445;
constexpr std::size_t kTailRedzone = 16;
// Memory beyond this is given back to the system at the end of an execution instead of being cleared.
constexpr std::size_t kClearedInPlace = 1u << 20;

std::size_t class_of(std::uint32_t units) { return units <= 32 ? units - 1 : 32; }

// A block's part in what a thread has allocated and not freed (turns.h).
std::uint64_t share_of(std::uintptr_t user) { return mix(user); }

std::uintptr_t arena_base(std::size_t i) { return Heap::kBase + i * Heap::kArenaBytes; }
}  // namespace

void Heap::prepare() {
  reserve_pages(kBytes, kBase);
  poison_ = static_cast<std::uint8_t*>(reserve_pages(kBytes / 8));
  for (std::size_t i = 0; i < kMaxThreads; ++i) arena_[i].top = arena_base(i);
}

void Heap::poison(std::uintptr_t from, std::uintptr_t to, std::uint8_t value) {
  memset(poison_ + ((from - kBase) >> 3), value, (to - from) >> 3);
}

Block* Heap::take_from_quarantine(Arena& arena, std::uint32_t units) {
  Queue& queue = arena.free[class_of(units)];
  Block* block = queue.first;
  // In the class of large blocks only an exact fit is taken, from the front: no searching.
  if (!block || block->capacity != units) return nullptr;
  queue.first = block->next;
  if (!queue.first) queue.last = nullptr;
  arena.quarantined -= std::size_t{units} * 16;
  return block;
}

Block* Heap::carve(Arena& arena, std::size_t size, std::size_t alignment) {
  std::uintptr_t user = arena.top + sizeof(Block);
  if (alignment > 16) user = (user + alignment - 1) & ~(alignment - 1);
  const std::uintptr_t end = (user + size + kTailRedzone + 15) & ~std::uintptr_t{15};
  const std::size_t index = static_cast<std::size_t>(&arena - arena_);
  if (size > kArenaBytes || end > arena_base(index) + kArenaBytes) return nullptr;
  poison(arena.top, user, kRedzone);
  arena.top = end;
  auto block = reinterpret_cast<Block*>(user) - 1;
  block->capacity = static_cast<std::uint32_t>((end - kTailRedzone - user) / 16);
  return block;
}

void* Heap::allocate(std::size_t size, std::size_t alignment, const void* pc) {
  if (!poison_) [[unlikely]]
    prepare();
  const std::size_t owner = rt.active ? rt.current.index() : 0;
  if (owner >= arenas_used_) arenas_used_ = owner + 1;
  Arena& arena = arena_[owner];
  const std::size_t rounded = size == 0 ? 16 : (size + 15) & ~std::size_t{15};
  Block* block = nullptr;
  // Under a memory model a place has one life: what was stored there before is not to be read.
  if (!rt.weak && arena.quarantined > kQuarantineBytes && alignment <= 16 && rounded < (1ull << 35))
    block = take_from_quarantine(arena, static_cast<std::uint32_t>(rounded / 16));
  if (!block) block = carve(arena, rounded, alignment);
  if (!block) return nullptr;
  const auto user = reinterpret_cast<std::uintptr_t>(block->user());
  block->size = size;
  block->allocated_at = rt.active ? where_of(pc) : 0;
  block->freed_at = 0;
  block->next = nullptr;
  block->state = kLive;
  poison(user, user + (size & ~std::size_t{7}), 0);
  const std::uintptr_t end = user + std::size_t{block->capacity} * 16 + kTailRedzone;
  poison(user + (size & ~std::size_t{7}), end, kRedzone);
  if (size & 7) poison_[(user + size - kBase) >> 3] = static_cast<std::uint8_t>(size & 7);
  // What earlier executions left there must not be seen.
  if (size <= kClearedInPlace) memset(block->user(), 0, size);
  Spin& spin = rt.thread[owner].spin;
  spin.allocated = true;
  spin.blocks += share_of(user);
  return block->user();
}

void Heap::release(void* p, const void* pc) {
  const auto user = reinterpret_cast<std::uintptr_t>(p);
  Block* block = static_cast<Block*>(p) - 1;
  const bool plausible = (user & 15) == 0 && user - kBase >= sizeof(Block);
  if (!plausible || (block->state != kLive && block->state != kDead) || block->capacity * 16ull < block->size ||
      block->user() != p) {
    report_heap_misuse(trace::FailureKind::kInvalidFree, pc, user);
    return;
  }
  // Whoever frees first, both are seen to: what an unfolding knows of a thread must not depend on others unseen.
  if (block->state == kLive || sharing.watched()) await_free(user, block->size, pc);
  if (block->state == kDead) {  // perhaps by another thread, while this one waited to be chosen
    report_heap_misuse(trace::FailureKind::kDoubleFree, pc, user);
    return;
  }
  free_access(user, block->size, pc);
  block->state = kDead;
  block->freed_at = rt.active ? where_of(pc) : 0;
  block->thread = static_cast<std::uint16_t>(rt.active ? rt.current.index() : 0);
  poison(user, user + ((block->size + 7) & ~std::size_t{7}), kFreed);
  if (user < start_top_) start_poison_changed_ = true;
  rt.thread[block->thread].spin.blocks -= share_of(user);
  Arena& arena = arena_[block->thread];
  if (block->thread >= arenas_used_) arenas_used_ = block->thread + 1u;
  Queue& queue = arena.free[class_of(block->capacity)];
  if (queue.last)
    queue.last->next = block;
  else
    queue.first = block;
  queue.last = block;
  arena.quarantined += std::size_t{block->capacity} * 16;
}

std::size_t Heap::size_of(void* p) const { return static_cast<std::size_t>((static_cast<Block*>(p) - 1)->size); }

void Heap::keep_as_start() {
  if (!poison_) prepare();
  // What executions allocate begins on a page of its own, which need not be rewound.
  arena_[0].top = (arena_[0].top + 4095) & ~std::uintptr_t{4095};
  start_arena_ = arena_[0];
  start_top_ = arena_[0].top;
  start_poison_.assign(poison_, poison_ + ((start_top_ - kBase) >> 3));
}

void Heap::rewind() {
  reset_arena(0, start_arena_);
  for (std::size_t i = 1; i < arenas_used_; ++i) reset_arena(i, unused_arena(i));
  if (start_poison_changed_) {
    memcpy(poison_, start_poison_.data(), start_poison_.size());
    start_poison_changed_ = false;
  }
}

bool Heap::is_at_start() const {
  for (std::size_t i = 0; i < arenas_used_; ++i) {
    const Arena& start = i == 0 ? start_arena_ : unused_arena(i);
    if (arena_[i].top != start.top || arena_[i].quarantined != start.quarantined) return false;
  }
  return start_poison_.empty() || memcmp(poison_, start_poison_.data(), start_poison_.size()) == 0;
}

std::uintptr_t Heap::arena_start(std::size_t i) const { return i == 0 ? start_top_ : arena_base(i); }

Heap::Arena Heap::unused_arena(std::size_t i) {
  Arena arena;
  arena.top = arena_base(i);
  return arena;
}

bool Heap::in_use(std::size_t i) const { return arena_[i].top > arena_base(i) || arena_[i].quarantined > 0; }

std::size_t Heap::bytes_beyond_start() const {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < arenas_used_; ++i) bytes += arena_[i].top - arena_start(i);
  return bytes;
}

void Heap::keep(std::size_t checkpoint) {
  Copy& copy = kept_[checkpoint];
  copy.arenas.clear();
  copy.blocks.clear();
  copy.poison.clear();
  copy.start_poison.clear();
  for (std::size_t i = 0; i < arenas_used_; ++i) {
    if (i > 0 && !in_use(i)) continue;
    const std::uintptr_t start = arena_start(i), top = arena_[i].top;
    copy.arenas.push_back({i, arena_[i]});
    copy.blocks.insert(copy.blocks.end(), reinterpret_cast<char*>(start), reinterpret_cast<char*>(top));
    copy.poison.insert(copy.poison.end(), poison_ + ((start - kBase) >> 3), poison_ + ((top - kBase) >> 3));
  }
  if (start_poison_changed_) copy.start_poison.assign(poison_, poison_ + start_poison_.size());
}

void Heap::go_back(std::size_t checkpoint) {
  const Copy& copy = kept_[checkpoint];
  auto used = copy.arenas.begin();
  const char* blocks = copy.blocks.data();
  const std::uint8_t* poison = copy.poison.data();
  for (std::size_t i = 0; i < arenas_used_; ++i) {
    if (used == copy.arenas.end() || used->index != i) {
      reset_arena(i, unused_arena(i));
      continue;
    }
    reset_arena(i, used->arena);
    const std::uintptr_t start = arena_start(i);
    const std::size_t bytes = used->arena.top - start;
    memcpy(reinterpret_cast<void*>(start), blocks, bytes);
    memcpy(poison_ + ((start - kBase) >> 3), poison, bytes >> 3);
    blocks += bytes;
    poison += bytes >> 3;
    ++used;
  }
  if (!copy.start_poison.empty())
    memcpy(poison_, copy.start_poison.data(), copy.start_poison.size());
  else if (start_poison_changed_)
    memcpy(poison_, start_poison_.data(), start_poison_.size());
  start_poison_changed_ = !copy.start_poison.empty();
}

constinit const Part heap_part = described({
    .keep_as_start = [] { heap.keep_as_start(); },
    .begin =
        [] {
          heap.rewind();
          SLOW_INVARIANT(rt.own_process || rt.kernel_threads || (world.is_at_start() && heap.is_at_start()));
        },
    .keep = [](std::size_t checkpoint) { heap.keep(checkpoint); },
    .go_back = [](std::size_t checkpoint) { heap.go_back(checkpoint); },
});

// Back to an earlier state of the same arena: what it gave out since is no memory any more.
void Heap::reset_arena(std::size_t i, const Arena& to) {
  Arena& arena = arena_[i];
  if (i > 0 && !in_use(i)) return;
  const std::size_t since = arena.top - to.top;
  if (since > 0) poison(to.top, arena.top, 0);
  if (since > kClearedInPlace) {
    const std::uintptr_t page = (to.top + 4095) & ~std::uintptr_t{4095};
    madvise(reinterpret_cast<void*>(page), arena.top - page, MADV_DONTNEED);
  }
  arena = to;
}

bool Heap::accessible_range(std::uintptr_t address, std::size_t size) const {
  const std::uintptr_t end = address + size;
  for (std::uintptr_t a = address & ~std::uintptr_t{7}; a < end; a += 8) {
    const std::uint8_t value = poison_[(a - kBase) >> 3];
    if (value == 0) continue;
    const std::size_t last = end - a < 8 ? end - a : 8;
    if (value >= 8 || last > value) return false;
  }
  return true;
}

Heap::Trouble Heap::explain(std::uintptr_t address, std::size_t size) const {
  std::uintptr_t bad = address;
  while (bad < address + size && accessible(bad, 1)) ++bad;
  const bool freed = poison_[(bad - kBase) >> 3] == kFreed;
  return {freed, block_of(bad)};
}

// Headers lie in redzones; walk back to the nearest one that looks like a header.
Block* Heap::block_of(std::uintptr_t address) const {
  if (!contains(reinterpret_cast<const void*>(address))) return nullptr;
  const std::size_t index = (address - kBase) / kArenaBytes;
  std::uintptr_t user = address & ~std::uintptr_t{15};
  for (; user >= arena_base(index) + sizeof(Block); user -= 16) {
    if (poison_[(user - 8 - kBase) >> 3] != kRedzone) continue;
    auto block = reinterpret_cast<Block*>(user) - 1;
    if ((block->state == kLive || block->state == kDead) && std::size_t{block->capacity} * 16 >= block->size &&
        block->capacity > 0)
      return block;
  }
  return nullptr;
}

}  // namespace heddle::runtime
