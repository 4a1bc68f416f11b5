#include "check/graph_enumeration.h"

#include <algorithm>
#include <tuple>

#include "base/assert.h"

namespace heddle::check {

using trace::MemoryOrder;

namespace {

// A graph with the values in it, and what choices came to.
struct Grown {
  MemoryGraph graph;
  std::vector<int> found, left;  // by event
  std::vector<int> alternative;
  std::vector<std::vector<int>> by_thread;

  int add(MemoryEvent event, int value_found, int value_left, int choice = -1) {
    const int id = static_cast<int>(graph.events.size());
    event.index = static_cast<int>(by_thread[static_cast<std::size_t>(event.thread)].size());
    by_thread[static_cast<std::size_t>(event.thread)].push_back(id);
    graph.events.push_back(std::move(event));
    found.push_back(value_found);
    left.push_back(value_left);
    alternative.push_back(choice);
    return id;
  }
};

enum class Standing : std::uint8_t { kNext, kEnded, kGaveUp };

// Where a thread stands that has done the events of the graph.
struct Thread {
  Standing standing = Standing::kEnded;
  std::size_t at = 0;
  std::vector<int> registers;
};

int number_of(const LitmusValue& v, const Thread& thread) {
  return v.add + (v.reg >= 0 ? thread.registers[static_cast<std::size_t>(v.reg)] : 0);
}

class Enumerator {
 public:
  Enumerator(const Litmus& litmus, trace::MemoryModel model, std::size_t most)
      : litmus_(litmus), model_(model), most_(most) {}

  GraphEnumeration run() {
    Grown empty;
    empty.by_thread.resize(litmus_.threads.size());
    for (std::size_t x = 0; x < litmus_.locations.size(); ++x) {
      empty.graph.events.push_back({.kind = MemoryEventKind::kInit, .location = static_cast<int>(x)});
      empty.found.push_back(0);
      empty.left.push_back(0);
      empty.alternative.push_back(-1);
      empty.graph.mo.push_back({static_cast<int>(x)});
    }
    std::vector<Grown> level{empty};
    while (!level.empty() && !result_.too_many) {
      std::map<std::string, Grown> next;
      for (const Grown& g : level) grow(g, next);
      level.clear();
      for (auto& [text, g] : next) level.push_back(std::move(g));
      grown_ += level.size();
      result_.too_many = grown_ > most_;
    }
    return std::move(result_);
  }

 private:
  void grow(const Grown& g, std::map<std::string, Grown>& next) {
    next_ = &next;
    extended_ = false;
    bool gave_up = false, waits = false;
    for (std::size_t t = 0; t < litmus_.threads.size(); ++t) {
      const Thread thread = stand(g, t);
      gave_up = gave_up || thread.standing == Standing::kGaveUp;
      if (thread.standing != Standing::kNext) continue;
      waits = true;
      extend(g, static_cast<int>(t), thread);
    }
    if (extended_) return;
    const std::string text = text_of(g);
    result_.ends[text] = gave_up ? GraphEnd::kVoid : waits ? GraphEnd::kDeadlock : GraphEnd::kComplete;
    if (has_race(g.graph)) result_.racy.insert(text);
  }

  Thread stand(const Grown& g, std::size_t t) const {
    Thread thread;
    thread.registers.assign(litmus_.registers.size(), 0);
    const std::vector<LitmusStmt>& code = litmus_.threads[t];
    std::size_t done = 0;
    for (std::size_t at = 0; at < code.size(); ++at) {
      const LitmusStmt& s = code[at];
      const auto reg = static_cast<std::size_t>(s.reg);
      if (s.kind == LitmusKind::kIf) {
        if (thread.registers[reg] != s.number) at += static_cast<std::size_t>(s.next);
        continue;
      }
      if (s.kind == LitmusKind::kAssume) {
        if (thread.registers[reg] == s.number) continue;
        thread.standing = Standing::kGaveUp;
        return thread;
      }
      if (done == g.by_thread[t].size()) {
        thread.standing = Standing::kNext;
        thread.at = at;
        return thread;
      }
      const auto e = static_cast<std::size_t>(g.by_thread[t][done++]);
      if (s.reg < 0) continue;
      const bool attempt = s.kind == LitmusKind::kCas || s.kind == LitmusKind::kTryLock;
      if (attempt)
        thread.registers[reg] = g.graph.events[e].kind == MemoryEventKind::kUpdate;
      else
        thread.registers[reg] = s.kind == LitmusKind::kChoose ? g.alternative[e] : g.found[e];
    }
    return thread;
  }

