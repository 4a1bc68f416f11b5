// Edges are found without looking into clocks: for every pair of threads (t, u) a cursor says how many events
// of u are known to happen before t's present. Clocks only grow along a thread, so cursors only advance, and
// all of them together cost (steps x threads). What a cursor passes over at a step of t is news to t; of the
// news from all threads, those that happen before other news are implied by them and left out.
#include "report/html_trace.h"

#include "report/narrative.h"
#include "report/reads_from.h"
#include "trace/happens_before.h"
#include "trace/waiting.h"

namespace heddle::report {
namespace {

using namespace trace;
using Json = nlohmann::ordered_json;

constexpr std::int64_t kLargestExact = 1ll << 53;  // of the integers a double holds

bool has_values(OpKind kind) {
  const Subject subject = row_of(kind).subject;
  return subject == Subject::kMemory || subject == Subject::kCount;
}

// Numbers beyond a double's precision are addresses or bit patterns: text.
Json value_json(const Describer& describer, const Step& step, std::uint64_t value) {
  if (!has_values(step.op.kind)) return nullptr;
  std::string text = describer.value_text(step.op.object, value);
  const auto number = static_cast<std::int64_t>(value);
  if (number <= kLargestExact && number >= -kLargestExact && text == std::to_string(number)) return number;
  return text;
}

// Objects in the order of their first mention.
class ObjectTable {
 public:
  explicit ObjectTable(const Describer& describer) : describer_(describer) {}
  int index(ObjectId object) {
    if (object == kNoObject) return -1;
    const auto [entry, added] = indices_.try_emplace(object.value, static_cast<int>(names_.size()));
    if (added) names_.push_back(describer_.object_name(object));
    return entry->second;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  const Describer& describer_;
  std::map<std::uint32_t, int> indices_;
  std::vector<std::string> names_;
};

Json woken_json(const Step& step) {
  Json threads = Json::array();
  woken_by(step).for_each([&](std::size_t t) { threads.push_back(t); });
  return threads;
}

// By step, where there are newer writes: the write that is read (-1: what was there at the start), the newest one,
// and how many are newer.
Json stale_json(const Execution& execution) {
  Json out = Json::object();
  const std::vector<Seen> seen = reads_from(execution);
  for (EventIndex i = 0; i < seen.size(); ++i)
    if (seen[i].stale)
      out[std::to_string(i)] = {seen[i].source == kNoEvent ? -1 : static_cast<std::int64_t>(seen[i].source),
                                seen[i].overtaker, seen[i].newer};
  return out;
}

Json failures_json(const Execution& execution, PageSources& sources) {
  Json out = Json::array();
  for (const Failure& f : execution.failures)
    out.push_back({{"kind", name_of(f.kind)},
                   {"step", f.step},
                   {"thread", f.thread == kNoThread ? -1 : static_cast<int>(f.thread.index())},
                   {"place", sources.place(f.where)},
                   {"message", f.message}});
  return out;
}

}  // namespace

std::vector<OrderEdge> covering_edges(const Execution& execution) {
  const std::size_t threads = std::max<std::size_t>(execution.threads, 1);
  std::vector<OrderEdge> edges;
  std::vector<std::vector<EventIndex>> events(threads);  // of each thread so far
  std::vector<std::size_t> known(threads * threads, 0);  // cursors, see the head of the file
  HappensBefore order;
  std::vector<EventIndex> news;
  for (EventIndex i = 0; i < execution.steps.size(); ++i) {
    const std::size_t t = execution.steps[i].thread.index();
    order.push(execution.steps[i]);
    news.clear();
    for (std::size_t u = 0; u < threads; ++u) {
      if (u == t) continue;
      std::size_t& cursor = known[t * threads + u];
      const std::size_t before = cursor;
      while (cursor < events[u].size() && order.before(events[u][cursor], i)) ++cursor;
      if (cursor > before) news.push_back(events[u][cursor - 1]);
    }
    for (const EventIndex a : news) {
      bool implied = false;
      for (const EventIndex b : news) implied = implied || (a != b && order.before(a, b));
      if (!implied) edges.push_back({a, i});
    }
    events[t].push_back(i);
  }
  return edges;
}

Json page_trace(const Execution& execution, const Describer& describer, PageSources& sources) {
  const std::vector<Sentence> sentences = narrate(execution, describer);
  ObjectTable objects(describer);
  Json thread = Json::array(), op = Json::array(), object = Json::array(), before = Json::array(),
       after = Json::array(), place = Json::array(), text = Json::array(), preempts = Json::array(),
       peer = Json::object(), woken = Json::object();
  for (EventIndex i = 0; i < execution.steps.size(); ++i) {
    const Step& s = execution.steps[i];
    thread.push_back(s.thread.index());
    op.push_back(static_cast<int>(s.op.kind));
    object.push_back(objects.index(s.op.object));
    before.push_back(value_json(describer, s, s.op.before));
    after.push_back(value_json(describer, s, s.op.after));
    place.push_back(sources.place(s.where));
    text.push_back(sentences[i].text);
    if (sentences[i].preempts) preempts.push_back(i);
    if (s.op.peer != kNoThread) peer[std::to_string(i)] = s.op.peer.index();
    if (s.op.kind != OpKind::kSpawn && !woken_by(s).empty()) woken[std::to_string(i)] = woken_json(s);
  }
  Json threads = Json::array();
  for (std::size_t t = 0; t < execution.threads; ++t)
    threads.push_back(describer.thread_name(ThreadId(static_cast<std::uint16_t>(t))));
  Json edges = Json::array();
  for (const OrderEdge& e : covering_edges(execution)) {
    edges.push_back(e.from);
    edges.push_back(e.to);
  }
  Json pending = Json::array();
  for (const Pending& p : execution.pending)
    pending.push_back({{"thread", p.step.thread.index()},
                       {"op", static_cast<int>(p.step.op.kind)},
                       {"object", objects.index(p.step.op.object)},
                       {"place", sources.place(p.step.where)},
                       {"enabled", p.enabled}});
  Json waits = Json::array();
  for (const Waiter& waiter : waiters(execution, describer))
    waits.push_back({{"thread", waiter.step->thread.index()}, {"text", waiter.text}});
  return {{"outcome", name_of(execution.outcome)},
          {"threads", std::move(threads)},
          {"objects", objects.names()},
          {"thread", std::move(thread)},
          {"op", std::move(op)},
          {"object", std::move(object)},
          {"before", std::move(before)},
          {"after", std::move(after)},
          {"place", std::move(place)},
          {"text", std::move(text)},
          {"preempts", std::move(preempts)},
          {"peer", std::move(peer)},
          {"woken", std::move(woken)},
          {"edges", std::move(edges)},
          {"stale", stale_json(execution)},
          {"pending", std::move(pending)},
          {"waits", std::move(waits)},
          {"failures", failures_json(execution, sources)}};
}

}  // namespace heddle::report
