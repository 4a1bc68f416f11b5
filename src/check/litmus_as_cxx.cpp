#include "check/litmus_as_cxx.h"

#include <algorithm>
#include <array>

namespace heddle::check {
namespace {

using trace::MemoryOrder;

constexpr std::array kTypes = {"std::uint8_t", "std::uint16_t", "int", "std::uint64_t", "unsigned __int128"};

const char* macro_of(MemoryOrder order) {
  switch (order) {
    case MemoryOrder::kPlain:
    case MemoryOrder::kRelaxed:
      return "__ATOMIC_RELAXED";
    case MemoryOrder::kAcquire:
      return "__ATOMIC_ACQUIRE";
    case MemoryOrder::kRelease:
      return "__ATOMIC_RELEASE";
    case MemoryOrder::kAcqRel:
      return "__ATOMIC_ACQ_REL";
    case MemoryOrder::kSeqCst:
      return "__ATOMIC_SEQ_CST";
  }
  return "";
}

bool is_of_lock(LitmusKind kind) {
  return kind == LitmusKind::kLock || kind == LitmusKind::kUnlock || kind == LitmusKind::kTryLock;
}

class CxxWriter {
 public:
  CxxWriter(const Litmus& litmus, const std::string& name) : litmus_(litmus), name_(name) {}

  std::string at(const LitmusStmt& s) const {
    return name_ + "::" + litmus_.locations[static_cast<std::size_t>(s.location)];
  }
  std::string reg(int r) const { return litmus_.registers[static_cast<std::size_t>(r)]; }
  std::string value(const LitmusValue& v) const {
    return v.reg < 0 ? std::to_string(v.add) : reg(v.reg) + " + " + std::to_string(v.add);
  }

  std::string write(const LitmusStmt& s) const {
    const std::string order = macro_of(s.order);
    const bool plain = s.order == MemoryOrder::kPlain;
    const std::string to = s.reg < 0 ? "" : reg(s.reg) + " = static_cast<int>(";
    switch (s.kind) {
      case LitmusKind::kLoad:
        return to + (plain ? at(s) : "__atomic_load_n(&" + at(s) + ", " + order + ")") + ");";
      case LitmusKind::kStore:
        return plain ? at(s) + " = " + value(s.value) + ";"
                     : "__atomic_store_n(&" + at(s) + ", " + value(s.value) + ", " + order + ");";
      case LitmusKind::kAdd:
        return to + "__atomic_fetch_add(&" + at(s) + ", " + value(s.value) + ", " + order + "));";
      case LitmusKind::kExchange:
        return to + "__atomic_exchange_n(&" + at(s) + ", " + value(s.value) + ", " + order + "));";
      case LitmusKind::kCas:
        return to + "exchanges(" + at(s) + ", " + std::to_string(s.number) + ", " + value(s.value) + ", " + order +
               ", " + macro_of(s.failure) + "));";
      case LitmusKind::kFence:
        return "__atomic_thread_fence(" + order + ");";
      case LitmusKind::kIf:
        return "if (" + reg(s.reg) + " == " + std::to_string(s.number) + ") {";
      case LitmusKind::kAssume:
        return "heddle_assume(" + reg(s.reg) + " == " + std::to_string(s.number) + ");";
      case LitmusKind::kLock:
        return "pthread_mutex_lock(&" + at(s) + ");";
      case LitmusKind::kUnlock:
        return "pthread_mutex_unlock(&" + at(s) + ");";
      case LitmusKind::kTryLock:
        return reg(s.reg) + " = pthread_mutex_trylock(&" + at(s) + ") == 0;";
      case LitmusKind::kJoin:
        return "";
      case LitmusKind::kChoose:
        return reg(s.reg) + " = static_cast<int>(heddle_choose(" + std::to_string(s.number) + "));";
    }
    return "";
  }

