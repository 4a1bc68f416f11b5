#include "check/litmus.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/assert.h"

namespace heddle::check {

using trace::MemoryOrder;

namespace {

struct OrderWord {
  std::string_view word;
  MemoryOrder order;
};
constexpr OrderWord kOrderWords[] = {{"na", MemoryOrder::kPlain},    {"rlx", MemoryOrder::kRelaxed},
                                     {"acq", MemoryOrder::kAcquire}, {"rel", MemoryOrder::kRelease},
                                     {"ar", MemoryOrder::kAcqRel},   {"sc", MemoryOrder::kSeqCst}};

struct Wrong {
  std::string what;
};

class LitmusParser {
 public:
  explicit LitmusParser(std::string_view text) : rest_(text) {}

  Litmus parse() {
    do {
      result_.threads.emplace_back();
      do {
        statement();
      } while (take(";"));
    } while (take("||"));
    skip();
    if (!rest_.empty()) throw Wrong{"expected ; or || before \"" + std::string(rest_.substr(0, 10)) + "\""};
    for (const auto& thread : result_.threads)
      for (const LitmusStmt& s : thread)
        if (s.kind == LitmusKind::kJoin && (s.number < 0 || s.number >= static_cast<int>(result_.threads.size())))
          throw Wrong{"join " + std::to_string(s.number) + ": there is no such thread"};
    return std::move(result_);
  }

 private:
  void statement() {
    LitmusStmt s;
    skip();
    if (rest_.starts_with("[")) {
      s.kind = LitmusKind::kStore;
      s.location = location();
      expect("=");
      s.order = order();
      s.value = value();
    } else {
      words(s);
    }
    result_.threads.back().push_back(s);
  }

  void words(LitmusStmt& s) {
    const std::string_view first = word();
    if (first == "fence") {
      s.kind = LitmusKind::kFence;
      s.order = order();
    } else if (first == "if" || first == "assume") {
      s.kind = first == "if" ? LitmusKind::kIf : LitmusKind::kAssume;
      s.reg = reg(word());
      expect("==");
      s.number = number();
      if (first == "if") {
        expect("next");
        s.next = number();
      }
    } else if (first == "lock" || first == "unlock") {
      s.kind = first == "lock" ? LitmusKind::kLock : LitmusKind::kUnlock;
      s.location = location();
    } else if (first == "join") {
      s.kind = LitmusKind::kJoin;
      s.number = number();
    } else {
      s.reg = reg(first);
      expect("=");
      right_side(s);
    }
  }

  void right_side(LitmusStmt& s) {
    s.order = order();
    skip();
    if (rest_.starts_with("[")) {
      s.kind = LitmusKind::kLoad;
      s.location = location();
      return;
    }
    const std::string_view what = word();
    if (what == "try") {
      s.kind = LitmusKind::kTryLock;
      s.location = location();
      return;
    }
    if (what == "choose") {
      s.kind = LitmusKind::kChoose;
      s.number = number();
      return;
    }
    if (what == "add")
      s.kind = LitmusKind::kAdd;
    else if (what == "xchg")
      s.kind = LitmusKind::kExchange;
    else if (what == "cas")
      s.kind = LitmusKind::kCas;
    else
      throw Wrong{"unknown operation \"" + std::string(what) + "\""};
    s.order = order();
    s.failure = take("/") ? order_named(word()) : trace::order_of_failure(s.order);
    expect("(");
    s.location = location();
    expect(",");
    if (s.kind == LitmusKind::kCas) {
      s.number = number();
      expect(",");
    }
    s.value = value();
    expect(")");
  }

