// A condition variable, driven by hand: a reader waits for a mail that a writer puts into a box. The careless
// reader looks before it takes the lock, so the signal may come before it waits, and is lost.
#include <cstdio>

#include <heddle/heddle.hpp>

namespace {

using heddle::ObjectId;
using heddle::ThreadId;

constexpr ObjectId kMail{0}, kLock{1}, kArrived{2};
constexpr ThreadId kReader{0}, kWriter{1};

struct Reader {
  bool careful;
  int line = 0;
  bool saw_mail = false;

  std::optional<heddle::Intent> intent() const {
    switch (line) {
      case 0:
        return careful ? heddle::lock(kLock) : heddle::read(kMail);
      case 1:
        return careful ? heddle::read(kMail) : heddle::lock(kLock);
      case 2:
        return saw_mail ? heddle::unlock(kLock) : heddle::wait(kArrived);
      case 3:
        return saw_mail ? std::nullopt : std::optional(heddle::unlock_to_wait(kLock));
      case 4:
        return heddle::lock(kLock);
      case 5:
        return heddle::unlock(kLock);
      default:
        return std::nullopt;
    }
  }
};

struct Writer {
  int line = 0;
  std::optional<heddle::Intent> intent() const {
    switch (line) {
      case 0:
        return heddle::lock(kLock);
      case 1:
        return heddle::write(kMail);
      case 2:
        return heddle::signal(kArrived);
      case 3:
        return heddle::unlock(kLock);
      default:
        return std::nullopt;
    }
  }
};

void explore(bool careful) {
  heddle::Options options;
  options.all = true;
  auto session = heddle::Session::create(options);
  while (session->begin()) {
    Reader reader{careful};
    Writer writer;
    bool mail = false;
    const auto go_on = [&](ThreadId t) {
      const auto intent = t == kReader ? reader.intent() : writer.intent();
      if (intent)
        session->announce(t, *intent);
      else
        session->ended(t);
    };
    go_on(kReader);
    go_on(kWriter);
    while (const auto turn = session->next()) {
      const std::uint64_t before = mail;
      if (turn->kind == heddle::OpKind::kRead) reader.saw_mail = mail;
      if (turn->kind == heddle::OpKind::kWrite) mail = true;
      ++(turn->thread == kReader ? reader.line : writer.line);
      session->performed({before, mail});
      go_on(turn->thread);
    }
    session->finish();
  }
  const heddle::Report report = session->conclude();
  std::printf("%s reader: %s, %llu classes, %llu deadlocked\n", careful ? "careful" : "careless",
              heddle::explore::name_of(report.verdict()), static_cast<unsigned long long>(report.classes),
              static_cast<unsigned long long>(report.deadlocked));
}

}  // namespace

int main() {
  explore(false);
  explore(true);
}
