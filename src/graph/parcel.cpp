// Parts of a search that are given away (trust.h): a graph and what is asked for in it. Items are independent of each
// other, so whoever gets one has a search of its own, and totals are sums.
//
// Slots are numbered by each explorer for itself; a parcel names their objects. Explorers that share a frontier give
// objects and threads the same numbers.
#include <string.h>

#include <type_traits>

#include "base/assert.h"
#include "graph/trust.h"

namespace heddle::graph {
namespace {

class Writer {
 public:
  explicit Writer(std::vector<std::byte>& out) : out_(out) { out_.clear(); }
  template <class T>
  void put(const T& value) {
    put_all(std::span<const T>(&value, 1));
  }
  template <class T>
  void put_all(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bytes = std::as_bytes(values);
    out_.insert(out_.end(), bytes.begin(), bytes.end());
  }

 private:
  std::vector<std::byte>& out_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> in) : in_(in) {}
  template <class T>
  T get() {
    T value;
    take(&value, sizeof value);
    return value;
  }
  template <class T>
  void get_all(std::vector<T>& values, std::size_t count) {
    values.resize(count);
    take(values.data(), count * sizeof(T));
  }

 private:
  void take(void* to, std::size_t size) {
    REQUIRE(size <= in_.size());
    if (size > 0) memcpy(to, in_.data(), size);
    in_ = in_.subspan(size);
  }
  std::span<const std::byte> in_;
};

}  // namespace

// The item whose graph is smallest, as most hangs from it.
void Trust::give_away() {
  std::size_t d = 0;
  while (d < depth_ && levels_[d].items.empty()) ++d;
  if (d == depth_) return;
  const Item item = levels_[d].items.front();
  levels_[d].items.erase(levels_[d].items.begin());
  given_ = levels_[d].graph;
  given_.cut_to(item.kind == ItemKind::kBackward ? item.size : item.event + 1);
  std::vector<std::uint32_t> objects(slots_.size());
  for (const auto& [object, slot] : slots_) objects[slot] = object;
  Writer writer(parcel_);
  writer.put(item);
  writer.put(static_cast<std::uint32_t>(objects.size()));
  writer.put_all(std::span<const std::uint32_t>(objects));
  writer.put(static_cast<std::uint32_t>(given_.size()));
  writer.put_all(given_.events());
  writer.put(static_cast<std::uint32_t>(given_.clocks().size()));
  writer.put_all(given_.clocks());
  writer.put(given_.next_stamp());
  for (ObjectSlot slot = 0; slot < objects.size(); ++slot) {
    const auto mo = slot < given_.objects() ? given_.mo(slot) : std::span<const EventId>();
    writer.put(static_cast<std::uint32_t>(mo.size()));
    writer.put_all(mo);
    const auto first = given_.first_value(slot);
    writer.put(first.has_value());
    writer.put(first.value_or(0));
  }
  frontier_->give(parcel_);
}

// Alone it is the whole search, and then none.
bool Trust::take_parcel() {
  if (frontier_ ? !frontier_->take(parcel_) : started_) return false;
  started_ = true;
  if (levels_.empty()) levels_.emplace_back();
  depth_ = 1;
  level().items.clear();
  graph().clear();
  if (parcel_.empty()) return true;
  Reader reader(parcel_);
  level().items.push_back(reader.get<Item>());
  std::vector<std::uint32_t> objects;
  reader.get_all(objects, reader.get<std::uint32_t>());
  std::vector<Event> events;
  reader.get_all(events, reader.get<std::uint32_t>());
  std::vector<std::uint32_t> clocks;
  reader.get_all(clocks, reader.get<std::uint32_t>());
  const auto stamp = reader.get<Stamp>();
  std::vector<ObjectSlot> slots;
  for (const std::uint32_t object : objects) slots.push_back(slot_of(ObjectId(object)));
  for (Event& event : events)
    if (event.slot != kNoSlot) event.slot = slots[event.slot];
  graph().assign(std::move(events), std::move(clocks), stamp);
  std::vector<EventId> mo;
  for (const ObjectSlot slot : slots) {
    reader.get_all(mo, reader.get<std::uint32_t>());
    graph().set_mo(slot, mo);
    const bool known = reader.get<bool>();
    const auto value = reader.get<std::uint64_t>();
    if (known) graph().set_first_value(slot, value);
  }
  return true;
}

}  // namespace heddle::graph