  void skip() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front()))) rest_.remove_prefix(1);
  }
  bool take(std::string_view what) {
    skip();
    if (!rest_.starts_with(what)) return false;
    rest_.remove_prefix(what.size());
    return true;
  }
  void expect(std::string_view what) {
    if (take(what)) return;
    throw Wrong{"expected " + std::string(what) + " before \"" + std::string(rest_.substr(0, 10)) + "\""};
  }
  std::string_view word() {
    skip();
    std::size_t n = 0;
    while (n < rest_.size() && std::isalnum(static_cast<unsigned char>(rest_[n]))) ++n;
    if (n == 0 || std::isdigit(static_cast<unsigned char>(rest_[0])))
      throw Wrong{"expected a word before \"" + std::string(rest_.substr(0, 10)) + "\""};
    const std::string_view w = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return w;
  }
  int number() {
    skip();
    int n = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), n);
    if (error != std::errc()) throw Wrong{"expected a number before \"" + std::string(rest_.substr(0, 10)) + "\""};
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return n;
  }
  LitmusValue value() {
    skip();
    if (rest_.empty() || !std::isalpha(static_cast<unsigned char>(rest_.front()))) return {-1, number()};
    LitmusValue v{reg(word()), 0};
    if (take("+")) v.add = number();
    return v;
  }
  MemoryOrder order() {
    if (!rest_.starts_with("_")) return MemoryOrder::kRelaxed;
    rest_.remove_prefix(1);
    return order_named(word());
  }
  MemoryOrder order_named(std::string_view w) {
    for (const OrderWord& known : kOrderWords)
      if (known.word == w) return known.order;
    throw Wrong{"unknown memory order \"" + std::string(w) + "\"; there are na, rlx, acq, rel, ar and sc"};
  }
  int location() {
    expect("[");
    const int x = place_in(result_.locations, word());
    expect("]");
    return x;
  }
  int reg(std::string_view name) { return place_in(result_.registers, name); }
  static int place_in(std::vector<std::string>& names, std::string_view name) {
    auto known = std::find(names.begin(), names.end(), name);
    if (known == names.end()) known = names.insert(names.end(), std::string(name));
    return static_cast<int>(known - names.begin());
  }

  std::string_view rest_;
  Litmus result_;
};

std::string_view word_of(MemoryOrder order) {
  for (const OrderWord& known : kOrderWords)
    if (known.order == order) return known.word;
  return "?";
}

// The two ways of writing a test: names, and what a statement looks like.
class Writer {
 public:
  explicit Writer(const Litmus& litmus) : litmus_(litmus) {}

  std::string value(const LitmusValue& v) const {
    if (v.reg < 0) return std::to_string(v.add);
    return reg(v.reg) + (v.add == 0 ? "" : " + " + std::to_string(v.add));
  }
  std::string reg(int r) const { return litmus_.registers[static_cast<std::size_t>(r)]; }
  std::string at(const LitmusStmt& s) const { return litmus_.locations[static_cast<std::size_t>(s.location)]; }

  std::string as_text(const LitmusStmt& s) const {
    const std::string suffix = s.order == MemoryOrder::kRelaxed ? "" : "_" + std::string(word_of(s.order));
    const bool two = s.kind == LitmusKind::kCas && s.failure != trace::order_of_failure(s.order);
    const std::string failure = two ? "/" + std::string(word_of(s.failure)) : "";
    const auto call = [&](const char* name, const std::string& rest) {
      return reg(s.reg) + " = " + name + suffix + failure + "([" + at(s) + "], " + rest + ")";
    };
    const auto test = [&] { return reg(s.reg) + " == " + std::to_string(s.number); };
    switch (s.kind) {
      case LitmusKind::kLoad:
        return reg(s.reg) + " =" + suffix + " [" + at(s) + "]";
      case LitmusKind::kStore:
        return "[" + at(s) + "] =" + suffix + " " + value(s.value);
      case LitmusKind::kAdd:
        return call("add", value(s.value));
      case LitmusKind::kExchange:
        return call("xchg", value(s.value));
      case LitmusKind::kCas:
        return call("cas", std::to_string(s.number) + ", " + value(s.value));
      case LitmusKind::kFence:
        return "fence" + suffix;
      case LitmusKind::kIf:
        return "if " + test() + " next " + std::to_string(s.next);
      case LitmusKind::kAssume:
        return "assume " + test();
      case LitmusKind::kLock:
        return "lock [" + at(s) + "]";
      case LitmusKind::kUnlock:
        return "unlock [" + at(s) + "]";
      case LitmusKind::kTryLock:
        return reg(s.reg) + " = try [" + at(s) + "]";
      case LitmusKind::kJoin:
        return "join " + std::to_string(s.number);
      case LitmusKind::kChoose:
        return reg(s.reg) + " = choose " + std::to_string(s.number);
    }
    return "?";
  }

