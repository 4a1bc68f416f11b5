#include "native/runtime/memory_hash.h"

#include <emmintrin.h>
#include <string.h>

#include <algorithm>
#include <bit>

#include "base/random.h"
#include "native/runtime/heap.h"
#include "native/runtime/parts.h"
#include "native/runtime/runtime.h"
#include "native/runtime/shadow.h"
#include "native/runtime/spinning.h"
#include "native/runtime/threads.h"
#include "native/runtime/turn_writes.h"

namespace heddle::runtime {
namespace {

// Four independent chains, so that the multiplications overlap. Every step can be undone, so that no
// difference gets lost.
std::uint64_t hash_words(const std::uint64_t* words, std::size_t count) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ull;
  std::uint64_t h[4] = {1, 2, 3, 4};
  const auto add = [](std::uint64_t& into, std::uint64_t word) {
    into = (into ^ word) * kOdd;
    into ^= into >> 32;
  };
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (std::size_t k = 0; k < 4; ++k) add(h[k], words[i + k]);
  for (; i < count; ++i) add(h[i & 3], words[i]);
  std::uint64_t all = count;
  for (std::uint64_t part : h) add(all, part);
  return mix(all);
}

bool same_block(const char* a, const char* b) {
  __m128i same = _mm_set1_epi8(-1);
  for (int i = 0; i < 4; ++i)
    same = _mm_and_si128(same, _mm_cmpeq_epi8(_mm_load_si128(reinterpret_cast<const __m128i*>(a) + i),
                                              _mm_load_si128(reinterpret_cast<const __m128i*>(b) + i)));
  return _mm_movemask_epi8(same) == 0xffff;
}

// The parts are added up, in any order; so each must be unlike every other, whatever is where.
std::uint64_t part_of(std::uint64_t hash, std::uint64_t place) { return mix(hash ^ mix(place)); }

// How the processor rounds, what it traps, and what has happened to it so far.
std::uint64_t floating_point_state() {
  std::uint32_t vector = 0;
  std::uint16_t stack = 0;
  asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(vector), "=m"(stack));
  return std::uint64_t{stack} << 32 | vector;
}

}  // namespace

void MemoryHash::look_at_objects() {
  objects_.clear();
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const Object& object = objects.entry(i);
    if (object.kind == protocol::ObjectKind::kMemory && !objects.entry(object.root).mixed)
      objects_.push_back({object.address, object.address + object.size});
  }
  std::sort(objects_.begin(), objects_.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
}

// The bytes of objects are taken for zero.
void MemoryHash::copy_without_objects(char* to, const char* contents, std::uintptr_t begin, std::size_t size) const {
  memcpy(to, contents, size);
  auto range = std::partition_point(objects_.begin(), objects_.end(), [&](const Range& r) { return r.end <= begin; });
  for (; range != objects_.end() && range->begin < begin + size; ++range) {
    const std::uintptr_t from = std::max(range->begin, begin), end = std::min(range->end, begin + size);
    memset(to + (from - begin), 0, end - from);
  }
}

std::uint64_t MemoryHash::hash_of(const char* contents, std::size_t size) const {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < size; i += kBlock) {
    alignas(kBlock) std::uint64_t block[kBlock / 8] = {};
    const auto begin = reinterpret_cast<std::uintptr_t>(contents + i);
    copy_without_objects(reinterpret_cast<char*>(block), contents + i, begin, std::min(kBlock, size - i));
    all += part_of(hash_words(block, std::size(block)), begin);
  }
  return all;
}

// What is as at the start counts like what was never written to; that is most of a page.
std::uint64_t MemoryHash::hash_of_page(const World::HotPage& hot) const {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < kPage; i += kBlock) {
    if (same_block(hot.page + i, hot.copy + i)) continue;
    alignas(kBlock) std::uint64_t now[kBlock / 8], start[kBlock / 8];
    const auto begin = reinterpret_cast<std::uintptr_t>(hot.page + i);
    copy_without_objects(reinterpret_cast<char*>(now), hot.page + i, begin, kBlock);
    copy_without_objects(reinterpret_cast<char*>(start), hot.copy + i, begin, kBlock);
    if (memcmp(now, start, kBlock) != 0) all += part_of(hash_words(now, std::size(now)), begin);
  }
  return all;
}

