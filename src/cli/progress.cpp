#include "cli/progress.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

namespace heddle::cli {
namespace {

constexpr double kSecondsBetweenLines = 0.1;

// Signal handlers can reach nothing but a global.
volatile sig_atomic_t interrupted = 0;

}  // namespace

ProgressLine::ProgressLine(bool wanted) : on_(wanted && isatty(STDERR_FILENO) != 0) {}

void ProgressLine::show(const explore::Progress& p) {
  if (!on_ || p.seconds - last_ < kSecondsBetweenLines) return;
  last_ = p.seconds;
  shown_ = true;
  const double rate = p.seconds > 0 ? static_cast<double>(p.executions) / p.seconds : 0;
  const std::string text =
      fmt::format("\r\x1b[K{} executions, {} classes, {:.0f}/s, depth {}{}", p.executions, p.classes, rate,
                  p.depth, p.findings > 0 ? fmt::format(", {} bugs", p.findings) : "");
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
