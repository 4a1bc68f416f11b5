// The descriptions of what goes over the wire (trace/archive.h), innermost first.
#include "native/protocol/codec.h"

#include <cstring>

#include "native/protocol/data_fields.h"
#include "native/protocol/number_fields.h"
#include "native/protocol/property_fields.h"
#include "trace/execution_fields.h"

namespace heddle::protocol {
namespace {

using namespace trace;
using explore::ExploreResult;
using explore::Finding;

// A frame longer than this is not ours (a result of a very long execution has some megabytes).
constexpr std::uint32_t kMaxFrame = 1u << 30;

using Writer = FrameWriter;
using Reader = ArchiveReader;

// `V` is const when writing.
template <class A, class V>
void fields_cost(A& a, V& v) {
  a.number(v.preemptions);
  a.number(v.switches);
  a.number(v.steps);
}

template <class A, class V>
void fields_explanation(A& a, V& v) {
  a.flag(v.minimized);
  fields_cost(a, v.found);
  fields_cost(a, v.shown);
  a.number(v.runs);
  a.number(v.critical);
  a.flag(v.critical_certain);
  a.flag(v.inevitable);
  a.flag(v.inevitable_certain);
  a.number(v.first);
  a.number(v.second);
  fields(a, v.reversed);
  a.list(v.reversed_schedule, [&](auto& d) { fields(a, d); });
  a.enumerator(v.pattern, explore::kPatterns);
  a.number(v.check);
  a.number(v.act);
  a.enumerator(v.orders, static_cast<std::uint64_t>(explore::Orders::kDoNotHelp) + 1);
  const auto stronger = [&](auto& place) {
    a.number(place.step);
    a.number(place.where);
    a.enumerator(place.kind, trace::kOpKinds);
    a.enumerator(place.own, trace::kMemoryOrders);
    a.enumerator(place.wanted, trace::kMemoryOrders);
  };
  a.list(v.stronger, stronger);
  a.list(v.fences, stronger);
}

template <class A, class V>
void fields_estimate(A& a, V& v) {
  a.number(v.total);
  a.number(v.low);
  a.number(v.high);
}

template <class A, class V>
void fields_relaxation(A& a, V& v) {
  const auto order = [&](auto& o) { a.enumerator(o, trace::kMemoryOrders); };
  a.list(v.places, [&](auto& place) {
    a.number(place.where);
    a.enumerator(place.kind, trace::kOpKinds);
    order(place.own);
    a.optional(place.alone, order);
    a.optional(place.together, order);
  });
  a.number(v.trials);
  a.number(v.executions);
  a.text(v.open);
}

template <class A, class V>
void fields_explore_result(A& a, V& v) {
  fields_estimate(a, v.estimate);
  a.flag(v.ended);
  a.list(v.gaps, [&](auto& gap) {
    a.enumerator(gap.cause, explore::kCauses);
    a.text(gap.detail);
  });
  a.optional(v.preemptions, [&](auto& n) { a.number(n); });
  a.list(v.parts, [&](auto& part) {
    a.text(part.algorithm);
    a.number(part.executions);
    a.number(part.classes);
    a.flag(part.ended);
  });
  a.optional(v.complete_preemptions, [&](auto& n) { a.number(n); });
  a.number(v.samples);
  a.list(v.curve, [&](auto& point) {
    a.number(point.samples);
    a.number(point.classes);
    a.number(point.pairs);
    a.number(point.unseen);
  });
  a.text(v.note);
  a.text(v.algorithm);
  a.number(v.executions);
  a.number(v.classes);
  a.number(v.asleep);
  a.number(v.deadlocked);
  a.number(v.failed);
  a.number(v.cut);
  a.number(v.infeasible);
  a.number(v.states);
  a.number(v.events);
  a.number(v.steps);
  a.number(v.seconds);
  a.number(v.cpu_seconds);
  a.list(v.findings, [&](auto& f) {
    fields(a, f.failure);
    fields(a, f.execution);
    a.list(f.schedule, [&](auto& d) { fields(a, d); });
    a.number(f.count);
    fields_explanation(a, f.explanation);
  });
  a.list(v.assumptions, [&](auto& s) {
    a.enumerator(s.kind, kAssumptionKinds);
    a.text(s.text);
    a.list(s.places, [&](auto& where) { a.number(where); });
  });
  a.optional(v.parted, [&](auto& p) {
    a.number(p.step);
    a.optional(p.once, [&](auto& s) { fields(a, s); });
    a.optional(p.again, [&](auto& s) { fields(a, s); });
  });
  a.list(v.kept, [&](auto& e) { fields(a, e); });
  a.optional(v.relaxation, [&](auto& r) { fields_relaxation(a, r); });
}

template <class A, class V>
void fields_strategy(A& a, V& v) {
  a.enumerator(v.algorithm, explore::kAlgorithmCount);
  a.flag(v.automatic);
  a.flag(v.sleep_sets);
  a.optional(v.preemptions, [&](auto& n) { a.number(n); });
  a.enumerator(v.order.kind, static_cast<std::uint64_t>(explore::OrderKind::kConflictFirst) + 1);
  a.number(v.order.seed);
  a.number(v.seed);
  a.number(v.pct_depth);
  a.optional(v.memory, [&](auto& m) { a.enumerator(m, std::size(trace::kMemoryModels)); });
}

template <class A, class V>
void fields_input_options(A& a, V& v) {
  a.enumerator(v.mode, static_cast<std::uint64_t>(InputMode::kGiven) + 1);
  a.number(v.seed);
  a.list(v.given, [&](auto& g) {
    a.text(g.name);
    a.number(g.value);
  });
  a.enumerator(v.branches, static_cast<std::uint64_t>(BranchOrder::kNewCoverage) + 1);
  a.number(v.branch_seed);
  a.flag(v.check_division);
  a.flag(v.check_bounds);
  a.flag(v.check_overflow);
  a.number(v.symbolic_reads);
  a.flag(v.shortcuts);
  a.number(v.first_solver_milliseconds);
  a.number(v.solver_milliseconds);
  a.number(v.arguments);
  a.number(v.argument_length);
  a.list(v.variables, [&](auto& variable) {
    a.text(variable.name);
    a.number(variable.length);
  });
  a.number(v.standard_input);
  a.flag(v.send_paths);
}

template <class A, class V>
void fields_input_report(A& a, V& v) {
  a.flag(v.explored);
  a.list(v.labels, [&](auto& l) {
    a.number(l.thread.value);
    a.number(l.ordinal);
    a.text(l.label);
  });
  a.list(v.left_open, [&](auto& o) {
    a.number(o.where);
    a.text(o.what);
  });
  for (const auto number : symbolic::QueryCounts::kNumbers) a.number(v.questions.*number);
  a.number(v.questions.median_call);
  a.number(v.questions.late_call);
}

template <class A, class V>
void fields_learnt(A& a, V& v) {
  a.enumerator(v.kind, static_cast<std::uint64_t>(LearntKind::kCompared) + 1);
  a.number(v.address);
  a.number(v.bytes);
}

template <class A, class V>
void fields_options(A& a, V& v) {
  fields_strategy(a, v.strategy);
  a.optional(v.max_executions, [&](auto& n) { a.number(n); });
  a.optional(v.max_seconds, [&](auto& n) { a.number(n); });
  a.optional(v.give_way_after, [&](auto& n) { a.number(n); });
  a.flag(v.all);
  a.number(v.keep_executions);
  a.number(v.max_steps);
  a.number(v.max_local_seconds);
  a.enumerator(v.races, static_cast<std::uint64_t>(RaceMode::kIgnore) + 1);
  a.list(v.suppressed, [&](auto& race) {
    a.number(race.pc);
    a.number(race.other_pc);
    a.number(race.address);
  });
  a.list(v.ignored, [&](auto& kind) { a.enumerator(kind, kFailureKinds); });
  a.enumerator(v.isolation, static_cast<std::uint64_t>(Isolation::kProcess) + 1);
  a.flag(v.checkpoints);
  a.flag(v.known_steps);
  a.number(v.spurious);
  a.number(v.jobs);
  a.flag(v.items);
  a.optional(v.conclude, [&](auto& c) {
    fields_explore_result(a, c.result);
    fields(a, c.numbers);
    fields_lessons(a, c.lessons);
    a.flag(c.inputs_drawn);
    a.flag(c.inputs_read);
  });
  a.enumerator(v.backend, static_cast<std::uint64_t>(Backend::kThreads) + 1);
  a.flag(v.list_tests);
  a.text(v.test);
  a.optional(v.replay, [&](auto& steps) { a.list(steps, [&](auto& d) { fields(a, d); }); });
  a.list(v.prefix, [&](auto& d) { fields(a, d); });
  a.list(v.learnt, [&](auto& l) { fields_learnt(a, l); });
  a.flag(v.minimize);
  a.flag(v.explain);
  a.list(v.arguments, [&](auto& s) { a.text(s); });
  a.number(v.input_seed);
  fields_input_options(a, v.inputs);
  a.flag(v.coverage);
  fields_properties(a, v.properties);
  a.flag(v.check);
  a.flag(v.note_orders);
  a.optional(v.relax, [&](auto& groups) {
    a.list(groups, [&](auto& group) { a.list(group, [&](auto& pc) { a.number(pc); }); });
  });
}

template <class A, class V>
void fields_progress(A& a, V& v) {
  fields_estimate(a, v.estimate);
  a.number(v.executions);
  a.number(v.classes);
  a.number(v.findings);
  a.number(v.steps);
  fields(a, v.depth);
  a.number(v.seconds);
}

template <class A, class V>
void fields_object(A& a, V& v) {
  a.number(v.address);
  a.number(v.size);
  a.enumerator(v.kind, kObjectKinds);
  a.flag(v.on_heap);
  a.number(v.allocated_at);
  a.number(v.block_size);
  a.number(v.offset);
}

template <class A, class V>
void fields_detail(A& a, V& v) {
  a.number(v.finding);
  a.number(v.address);
  a.number(v.size);
  a.flag(v.write);
  a.flag(v.frees);
  a.flag(v.leaves_scope);
  a.number(v.other_thread.value);
  a.number(v.other_where);
  a.flag(v.other_write);
  a.flag(v.other_leaves_scope);
  a.number(v.allocated_at);
  a.number(v.block_size);
  a.number(v.offset);
  a.number(v.compared.left);
  a.number(v.compared.right);
  a.number(v.compared.bits);
  a.enumerator(v.compared.relation, kRelations);
  a.enumerator(v.compared.kind, kSideKinds);
  a.flag(v.compared.left_constant);
  a.flag(v.compared.right_constant);
}

template <class A, class V>
void fields_coverage(A& a, V& v) {
  a.list(v.files, [&](auto& f) { a.text(f); });
  a.list(v.functions, [&](auto& f) { a.text(f); });
  a.list(v.points, [&](auto& p) {
    a.number(p.file);
    a.number(p.function);
    a.number(p.line);
    a.number(p.branch);
    a.number(p.way);
    a.number(p.count);
  });
}

template <class A, class V>
void fields_result(A& a, V& v) {
  fields_explore_result(a, v.result);
  a.text(v.note);
  a.number(v.searches);
  a.number(v.followed);
  a.optional(v.exit_code, [&](auto& code) { a.number(code); });
  a.list(v.learnt, [&](auto& l) { fields_learnt(a, l); });
  a.list(v.threads, [&](auto& t) {
    a.text(t.name);
    a.number(t.spawned_at);
    a.number(t.parent.value);
    a.number(t.ordinal);
  });
  a.list(v.objects, [&](auto& o) { fields_object(a, o); });
  a.list(v.positions, [&](auto& p) { fields(a, p); });
  a.list(v.modules, [&](auto& m) {
    a.text(m.path);
    a.number(m.base);
    a.number(m.begin);
    a.number(m.end);
  });
  a.list(v.details, [&](auto& d) { fields_detail(a, d); });
  fields(a, v.data);
  fields_input_report(a, v.inputs);
  fields_coverage(a, v.coverage);
  a.list(v.orders, [&](auto& note) {
    a.number(note.where);
    a.enumerator(note.kind, trace::kOpKinds);
  });
  a.flag(v.stale);
  fields_lessons(a, v.lessons);
}

template <class A, class V>
void fields_path(A& a, V& v) {
  a.list(v.steps, [&](auto& d) { fields(a, d); });
  a.list(v.inputs, [&](auto& i) { fields(a, i); });
  a.optional(v.failure, [&](auto& kind) { a.enumerator(kind, kFailureKinds); });
}

template <class A, class V>
void fields_version(A& a, V& version) {
  a.number(version);
}

}  // namespace

FrameWriter::FrameWriter(MessageType type) {
  number(std::uint32_t{0});
  number(static_cast<std::uint8_t>(type));
}

Bytes FrameWriter::finish() {
  Bytes frame = take();
  const auto length = static_cast<std::uint32_t>(frame.size() - 4);
  std::memcpy(frame.data(), &length, sizeof length);
  return frame;
}

Bytes encode(const WorkerOptions& options) {
  Writer w(MessageType::kOptions);
  w.number(kProtocolVersion);
  fields_options(w, options);
  return w.finish();
}

Bytes encode(const explore::Progress& progress) {
  Writer w(MessageType::kProgress);
  fields_progress(w, progress);
  return w.finish();
}

Bytes encode(const WorkerResult& result, MessageType type) {
  REQUIRE(type == MessageType::kResult || type == MessageType::kFound);
  Writer w(type);
  w.number(kProtocolVersion);
  fields_result(w, result);
  return w.finish();
}

Bytes encode_tests(const std::vector<std::string>& names) {
  Writer w(MessageType::kTests);
  w.list(names, [&](const std::string& n) { w.text(n); });
  return w.finish();
}

Bytes encode(const ExploredPath& path) {
  Writer w(MessageType::kPath);
  fields_path(w, path);
  return w.finish();
}

Bytes encode_error(const std::string& message) {
  Writer w(MessageType::kError);
  w.text(message);
  return w.finish();
}

void FrameReader::append(std::span<const std::uint8_t> bytes) {
  if (consumed_ > 0) {
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(consumed_));
    consumed_ = 0;
  }
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

Result<FrameReader::Next> FrameReader::next() {
  Next next;
  const std::size_t left = buffer_.size() - consumed_;
  if (left < 4) return next;
  std::uint32_t length = 0;
  std::memcpy(&length, buffer_.data() + consumed_, sizeof length);
  if (length == 0 || length > kMaxFrame)
    return Error{"a frame of " + std::to_string(length) +
                 " bytes came from the worker; the program under test probably wrote to heddle's descriptor"};
  if (left - 4 < length) return next;
  const std::uint8_t type = buffer_[consumed_ + 4];
  if (type > static_cast<std::uint8_t>(kLastMessageType))
    return Error{"a message of unknown type " + std::to_string(type) +
                 " came from the worker; build the program again with this version of heddle"};
  const auto begin = buffer_.begin() + static_cast<std::ptrdiff_t>(consumed_ + 5);
  next.complete = true;
  next.frame.type = static_cast<MessageType>(type);
  next.frame.payload.assign(begin, begin + static_cast<std::ptrdiff_t>(length - 1));
  consumed_ += 4 + length;
  return next;
}

namespace {
template <class T, class F>
Result<T> decode_versioned(std::span<const std::uint8_t> payload, const char* what, F&& read) {
  Reader r(payload);
  std::uint32_t version = 0;
  fields_version(r, version);
  if (version != kProtocolVersion)
    return Error{std::string(what) + " speak protocol " + std::to_string(version) + ", this heddle speaks " +
                 std::to_string(kProtocolVersion) + "; build the program again"};
  T value;
  read(r, value);
  return r.finish(std::move(value), what);
}
}  // namespace

Result<WorkerOptions> decode_options(std::span<const std::uint8_t> payload) {
  return decode_versioned<WorkerOptions>(payload, "options", [](Reader& r, auto& v) { fields_options(r, v); });
}

Result<WorkerResult> decode_result(std::span<const std::uint8_t> payload) {
  return decode_versioned<WorkerResult>(payload, "results", [](Reader& r, auto& v) { fields_result(r, v); });
}

Result<explore::Progress> decode_progress(std::span<const std::uint8_t> payload) {
  Reader r(payload);
  explore::Progress progress;
  fields_progress(r, progress);
  return r.finish(progress, "progress");
}

Result<std::vector<std::string>> decode_tests(std::span<const std::uint8_t> payload) {
  Reader r(payload);
  std::vector<std::string> names;
  r.list(names, [&](std::string& n) { r.text(n); });
  return r.finish(std::move(names), "test names");
}

Result<ExploredPath> decode_path(std::span<const std::uint8_t> payload) {
  Reader r(payload);
  ExploredPath path;
  fields_path(r, path);
  return r.finish(std::move(path), "path");
}

Result<std::string> decode_error(std::span<const std::uint8_t> payload) {
  Reader r(payload);
  std::string message;
  r.text(message);
  return r.finish(std::move(message), "error");
}

}  // namespace heddle::protocol
