#include "check/state_script.h"

#include <array>
#include <list>
#include <map>

#include "base/random.h"

namespace heddle::check {
namespace {

bool is_access(StateOp op) { return op <= StateOp::kStoreSum; }

// --- drawing ---

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  StateScript script() {
    StateScript script;
    script.memory = pick(3) != 0;
    containers_ = !script.memory || pick(3) == 0;
    base_ = pick(4);
    const int threads = 2 + pick(2);
    for (int t = 0; t < threads; ++t) {
      std::vector<StateStatement>& statements = script.threads.emplace_back();
      const int length = threads == 2 ? 2 + pick(3) : 1 + pick(3);
      for (int i = 0; i < length; ++i)
        if (containers_ && (!script.memory || pick(2) == 0))
          add_section(statements);
        else
          statements.push_back(access());
    }
    return script;
  }

 private:
  std::uint32_t pick(std::uint32_t n) { return static_cast<std::uint32_t>(random_.below(n)); }

  // Close together, so that they overlap and lie across the boundary at 8.
  StateStatement access() {
    constexpr std::uint32_t kSizes[] = {1, 2, 4, 8};
    StateStatement s;
    s.op = pick(2) == 0 ? StateOp::kLoad : pick(2) == 0 ? StateOp::kStore : StateOp::kStoreSum;
    s.size = kSizes[pick(4)];
    s.at = base_ + pick(5);
    s.value = 0x0101010101010101u * (1 + pick(3));
    return s;
  }

  void add_section(std::vector<StateStatement>& statements) {
    const std::uint32_t length = 1 + pick(3);
    for (std::uint32_t i = 0; i < length; ++i) {
      StateStatement s;
      s.op = static_cast<StateOp>(static_cast<int>(StateOp::kInsert) + pick(8));
      s.at = 1 + pick(2);
      s.value = pick(3);
      s.more = i + 1 < length;
      statements.push_back(s);
    }
  }

  Random random_;
  bool containers_ = false;
  std::uint32_t base_ = 0;
};

// --- meaning ---

struct State {
  std::array<std::uint8_t, kStateBytes> bytes{};
  std::map<std::uint64_t, std::uint64_t> map;
  std::list<std::uint64_t> list;
  std::string text;
  std::vector<std::size_t> pc;
  std::vector<std::uint64_t> r;
  auto operator<=>(const State&) const = default;
};

void perform(State& state, std::size_t t, const StateStatement& s) {
  std::uint64_t& r = state.r[t];
  const auto store = [&](std::uint64_t value) {
    for (std::uint32_t i = 0; i < s.size; ++i) state.bytes[s.at + i] = static_cast<std::uint8_t>(value >> (8 * i));
  };
  switch (s.op) {
    case StateOp::kLoad:
      r = 0;
      for (std::uint32_t i = s.size; i-- > 0;) r = r << 8 | state.bytes[s.at + i];
      break;
    case StateOp::kStore: store(s.value); break;
    case StateOp::kStoreSum: store(r + s.value); break;
    case StateOp::kInsert: r = r * 2 + (state.map.insert({s.value, s.at}).second ? 1 : 0); break;
    case StateOp::kErase: r = r * 2 + state.map.erase(s.value); break;
    case StateOp::kLookUp: {
      const auto found = state.map.find(s.value);
      r = r * 3 + (found == state.map.end() ? 0 : found->second);
      break;
    }
    case StateOp::kPushBack: state.list.push_back(s.value); break;
    case StateOp::kPushFront: state.list.push_front(s.value); break;
    case StateOp::kPopFront:
      r = state.list.empty() ? 9 : state.list.front();
      if (!state.list.empty()) state.list.pop_front();
      break;
    case StateOp::kAppend: state.text.append(8, static_cast<char>('a' + s.value)); break;
    case StateOp::kMeasure: r = state.text.size(); break;
  }
}

// What one thread does at once: an access, or all that is under the lock.
void step(const StateScript& script, State& state, std::size_t t) {
  bool more = true;
  while (more) {
    const StateStatement& s = script.threads[t][state.pc[t]++];
    perform(state, t, s);
    more = s.more;
  }
}

std::uint64_t digest(const State& state) {
  std::uint64_t d = 1469598103934665603u;
  const auto add = [&](std::uint64_t value) { d = (d ^ value) * 1099511628211u; };
  for (const std::uint64_t r : state.r) add(r);
  for (const std::uint8_t b : state.bytes) add(b);
  for (const auto& [key, value] : state.map) add(key), add(value);
  for (const std::uint64_t v : state.list) add(v + 100);
  for (const char c : state.text) add(static_cast<std::uint64_t>(c));
  return d;
}

// --- as C++ ---

std::string number(std::uint64_t value) { return std::to_string(value) + "u"; }

std::string statement(const StateStatement& s) {
  const std::string place = "PLACE(" + std::to_string(8 * s.size) + ", " + std::to_string(s.at) + ")";
  const std::string value = number(s.value), at = number(s.at);
  switch (s.op) {
    case StateOp::kLoad: return "r = " + place + ";";
    case StateOp::kStore: return place + " = static_cast<uint" + std::to_string(8 * s.size) + "_t>(" + value + "l);";
    case StateOp::kStoreSum:
      return place + " = static_cast<uint" + std::to_string(8 * s.size) + "_t>(r + " + value + "l);";
    case StateOp::kInsert: return "r = r * 2 + (map.insert({" + value + ", " + at + "}).second ? 1 : 0);";
    case StateOp::kErase: return "r = r * 2 + map.erase(" + value + ");";
    case StateOp::kLookUp: return "r = r * 3 + (map.count(" + value + ") ? map.find(" + value + ")->second : 0);";
    case StateOp::kPushBack: return "list.push_back(" + value + ");";
    case StateOp::kPushFront: return "list.push_front(" + value + ");";
    case StateOp::kPopFront: return "if (list.empty()) { r = 9; } else { r = list.front(); list.pop_front(); }";
    case StateOp::kAppend: return std::string("text.append(8, '") + static_cast<char>('a' + s.value) + "');";
    case StateOp::kMeasure: return "r = text.size();";
  }
  return {};
}

}  // namespace