  void extend(const Grown& g, int t, const Thread& thread) {
    const LitmusStmt& s = litmus_.threads[static_cast<std::size_t>(t)][thread.at];
    MemoryEvent event{.order = s.order, .thread = t, .location = s.location};
    switch (s.kind) {
      case LitmusKind::kLoad:
      case LitmusKind::kAdd:
      case LitmusKind::kExchange:
      case LitmusKind::kCas:
      case LitmusKind::kLock:
      case LitmusKind::kUnlock:
      case LitmusKind::kTryLock:
        return read(g, event, s, thread);
      case LitmusKind::kStore:
        event.kind = MemoryEventKind::kWrite;
        return write(g, event, number_of(s.value, thread));
      case LitmusKind::kFence:
        event.kind = MemoryEventKind::kFence;
        return keep(g, event, -1);
      case LitmusKind::kJoin: {
        const auto peer = static_cast<std::size_t>(s.number);
        if (stand(g, peer).standing != Standing::kEnded) return;
        if (!g.by_thread[peer].empty()) event.after.push_back(g.by_thread[peer].back());
        return keep(g, event, -1);
      }
      case LitmusKind::kChoose:
        for (int c = 0; c < s.number; ++c) keep(g, event, c);
        return;
      case LitmusKind::kIf:
      case LitmusKind::kAssume:
        break;
    }
    INVARIANT(!"a statement that is no event");
  }

  void read(const Grown& g, MemoryEvent event, const LitmusStmt& s, const Thread& thread) {
    const bool lock = s.kind == LitmusKind::kLock || s.kind == LitmusKind::kUnlock || s.kind == LitmusKind::kTryLock;
    event.sync = lock;
    if (lock) event.order = s.kind == LitmusKind::kUnlock ? MemoryOrder::kRelease : MemoryOrder::kAcquire;
    const std::vector<int>& writes = g.graph.mo[static_cast<std::size_t>(s.location)];
    for (std::size_t i = 0; i < writes.size(); ++i) {
      const int found = g.left[static_cast<std::size_t>(writes[i])];
      event.source = writes[i];
      if (s.kind == LitmusKind::kLock && found != 0) continue;
      // A thread unlocks what it has locked itself.
      const int owner = g.graph.events[static_cast<std::size_t>(writes[i])].thread;
      if (s.kind == LitmusKind::kUnlock && owner != event.thread) continue;
      const bool fails =
          (s.kind == LitmusKind::kCas && found != s.number) || (s.kind == LitmusKind::kTryLock && found != 0);
      if (s.kind == LitmusKind::kLoad || fails) {
        MemoryEvent failed = event;
        failed.kind = MemoryEventKind::kRead;
        failed.failed = fails;
        if (fails) failed.order = s.kind == LitmusKind::kCas ? s.failure : MemoryOrder::kRelaxed;
        Grown more = g;
        more.add(failed, found, found);
        keep_if_consistent(std::move(more));
        continue;
      }
      event.kind = MemoryEventKind::kUpdate;
      int left = number_of(s.value, thread);
      if (s.kind == LitmusKind::kAdd) left += found;
      if (lock) left = s.kind == LitmusKind::kUnlock ? 0 : 1;
      Grown more = g;
      const int id = more.add(event, found, left);
      std::vector<int>& mo = more.graph.mo[static_cast<std::size_t>(s.location)];
      mo.insert(mo.begin() + static_cast<std::ptrdiff_t>(i) + 1, id);
      keep_if_consistent(std::move(more));
    }
  }

