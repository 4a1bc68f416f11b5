#include "cli/progress.h"

#include "cli/statistics.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace heddle::cli {
namespace {

constexpr double kSecondsBetweenLines = 0.1;

// A line that wraps cannot be written over. What says least goes first.
std::string fitting(std::string text) {
  winsize size{};
  const std::size_t width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
  const auto drop = [&](const char* from, char to) {
    const auto at = text.find(from), end = at == text.npos ? at : text.find(to, at + 2);
    if (text.size() >= width && end != text.npos) text.erase(at, end - at + (to == ')' ? 1 : 0));
  };
  drop(" (", ')');  // between what the estimate lies
  drop(", depth ", ',');
  while (text.size() >= width && text.rfind(", ") != text.npos) text.resize(text.rfind(", "));
  return text.substr(0, width - 1);
}

// Signal handlers can reach nothing but a global.
volatile sig_atomic_t interrupted = 0;

}  // namespace

ProgressLine::ProgressLine(Mode mode, double seconds)
    : terminal_(isatty(STDERR_FILENO) != 0),
      between_(mode == Mode::kNone ? 0
               : terminal_         ? kSecondsBetweenLines
                                   : seconds) {}

void ProgressLine::show(const explore::Progress& p) {
  if (between_ <= 0 || p.seconds - last_ < between_) return;
  last_ = p.seconds;
  shown_ = terminal_;
  const std::string text = terminal_ ? "\r\x1b[K" + fitting(progress_text(p)) : "heddle: " + progress_text(p) + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (!shown_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

Interruption::Interruption() {
  interrupted = 0;
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

Interruption::~Interruption() {
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
}

bool Interruption::requested() const { return interrupted != 0; }

}  // namespace heddle::cli
