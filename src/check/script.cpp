#include "check/script.h"

namespace heddle::check {
namespace {

class Printer {
 public:
  std::string print(const Script& script) {
    for (int i = 0; i < script.variables; ++i) out_ += "shared int x" + std::to_string(i) + " = 0;\n";
    for (int i = 0; i < script.locks; ++i) out_ += "lock m" + std::to_string(i) + ";\n";
    for (int i = 0; i < script.conditions; ++i) out_ += "cond c" + std::to_string(i) + ";\n";
    std::string threads;
    for (std::size_t t = 0; t < script.threads.size(); ++t) {
      body_ = "thread t" + std::to_string(t) + " {\n";
      print_thread(script.threads[t]);
      threads += body_ + "}\n";
    }
    return out_ + functions_ + threads;
  }

 private:
  void print_thread(const std::vector<Stmt>& statements) {
    int joins = 0;
    std::string head;
    head.swap(body_);
    print(statements, 1, joins);
    head += "  int r = 0;\n";
    for (int j = 0; j < joins; ++j) {
      const std::string handle = "h" + std::to_string(j);
      head += "  int " + handle + " = -1;\n";
      body_ += "  if (" + handle + " >= 0) { join " + handle + "; }\n";
    }
    body_ = head + body_;
  }

  void line(int depth, const std::string& text) { body_ += std::string(2 * depth, ' ') + text + "\n"; }

  void print(const std::vector<Stmt>& statements, int depth, int& joins) {
    for (const Stmt& s : statements) print(s, depth, joins);
  }

  static std::string leave(const std::string& found) { return "if (q == " + found + ") { r = q; break; }"; }

