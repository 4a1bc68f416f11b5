#include "native/runtime/shadow.h"

#include "native/runtime/engine_memory.h"
#include "native/runtime/isolation.h"
#include "native/runtime/raw.h"
#include "native/runtime/shared_ids.h"

namespace heddle::runtime {

constinit Shadow shadow;
constinit Objects objects;

Cell* Shadow::map_chunk(std::uintptr_t address) {
  const std::size_t bytes = (1ull << kChunkBits) / 8 * sizeof(Cell);
  return chunks_[(address >> kChunkBits) & kChunkMask] = static_cast<Cell*>(reserve_pages(bytes));
}

ObjectId Objects::find_or_add(std::uintptr_t address, std::uint32_t size, protocol::ObjectKind kind) {
  if (!table_) table_ = static_cast<Object*>(reserve_pages(kMost * sizeof(Object)));
  Cell& cell = shadow.at(address);
  for (std::uint32_t i = cell.object; i != 0; i = table_[i - 1].next) {
    Object& object = table_[i - 1];
    if (object.address != address) continue;
    if (object.size == size) return ObjectId(object.root);
    if (!table_[object.root].mixed || object.size < size) note_lesson({.granule = address, .access_size = size});
    mark_mixed(object.root);
    object.kind = kind;  // a block may come to hold something else
    if (object.size < size) {
      object.size = size;
      merge_overlapping(i - 1);
    }
    return ObjectId(object.root);
  }
  if (count_ == kMost) raw::die("the program shares more than 67 million objects; heddle cannot number them");
  const auto id = ids_are_shared() ? shared_object(address, size, kind) : static_cast<std::uint32_t>(count_);
  if (id >= count_) count_ = id + 1;
  table_[id] = {.address = address, .size = size, .kind = kind, .next = cell.object, .root = id};
  cell.object = id + 1;
  merge_overlapping(id);
  if (table_[table_[id].root].mixed) note_lesson({.granule = address, .access_size = size});
  return ObjectId(table_[id].root);
}

ObjectId Objects::in_life(ObjectId id, std::uint32_t life) {
  std::uint32_t i = id.value;
  while (table_[i].life < life) {
    if (table_[i].next_life == 0) {
      if (count_ == kMost) raw::die("the program shares more than 67 million objects; heddle cannot number them");
      const Object& object = table_[i];
      const auto next = ids_are_shared() ? shared_object(object.address, object.size, object.kind, object.life + 1)
                                         : static_cast<std::uint32_t>(count_);
      if (next >= count_) count_ = next + 1;
      table_[next] = {
          .address = object.address, .size = object.size, .kind = object.kind, .root = next, .life = object.life + 1};
      table_[i].next_life = next;
    }
    i = table_[i].next_life;
  }
  return ObjectId(i);
}

std::uint32_t Objects::root_of(std::uint32_t id) const {
  while (table_[id].root != id) id = table_[id].root;
  return id;
}

void Objects::mark_mixed(std::uint32_t root) {
  if (table_[root].mixed) return;
  table_[root].mixed = true;
  merged = true;
}

// Only memory overlaps: synchronisation objects are known by their first byte alone. An overlapping object starts at
// most as far before as the longest one is long; most accesses are of at most 16 bytes.
void Objects::merge_overlapping(std::uint32_t id) {
  const Object& object = table_[id];
  if (object.kind != protocol::ObjectKind::kMemory) return;
  if (object.size > longest_) longest_ = object.size;
  const std::uint64_t begin = object.address, end = begin + object.size;
  for (std::uint64_t granule = (begin - longest_) & ~7ull; granule < end; granule += 8) {
    for (std::uint32_t i = shadow.at(granule).object; i != 0; i = table_[i - 1].next) {
      const Object& other = table_[i - 1];
      if (i - 1 == id || other.kind != protocol::ObjectKind::kMemory) continue;
      if (other.address >= end || other.address + other.size <= begin) continue;
      merge(root_of(id), root_of(i - 1));
    }
  }
}

// Of two roots.
bool Objects::merge(std::uint32_t a, std::uint32_t b) {
  if (a == b) return false;
  const std::uint32_t low = a < b ? a : b, high = a < b ? b : a;
  for (std::uint32_t o = 0; o < count_; ++o)
    if (table_[o].root == high) table_[o].root = low;
  mark_mixed(low);
  return merged = true;
}

bool Objects::join(ObjectId a, ObjectId b) {
  if (!merge(root_of(a.value), root_of(b.value))) return false;
  const Object &x = table_[a.index()], &y = table_[b.index()];
  note_lesson({.granule = x.address, .access_size = x.size, .joined = y.address, .joined_size = y.size});
  return true;
}

}  // namespace heddle::runtime