  std::string as_source(const LitmusStmt& s) const {
    const std::string order = trace::name_of(s.order);
    const std::string to = s.reg < 0 ? "" : reg(s.reg) + " = ";
    switch (s.kind) {
      case LitmusKind::kLoad:
        return to + at(s) + ".load(" + order + ");";
      case LitmusKind::kStore:
        return at(s) + ".store(" + value(s.value) + ", " + order + ");";
      case LitmusKind::kAdd:
        return to + at(s) + ".fetch_add(" + value(s.value) + ", " + order + ");";
      case LitmusKind::kExchange:
        return to + at(s) + ".exchange(" + value(s.value) + ", " + order + ");";
      case LitmusKind::kCas:
        return to + at(s) + ".compare_exchange(" + std::to_string(s.number) + ", " + value(s.value) + ", " + order +
               ", " + trace::name_of(s.failure) + ");";
      case LitmusKind::kFence:
        return "fence(" + order + ");";
      case LitmusKind::kIf:
        return "if (" + reg(s.reg) + " == " + std::to_string(s.number) + ") {";
      case LitmusKind::kAssume:
        return "assume(" + reg(s.reg) + " == " + std::to_string(s.number) + ");";
      case LitmusKind::kLock:
        return "lock(" + at(s) + ");";
      case LitmusKind::kUnlock:
        return "unlock(" + at(s) + ");";
      case LitmusKind::kTryLock:
        return to + "try_lock(" + at(s) + ");";
      case LitmusKind::kJoin:
        return "join t" + std::to_string(s.number) + ";";
      case LitmusKind::kChoose:
        return to + "choose(" + std::to_string(s.number) + ");";
    }
    return "?";
  }

 private:
  const Litmus& litmus_;
};

bool is_lock(const Litmus& litmus, int location) {
  for (const auto& thread : litmus.threads)
    for (const LitmusStmt& s : thread)
      if (s.location == location)
        return s.kind == LitmusKind::kLock || s.kind == LitmusKind::kUnlock || s.kind == LitmusKind::kTryLock;
  return false;
}

}  // namespace

Result<Litmus> parse_litmus(std::string_view text) {
  try {
    return LitmusParser(text).parse();
  } catch (const Wrong& wrong) {
    return Error{wrong.what};
  }
}

std::string to_text(const Litmus& litmus) {
  const Writer writer(litmus);
  std::string text;
  for (const auto& thread : litmus.threads) {
    if (!text.empty()) text += " || ";
    for (std::size_t i = 0; i < thread.size(); ++i) text += (i == 0 ? "" : "; ") + writer.as_text(thread[i]);
  }
  return text;
}

std::string to_source(const Litmus& litmus) {
  const Writer writer(litmus);
  std::string text;
  for (std::size_t x = 0; x < litmus.locations.size(); ++x)
    text += (is_lock(litmus, static_cast<int>(x)) ? "lock " : "shared int ") + litmus.locations[x] + ";\n";
  for (std::size_t t = 0; t < litmus.threads.size(); ++t) {
    text += "thread t" + std::to_string(t) + " {\n";
    if (!litmus.registers.empty()) {
      text += "  int ";
      for (std::size_t r = 0; r < litmus.registers.size(); ++r) text += (r == 0 ? "" : ", ") + litmus.registers[r];
      text += ";\n";
    }
    std::vector<std::size_t> ends;  // of the open ifs
    for (std::size_t i = 0; i < litmus.threads[t].size(); ++i) {
      const LitmusStmt& s = litmus.threads[t][i];
      text += "  " + writer.as_source(s) + "\n";
      if (s.kind == LitmusKind::kIf) ends.push_back(i + static_cast<std::size_t>(s.next));
      while (!ends.empty() && ends.back() <= i) {
        text += "  }\n";
        ends.pop_back();
      }
    }
    for (std::size_t i = 0; i < ends.size(); ++i) text += "  }\n";
    text += "}\n";
  }
  return text;
}

}  // namespace heddle::check