  void print(const Stmt& s, int depth, int& joins) {
    const std::string x = "x" + std::to_string(s.a), b = std::to_string(s.b), c = std::to_string(s.c);
    const std::string a = std::to_string(s.a);
    switch (s.kind) {
      case StmtKind::kRead:
        return line(depth, "r = " + x + ";");
      case StmtKind::kWrite:
        return line(depth, x + " = " + b + ";");
      case StmtKind::kCopy:
        return line(depth, x + " = r + " + b + ";");
      case StmtKind::kAdd:
        return line(depth, "r = atomic_add(" + x + ", " + b + ");");
      case StmtKind::kCas:
        return line(depth, "r = cas(" + x + ", " + b + ", " + c + ");");
      case StmtKind::kLocked:
        line(depth, "lock(m" + a + ");");
        print(s.body, depth, joins);
        return line(depth, "unlock(m" + a + ");");
      case StmtKind::kTryLocked:
        line(depth, "if (try_lock(m" + a + ")) {");
        print(s.body, depth + 1, joins);
        line(depth + 1, "unlock(m" + a + ");");
        return line(depth, "}");
      case StmtKind::kWait:
        return line(depth, "wait(c" + a + ", m" + b + ");");
      case StmtKind::kSignal:
        return line(depth, "signal(c" + a + ");");
      case StmtKind::kBroadcast:
        return line(depth, "broadcast(c" + a + ");");
      case StmtKind::kIf:
        line(depth, "if (r == " + b + ") {");
        print(s.body, depth + 1, joins);
        return line(depth, "}");
      case StmtKind::kAssert:
        return line(depth, "assert(r != " + b + ");");
      case StmtKind::kSpawnJoin:
        return print_spawn(s, depth, joins);
      case StmtKind::kChoose:
        return line(depth, "r = choose(" + b + ");");
      case StmtKind::kInput:
        return line(depth, "r = input() & " + b + ";");
      case StmtKind::kIfLess:
        line(depth, "if (r < " + b + ") {");
        print(s.body, depth + 1, joins);
        return line(depth, "}");
      case StmtKind::kAssume:
        return line(depth, "assume(r != " + b + ");");
      case StmtKind::kAwait:
        return line(depth, "while (" + x + " != " + b + ") { }");
      case StmtKind::kAwaitEither:
        return line(depth, "while (" + x + " != " + b + " && x" + c + " != " + b + ") { }");
      case StmtKind::kRetry:
        return line(depth, "while (1) { int q = " + x + "; if (cas(" + x + ", q, q + " + b + ")) { r = q; break; } }");
      case StmtKind::kPollLocked:
        return line(depth, "while (1) { lock(m" + c + "); int q = " + x + "; unlock(m" + c + "); " + leave(b) + " }");
      case StmtKind::kPollTried:
        return line(depth, "while (1) { if (try_lock(m" + c + ")) { int q = " + x + "; unlock(m" + c + "); " +
                               leave(b) + " } }");
      case StmtKind::kPollSpun:
        return line(depth, "while (1) { while (!cas(x" + c + ", 0, 1)) { } int q = " + x + "; x" + c + " = 0; " +
                               leave(b) + " }");
      case StmtKind::kPollJoint:
      case StmtKind::kPollHanded: {
        const std::string other = "(m" + std::to_string(1 - s.c) + "); ", one = "(m" + c + "); ";
        const bool handed = s.kind == StmtKind::kPollHanded;
        return line(depth, "while (1) { lock" + one + "lock" + other + (handed ? "unlock" + one : "") + "int q = " + x +
                               "; unlock" + other + (handed ? "" : "unlock" + one) + leave(b) + " }");
      }
      case StmtKind::kSpun:
        line(depth, "while (!cas(" + x + ", 0, 1)) { }");
        print(s.body, depth, joins);
        return line(depth, x + " = 0;");
      case StmtKind::kPollTimed:
        return line(depth, "lock(m" + c + "); while (" + x + " != " + b + ") { timed_wait(c0, m" + c + "); } unlock(m" +
                               c + ");");
      case StmtKind::kPollQueued:
        return line(depth, "while (1) { lock(m" + c + "); if (" + x + " == " + b + ") break; timed_wait(c0, m" + c +
                               "); unlock(m" + c + "); } unlock(m" + c + ");");
      case StmtKind::kSemWait:
        return line(depth, "sem_wait(s);");
      case StmtKind::kSemTry:
        return line(depth, "r = sem_try(s);");
      case StmtKind::kSemPost:
        return line(depth, "sem_post(s);");
      case StmtKind::kArrive:
        return line(depth, s.a == 1 ? "r = told(arrive(b));" : "arrive(b);");
      case StmtKind::kShared:
        line(depth, "lock_shared(w);");
        print(s.body, depth, joins);
        return line(depth, "unlock_shared(w);");
      case StmtKind::kExclusive:
        line(depth, "lock(w);");
        print(s.body, depth, joins);
        return line(depth, "unlock(w);");
      case StmtKind::kTryShared:
      case StmtKind::kTryExclusive: {
        const std::string shared = s.kind == StmtKind::kTryShared ? "_shared(w)" : "(w)";
        line(depth, "if (try_lock" + shared + ") {");
        print(s.body, depth + 1, joins);
        line(depth + 1, "unlock" + shared + ";");
        return line(depth, "}");
      }
      case StmtKind::kTimedWait:
        return line(depth, "timed_wait(c" + a + ", m" + b + ");");
      case StmtKind::kExit:
        return line(depth, "exit();");
    }
  }

  void print_spawn(const Stmt& s, int depth, int& joins) {
    const std::string name = "f" + std::to_string(function_count_++);
    std::string outer;
    outer.swap(body_);
    body_ = "func " + name + "() {\n";
    print_thread(s.body);
    functions_ += body_ + "}\n";
    body_.swap(outer);
    if (s.a == 1)
      line(depth, "h" + std::to_string(joins++) + " = spawn " + name + "();");
    else
      line(depth, "spawn " + name + "();");
  }

  std::string out_, functions_, body_;
  int function_count_ = 0;
};

std::size_t count(const std::vector<Stmt>& statements) {
  std::size_t n = statements.size();
  for (const Stmt& s : statements) n += count(s.body);
  return n;
}

}  // namespace

std::string to_source(const Script& script) { return Printer().print(script); }

std::size_t count_statements(const Script& script) {
  std::size_t n = 0;
  for (const auto& t : script.threads) n += count(t);
  return n;
}

}  // namespace heddle::check
