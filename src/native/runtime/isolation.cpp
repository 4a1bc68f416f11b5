#include "native/runtime/isolation.h"

#include <errno.h>
#include <string.h>

#include <type_traits>

#include "native/protocol/data_fields.h"
#include "native/runtime/atomic_sections.h"
#include "native/runtime/barriers.h"
#include "native/runtime/data_log.h"
#include "native/runtime/failure.h"
#include "native/runtime/inputs.h"
#include "native/runtime/learnt.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/raw.h"
#include "native/runtime/requests.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"
#include "native/runtime/sharing.h"
#include "native/runtime/signals.h"
#include "native/runtime/spinning.h"
#include "native/runtime/spurious.h"
#include "native/runtime/unmodelled.h"
#include "trace/execution_fields.h"

namespace heddle::runtime {

using protocol::PackedLesson;
namespace {

using Buffer = std::vector<std::uint8_t>;

bool lessons_kept = false;
constinit std::vector<Lesson> lessons;
constinit std::vector<Lesson> news;  // beside those of the execution under way

// Parent and child are the same executable: plain memory, in order.
class Packer {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto p = reinterpret_cast<const std::uint8_t*>(&value);
    bytes.insert(bytes.end(), p, p + sizeof value);
  }
  template <class T>
  void put_all(const T* values, std::size_t count) {
    put(count);
    const auto p = reinterpret_cast<const std::uint8_t*>(values);
    bytes.insert(bytes.end(), p, p + count * sizeof(T));
  }
  Buffer bytes;
};

class Unpacker {
 public:
  explicit Unpacker(const Buffer& bytes) : at_(bytes.data()) {}
  template <class T>
  T take() {
    T value;
    memcpy(static_cast<void*>(&value), at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  template <class T>
  void take_all(std::vector<T>& values) {
    values.resize(take<std::size_t>());
    if (!values.empty()) memcpy(static_cast<void*>(values.data()), at_, values.size() * sizeof(T));
    at_ += values.size() * sizeof(T);
  }

 private:
  const std::uint8_t* at_;
};

// What the child started with.
struct Known {
  std::size_t threads, objects, positions, terms;
  Sharing::Mark sharing;
};

Known known_now() {
  std::vector<protocol::Position> positions;
  fill_positions(positions);
  return {rt.known_threads, objects.size(), positions.size(), inputs ? inputs->known_terms() : 0, sharing.mark()};
}

// A detail is what it is, and what was around it.
void pack_data(Packer& out) {
  out.put_all(data_log.all().data(), data_log.all().size());
  out.put(data_log.first());
  trace::ArchiveWriter writer;
  fields(writer, data_log.details());
  out.put_all(writer.bytes().data(), writer.bytes().size());
}

void unpack_data(Unpacker& in) {
  std::vector<explore::PlainAccess> all;
  in.take_all(all);
  const auto first = in.take<std::uint64_t>();
  Buffer bytes;
  in.take_all(bytes);
  trace::ArchiveReader reader(bytes);
  std::vector<protocol::DataAccess> details;
  fields(reader, details);
  data_log.adopt(std::move(all), first, std::move(details));
}

void pack_execution(Packer& out, const trace::Execution& execution) {
  trace::ArchiveWriter writer;
  fields(writer, execution);
  out.put_all(writer.bytes().data(), writer.bytes().size());
  out.put_all(failure_details().data(), failure_details().size());
  if (rt.data_logged) pack_data(out);
}

void unpack_execution(Unpacker& in, trace::Execution& execution) {
  Buffer bytes;
  in.take_all(bytes);
  trace::ArchiveReader reader(bytes);
  fields(reader, execution);
  in.take_all(failure_details());
  if (rt.data_logged) unpack_data(in);
}

void put_text(Packer& out, const std::string& text) { out.put_all(text.data(), text.size()); }

std::string take_text(Unpacker& in) {
  std::vector<char> text;
  in.take_all(text);
  return {text.begin(), text.end()};
}

// Terms that the child made are made here again, in the same order: a branch in its execution names them by number.
void pack_inputs(Packer& out, const Known& known) {
  const std::size_t now = inputs->known_terms();
  out.put(now - known.terms);
  for (std::size_t i = known.terms; i < now; ++i) {
    out.put(inputs->term_at(i));
    put_text(out, inputs->term_at(i).kind == symbolic::TermKind::kInput
                      ? inputs->terms().input_name(static_cast<std::size_t>(inputs->term_at(i).value))
                      : std::string());
  }
  out.put(inputs->left_open().size());
  for (const auto& [where, what] : inputs->left_open()) {
    out.put(where);
    put_text(out, what);
  }
  const auto taken = inputs->newly_concretised();
  out.put(taken.size());
  for (const Inputs::Concretised& c : taken) {
    out.put_all(c.path.data(), c.path.size());
    out.put(c.term);
    out.put(c.value);
  }
  const std::vector<std::uintptr_t> compared(inputs->all_compared().begin(), inputs->all_compared().end());
  out.put_all(compared.data(), compared.size());
  const auto labels = inputs->labels();
  out.put(labels.size());
  for (const auto& [key, label] : labels) {
    out.put(key);
    put_text(out, label);
  }
}

void unpack_inputs(Unpacker& in) {
  for (std::size_t n = in.take<std::size_t>(); n > 0; --n) {
    const auto term = in.take<symbolic::Term>();
    const bool repeated = inputs->terms().adopt(term, take_text(in));
    INVARIANT(repeated);
  }
  for (std::size_t n = in.take<std::size_t>(); n > 0; --n) {
    const auto where = in.take<std::uint32_t>();
    inputs->leave_open_at(where, take_text(in));
  }
  for (std::size_t n = in.take<std::size_t>(); n > 0; --n) {
    Inputs::Concretised taken;
    in.take_all(taken.path);
    taken.term = in.take<TermId>();
    taken.value = in.take<std::uint64_t>();
    inputs->merge_concretised(taken);
  }
  std::vector<std::uintptr_t> compared;
  in.take_all(compared);
  for (std::uintptr_t address : compared) inputs->learn_compared(address);
  for (std::size_t n = in.take<std::size_t>(); n > 0; --n) {
    const auto key = in.take<Inputs::LabelKey>();
    inputs->merge_label(key, take_text(in));
  }
}

void pack_lessons(Packer& out, const Known& known) {
  // A number that another explorer has given out is a gap here.
  std::vector<SpawnPlace> spawned;
  for (std::size_t t = known.threads; t < rt.known_threads; ++t)
    if (const SpawnPlace& place = spawn_place(ThreadId(static_cast<std::uint16_t>(t))); place.parent != kNoThread)
      spawned.push_back(place);
  out.put(spawned.size());
  for (const SpawnPlace& place : spawned) out.put(place);
  const auto is_gap = [](const Object& object) { return object.address == 0; };
  std::size_t met = 0;
  for (std::size_t i = known.objects; i < objects.size(); ++i) met += is_gap(objects.entry(i)) ? 0 : 1;
  out.put(met);
  for (std::size_t i = known.objects; i < objects.size(); ++i) {
    const Object& object = objects.entry(i);
    if (is_gap(object)) continue;
    out.put(object.address);
    out.put(object.size);
    out.put(object.kind);
    out.put(object.life);
  }
  out.put(objects.merged);
  std::vector<protocol::Position> positions;
  fill_positions(positions);
  out.put(positions.size() - known.positions);
  for (std::size_t i = known.positions; i < positions.size(); ++i) {
    out.put_all(positions[i].pcs.data(), positions[i].pcs.size());
    out.put_all(positions[i].stack_pointers.data(), positions[i].stack_pointers.size());
  }
  out.put_all(lessons.data(), lessons.size());
  const auto places = sharing.places_since(known.sharing);
  out.put(places.size());
  for (const auto& place : places) out.put_all(place.data(), place.size());
  const auto accesses = sharing.accesses_since(known.sharing);
  out.put_all(accesses.data(), accesses.size());
  out.put(rt.exit_code);
  out.put(rt.exited);
  out.put(rt.inputs_drawn);
  if (inputs) pack_inputs(out, known);
}

void unpack_lessons(Unpacker& in) {
  for (std::size_t n = in.take<std::size_t>(); n > 0; --n) {
    const auto place = in.take<SpawnPlace>();
    const ThreadId id = child_id(place.parent, static_cast<std::uint16_t>(place.ordinal));
    spawn_place(id) = place;
  }
  for (std::size_t n = in.take<std::size_t>(); n > 0; --n) {
    const auto address = in.take<std::uint64_t>();
    const auto size = in.take<std::uint32_t>();
    const ObjectId object = objects.at(reinterpret_cast<const void*>(address), size, in.take<protocol::ObjectKind>());
    objects.in_life(object, in.take<std::uint32_t>());
  }
  if (in.take<bool>()) objects.merged = true;
  for (std::size_t n = in.take<std::size_t>(); n > 0; --n) {
    protocol::Position position;
    in.take_all(position.pcs);
    in.take_all(position.stack_pointers);
    if (!position.pcs.empty()) add_position(std::move(position));
  }
  std::vector<Lesson> learnt;
  in.take_all(learnt);
  learn(learnt);
  news.insert(news.end(), learnt.begin(), learnt.end());
  for (std::size_t n = in.take<std::size_t>(); n > 0; --n) {
    std::vector<std::uint32_t> place;
    in.take_all(place);
    sharing.learn_place(place);
  }
  std::vector<SharedAccess> accesses;
  in.take_all(accesses);
  for (const SharedAccess& access : accesses) sharing.learn(access);
  rt.exit_code = in.take<int>();
  rt.exited = in.take<bool>();
  rt.inputs_drawn |= in.take<bool>();
  if (inputs) unpack_inputs(in);
}

}  // namespace

// As bytes; what is a pointer here is one in every process of the executable.
template <class A, trace::Described<Lesson> V>
void fields(A& a, V& v) {
  const auto pointer = [&](auto& p) {
    auto address = reinterpret_cast<std::uint64_t>(p);
    a.number(address);
    if constexpr (!std::is_const_v<V>) p = reinterpret_cast<std::remove_reference_t<decltype(p)>>(address);
  };
  for (auto* n : {&v.granule, &v.wait_loop, &v.asked, &v.barrier, &v.joined}) a.number(*n);
  for (auto* n : {&v.visible, &v.flags, &v.barrier_use}) a.number(*n);
  for (auto* n : {&v.access_size, &v.joined_size, &v.choice, &v.alternatives}) a.number(*n);
  for (auto* b : {&v.spins, &v.long_loop, &v.waited}) a.flag(*b);
  pointer(v.spin_site);
  pointer(v.writing_section);
  pointer(v.choosing_section);
  pointer(v.unmodelled);
  pointer(v.unmodelled_at);
}

std::vector<PackedLesson> take_news() {
  news.insert(news.end(), lessons.begin(), lessons.end());
  lessons.clear();
  std::vector<PackedLesson> packed;
  for (const Lesson& lesson : news) {
    trace::ArchiveWriter writer;
    fields(writer, lesson);
    packed.push_back(writer.take());
  }
  news.clear();
  return packed;
}

void learn_news(const std::vector<PackedLesson>& packed) {
  std::vector<Lesson> learnt;
  for (const PackedLesson& bytes : packed) {
    trace::ArchiveReader reader(bytes);
    Lesson lesson;
    fields(reader, lesson);
    auto read = reader.finish(lesson, "lesson");
    if (!read) raw::die(read.error().message.c_str());
    learnt.push_back(lesson);
  }
  learn(learnt);
}

void keep_lessons(bool on) { lessons_kept = on; }
const std::vector<Lesson>& kept_lessons() { return lessons; }

void learn(const std::vector<Lesson>& learnt) {
  for (const Lesson& lesson : learnt) {
    if (lesson.spins) {
      suspect_spinning();
    } else if (lesson.waited) {
      count_wait_in_kernel();
    } else if (lesson.long_loop) {
      learn_long_loop();
    } else if (lesson.spin_site) {
      learn_spin_site(lesson.spin_site);
    } else if (lesson.writing_section) {
      learn_writing_section(lesson.writing_section);
    } else if (lesson.choosing_section) {
      learn_choosing_section(lesson.choosing_section, lesson.choice, lesson.alternatives);
    } else if (lesson.unmodelled) {
      note_unmodelled(lesson.unmodelled_at, lesson.unmodelled);
    } else if (lesson.joined != 0) {
      const auto at = [](std::uint64_t address, std::uint32_t size) {
        return objects.at(reinterpret_cast<const void*>(address), size, protocol::ObjectKind::kMemory);
      };
      objects.join(at(lesson.granule, lesson.access_size), at(lesson.joined, lesson.joined_size));
    } else if (lesson.asked) {
      learn_asked(lesson.asked);
    } else if (lesson.barrier) {
      learn_barrier_use(static_cast<BarrierNumber>(lesson.barrier - 1), lesson.barrier_use);
    } else if (lesson.wait_loop) {
      learn_wait_loop(lesson.wait_loop);
    } else if (lesson.access_size != 0) {
      objects.at(reinterpret_cast<const void*>(lesson.granule), lesson.access_size, protocol::ObjectKind::kMemory);
    } else {
      Cell& cell = shadow.at(lesson.granule);
      // Flags alone do not change what is explored, unless they make atomic accesses be recorded.
      const bool mixed = (cell.flags & kMixed) == kMixed;
      if ((lesson.flags & ~cell.flags & kFreedBeside) != 0)
        grow_visible_set({protocol::LearntKind::kFreedObject, lesson.granule, 0});
      cell.flags |= lesson.flags;
      if (!mixed && (cell.flags & kMixed) == kMixed)
        grow_visible_set({protocol::LearntKind::kMixedAccesses, lesson.granule, 0});
      if ((lesson.visible & ~cell.visible) != 0)
        grow_visible_set({protocol::LearntKind::kVisibleBytes, lesson.granule, lesson.visible});
      make_visible(cell, lesson.visible);
    }
  }
}

void note_lesson(const Lesson& lesson) {
  if (!lessons_kept) return;
  EngineScope scope;
  lessons.push_back(lesson);
}

bool run_in_child(void (*run)(void*), void* argument, trace::Execution& execution, int& status) {
  int fds[2];
  if (raw::syscall(SYS_pipe, reinterpret_cast<long>(fds)) != 0)
    raw::die("no pipe for an isolated execution; raise the limit on open files (ulimit -n)");
  news.insert(news.end(), lessons.begin(), lessons.end());
  lessons.clear();
  const Known known = known_now();
  const long child = raw::syscall(SYS_fork);
  if (child < 0) raw::die("cannot start a process for an execution; raise the limit on processes (ulimit -u)");
  if (child == 0) {
    run(argument);
    Packer out;
    pack_execution(out, execution);
    pack_lessons(out, known);
    raw::write_all(fds[1], out.bytes.data(), out.bytes.size());
    raw::exit(0);
  }
  raw::syscall(SYS_close, fds[1]);
  Buffer answer;
  for (;;) {
    std::uint8_t part[16384];
    const long n = raw::syscall(SYS_read, fds[0], reinterpret_cast<long>(part), sizeof part);
    if (n == -EINTR) continue;
    if (n <= 0) break;
    answer.insert(answer.end(), part, part + n);
  }
  raw::syscall(SYS_close, fds[0]);
  while (raw::syscall(SYS_wait4, child, reinterpret_cast<long>(&status)) == -EINTR) {
  }
  if (status != 0 || answer.empty()) return false;
  Unpacker in(answer);
  unpack_execution(in, execution);
  unpack_lessons(in);
  return true;
}

}  // namespace heddle::runtime