bool MemoryHash::shared(std::uint64_t& result) {
  const Thread& main = rt.thread[0];
  const bool has_locals = main.status == ThreadStatus::kPending && main.frame != 0;
  const std::size_t locals = has_locals ? main.stack.high - main.frame : 0;
  if (heap.bytes_beyond_start() + kPage * world.hot_pages() + locals > kMostBytes) return false;
  const std::uint64_t locals_of_main = hash_of(reinterpret_cast<const char*>(main.frame), locals);
  std::uint64_t all = 0;
  for (const World::HotPage* hot = world.begin_hot(); hot != world.end_hot(); ++hot)
    if (!hot->of_a_thread) all += hash_of_page(*hot);
  heap.for_each_arena([&](std::uintptr_t begin, std::uintptr_t end) {
    all += hash_of(reinterpret_cast<const char*>(begin), end - begin);
  });
  for (const auto& [place, size] : kept_memory())  // words of the runtime's
    all += part_of(hash_words(static_cast<const std::uint64_t*>(place), size / 8),
                   reinterpret_cast<std::uintptr_t>(place));
  for (std::size_t t = 0; t < rt.threads; ++t) {
    const Thread& thread = rt.thread[t];
    if (thread.status != ThreadStatus::kAbsent)
      all += part_of((thread.detached ? 1u : 0u) + (thread.joined ? 2u + thread.joined_by.value : 0u), t);
  }
  result = all + locals_of_main;
  return true;
}

namespace {

// Whether the thread will be stopped in a waiting loop depends on how it stood at its operations before. (Not on where
// in the execution that was: what follows when it is stopped is run.)
std::uint64_t hash_of_visits(const Spin& spin) {
  if (!spin.unchanged) return 0;
  std::uint64_t words[2 + 5 * Spin::kVisits + Spin::kWrites];
  std::size_t n = 0;
  words[n++] = spin.oldest;
  for (std::size_t i = 0; i < spin.visits; ++i) {
    const Spin::Visit& v = spin.visit[i];
    for (const std::uint64_t word :
         {reinterpret_cast<std::uint64_t>(v.pc), v.state, v.sum, v.by, std::uint64_t{v.counted}})
      words[n++] = word;
  }
  for (std::size_t i = 0; i < spin.writes; ++i) words[n++] = hash_of_write(spin.write[i]);
  return hash_words(words, n) | 1;
}

std::uint64_t bits_of(const Cancelling& c) {
  return (c.requested ? 1u : 0u) | (c.disabled ? 2u : 0u) | (c.asynchronous ? 4u : 0u) | (c.acting ? 8u : 0u);
}

}  // namespace

std::uint64_t MemoryHash::own() {
  const std::uint64_t frames = local_state();
  if (frames == 0) return 0;
  const Thread& self = rt.self();
  const std::uint64_t record[] = {rt.current.value,
                                  self.spawned,
                                  self.barriers,
                                  reinterpret_cast<std::uint64_t>(self.destructors),
                                  reinterpret_cast<std::uint64_t>(self.cleanups),
                                  self.random,
                                  self.nanoseconds,
                                  self.clock_reads,
                                  self.looks_at_clock,
                                  self.operand,
                                  bits_of(self.cancelling),
                                  floating_point_state(),
                                  hash_of_visits(self.spin),
                                  self.spin.unchanged ? hash_of_turns(turns[rt.current.index()]) : 0,
                                  hash_words(reinterpret_cast<const std::uint64_t*>(self.keys), keys_in_use())};
  std::uint64_t all = frames + hash_words(record, std::size(record));
  for (const World::HotPage* hot = world.begin_hot(); hot != world.end_hot(); ++hot) {
    const auto page = reinterpret_cast<std::uintptr_t>(hot->page);
    if (page >= self.tls.pages_begin() && page < self.tls.pages_end()) all += hash_of_page(*hot);
  }
  return all;
}

}  // namespace heddle::runtime