  void write(const Grown& g, const MemoryEvent& event, int left) {
    const auto x = static_cast<std::size_t>(event.location);
    for (std::size_t place = 1; place <= g.graph.mo[x].size(); ++place) {
      Grown more = g;
      const int id = more.add(event, 0, left);
      std::vector<int>& mo = more.graph.mo[x];
      mo.insert(mo.begin() + static_cast<std::ptrdiff_t>(place), id);
      keep_if_consistent(std::move(more));
    }
  }

  void keep(const Grown& g, const MemoryEvent& event, int alternative) {
    Grown more = g;
    more.add(event, 0, 0, alternative);
    keep_if_consistent(std::move(more));
  }

  void keep_if_consistent(Grown&& g) {
    if (!is_consistent(g.graph, model_)) return;
    extended_ = true;
    std::string text = text_of(g);
    next_->try_emplace(std::move(text), std::move(g));
  }

  EventName name(const Grown& g, int e) const {
    const MemoryEvent& event = g.graph.events[static_cast<std::size_t>(e)];
    return event.thread < 0 ? EventName{} : EventName{event.thread, event.index};
  }

  std::string text_of(const Grown& g) const {
    std::vector<GraphLine> lines;
    for (std::size_t e = 0; e < g.graph.events.size(); ++e) {
      const MemoryEvent& event = g.graph.events[e];
      if (event.thread < 0) continue;
      GraphLine line{name(g, static_cast<int>(e)), event.reads(), event.writes(), {}, g.alternative[e]};
      if (event.reads()) line.source = name(g, event.source);
      lines.push_back(line);
    }
    std::vector<std::vector<EventName>> mo;
    for (const std::vector<int>& writes : g.graph.mo) {
      mo.emplace_back();
      for (std::size_t i = 1; i < writes.size(); ++i) mo.back().push_back(name(g, writes[i]));
    }
    return graph_text(std::move(lines), mo);
  }

  const Litmus& litmus_;
  const trace::MemoryModel model_;
  const std::size_t most_;
  std::size_t grown_ = 0;
  std::map<std::string, Grown>* next_ = nullptr;
  bool extended_ = false;
  GraphEnumeration result_;
};

std::string text_of(const EventName& e) {
  return e.thread < 0 ? "init" : std::to_string(e.thread) + "." + std::to_string(e.index);
}

}  // namespace

std::size_t GraphEnumeration::count(GraphEnd end) const {
  return static_cast<std::size_t>(
      std::count_if(ends.begin(), ends.end(), [&](const auto& entry) { return entry.second == end; }));
}

GraphEnumeration enumerate_graphs(const Litmus& litmus, trace::MemoryModel model, std::size_t most_graphs) {
  return Enumerator(litmus, model, most_graphs).run();
}

std::string graph_text(std::vector<GraphLine> lines, const std::vector<std::vector<EventName>>& mo) {
  std::sort(lines.begin(), lines.end(), [](const GraphLine& a, const GraphLine& b) {
    return std::tie(a.name.thread, a.name.index) < std::tie(b.name.thread, b.name.index);
  });
  std::string text;
  for (const GraphLine& line : lines) {
    text += text_of(line.name);
    if (line.writes) text += "w";
    if (line.reads) text += "<" + text_of(line.source);
    if (line.alternative >= 0) text += "=" + std::to_string(line.alternative);
    text += " ";
  }
  for (const std::vector<EventName>& writes : mo) {
    if (writes.size() < 2) continue;
    text += "|";
    for (const EventName& w : writes) text += " " + text_of(w);
  }
  return text;
}

}  // namespace heddle::check