  std::string thread(std::size_t t) const {
    std::string text = "[[clang::optnone]] void* t" + std::to_string(t) + "(void*) {\n";
    for (const std::string& r : litmus_.registers) text += "  int " + r + " = 0;\n";
    std::vector<std::size_t> ends;  // of the open ifs
    for (std::size_t i = 0; i < litmus_.threads[t].size(); ++i) {
      const LitmusStmt& s = litmus_.threads[t][i];
      text += "  " + write(s) + "\n";
      if (s.kind == LitmusKind::kIf) ends.push_back(i + static_cast<std::size_t>(s.next));
      for (; !ends.empty() && ends.back() <= i; ends.pop_back()) text += "  }\n";
    }
    for (std::size_t i = 0; i < ends.size(); ++i) text += "  }\n";
    return text + "  return nullptr;\n}\n";
  }

  bool is_lock(std::size_t location) const {
    return std::any_of(litmus_.threads.begin(), litmus_.threads.end(), [&](const auto& thread) {
      return std::any_of(thread.begin(), thread.end(), [&](const LitmusStmt& s) {
        return s.location == static_cast<int>(location) && is_of_lock(s.kind);
      });
    });
  }

 private:
  const Litmus& litmus_;
  const std::string& name_;
};

// Statements of one thread in all branches: what may be held by then.
bool relocks(const std::vector<LitmusStmt>& thread) {
  std::vector<int> held;
  for (const LitmusStmt& s : thread) {
    if (s.kind == LitmusKind::kUnlock) std::erase(held, s.location);
    if (s.kind != LitmusKind::kLock && s.kind != LitmusKind::kTryLock) continue;
    if (std::find(held.begin(), held.end(), s.location) != held.end()) return true;
    held.push_back(s.location);
  }
  return false;
}

}  // namespace

std::string litmus_prelude() {
  return "#include <pthread.h>\n#include <cstdint>\n#include <heddle/heddle.h>\n\n"
         "template <class T>\nstatic bool exchanges(T& x, T expected, T value, int success, int failure) {\n"
         "  return __atomic_compare_exchange_n(&x, &expected, value, false, success, failure);\n}\n"
         "template <class T, class U, class V>\nstatic bool exchanges(T& x, U expected, V value, int success, int "
         "failure) {\n"
         "  return exchanges<T>(x, static_cast<T>(expected), static_cast<T>(value), success, failure);\n}\n\n";
}

std::string to_cxx(const Litmus& litmus, const std::string& name, std::size_t size) {
  const CxxWriter writer(litmus, name);
  std::string text = "// " + to_text(litmus) + "\nnamespace " + name + " {\n";
  for (std::size_t x = 0; x < litmus.locations.size(); ++x) {
    const char* const type = kTypes[(size + x) % kTypes.size()];
    text += writer.is_lock(x) ? "pthread_mutex_t " + litmus.locations[x] + " = PTHREAD_MUTEX_INITIALIZER;\n"
                              : "alignas(64) " + std::string(type) + " " + litmus.locations[x] + ";\n";
  }
  for (std::size_t t = 0; t < litmus.threads.size(); ++t) text += writer.thread(t);
  const std::string n = std::to_string(litmus.threads.size());
  text += "}\nHEDDLE_TEST(" + name + ") {\n  pthread_t threads[" + n + "];\n";
  for (std::size_t t = 0; t < litmus.threads.size(); ++t)
    text += "  pthread_create(&threads[" + std::to_string(t) + "], nullptr, " + name + "::t" + std::to_string(t) +
            ", nullptr);\n";
  return text + "  for (pthread_t thread : threads) pthread_join(thread, nullptr);\n}\n\n";
}

bool is_strange_in_cxx(const Litmus& litmus) {
  return std::any_of(litmus.threads.begin(), litmus.threads.end(), [](const auto& thread) {
    return relocks(thread) ||
           std::any_of(thread.begin(), thread.end(), [](const LitmusStmt& s) { return s.kind == LitmusKind::kJoin; });
  });
}

}  // namespace heddle::check