StateScript random_state_script(std::uint64_t seed) { return Generator(mix(seed ^ 0x6f5e4d3)).script(); }

std::optional<std::set<std::uint64_t>> final_states(const StateScript& script, std::size_t limit) {
  State start;
  start.pc.assign(script.threads.size(), 0);
  start.r.assign(script.threads.size(), 0);
  std::set<State> seen{start};
  std::vector<State> open{start};
  std::set<std::uint64_t> finals;
  while (!open.empty()) {
    const State state = open.back();
    open.pop_back();
    bool ended = true;
    for (std::size_t t = 0; t < script.threads.size(); ++t) {
      if (state.pc[t] == script.threads[t].size()) continue;
      ended = false;
      State next = state;
      step(script, next, t);
      if (seen.insert(next).second) open.push_back(next);
    }
    if (ended) finals.insert(digest(state));
    if (finals.size() > limit) return std::nullopt;
  }
  return finals;
}

std::string to_cxx(const StateScript& script, const std::string& name, const std::set<std::uint64_t>& finals) {
  std::string out, threads, joins;
  for (std::size_t t = 0; t < script.threads.size(); ++t) {
    const std::string f = name + "_" + std::to_string(t);
    out += "static void* " + f + "(void* out) {\n  uint64_t r = 0;\n";
    bool locked = false;
    for (const StateStatement& s : script.threads[t]) {
      if (!is_access(s.op) && !locked) out += "  pthread_mutex_lock(&lock);\n";
      out += "  " + statement(s) + "\n";
      locked = s.more;
      if (!is_access(s.op) && !locked) out += "  pthread_mutex_unlock(&lock);\n";
    }
    out += "  *static_cast<uint64_t*>(out) = r;\n  return nullptr;\n}\n";
    threads += "  pthread_create(&t[" + std::to_string(t) + "], nullptr, " + f + ", &r[" + std::to_string(t) + "]);\n";
    joins += "  pthread_join(t[" + std::to_string(t) + "], nullptr);\n";
  }
  const std::string n = std::to_string(script.threads.size());
  // Functions, or the optimiser makes one place of them.
  for (const std::uint64_t d : finals)
    out += "__attribute__((noinline)) static void " + name + "_" + std::to_string(d) + "() {\n  heddle_fail(\"" +
           std::to_string(d) + "\");\n}\n";
  out += "HEDDLE_TEST(" + name + ") {\n  pthread_t t[" + n + "];\n  uint64_t r[" + n + "];\n" + threads + joins;
  out += "  switch (digest(r, " + n + ")) {\n";
  for (const std::uint64_t d : finals)
    out += "    case " + number(d) + "ll: " + name + "_" + std::to_string(d) + "(); break;\n";
  return out + "    default: abort();\n  }\n}\n\n";
}

std::string cxx_prelude() {
  return R"(#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <list>
#include <map>
#include <string>
#include "heddle/heddle.hpp"

template <class T>
struct __attribute__((packed, may_alias)) Unaligned {
  volatile T value;
};
#define PLACE(bits, at) (reinterpret_cast<Unaligned<uint##bits##_t>*>(bytes + (at))->value)

alignas(8) static unsigned char bytes[16];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static std::map<uint64_t, uint64_t> map;
static std::list<uint64_t> list;
static std::string text;

static uint64_t digest(const uint64_t* r, int threads) {
  uint64_t d = 1469598103934665603u;
  const auto add = [&](uint64_t value) { d = (d ^ value) * 1099511628211u; };
  for (int t = 0; t < threads; ++t) add(r[t]);
  for (const unsigned char b : bytes) add(b);
  for (const auto& [key, value] : map) add(key), add(value);
  for (const uint64_t v : list) add(v + 100);
  for (const char c : text) add(static_cast<uint64_t>(c));
  return d;
}

int main() { return 0; }

)";
}

}  // namespace heddle::check
