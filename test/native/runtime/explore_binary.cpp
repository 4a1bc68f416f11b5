// The smallest supervisor: starts a program under test as a worker, waits for its result, and prints it as one
// line of "name=value" words, which the tests compare with what a program states in its head.
//
//   explore_binary [--races=report|explore|ignore] [--algorithm=NAME] [--all] [--max-steps=N] [--max-executions=N]
//                  [--isolation=process] [--backend=threads] [--checkpoints=off] [--known-steps=off] [--jobs=N]
//                  [--test=NAME] [--list] [--steps] PROGRAM [ARGUMENTS]
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <string>

#include "native/protocol/codec.h"

using namespace heddle;
using namespace heddle::protocol;

namespace {

struct Arguments {
  WorkerOptions options;
  bool steps = false;
  char** program = nullptr;
};

[[noreturn]] void usage(const std::string& wrong) {
  fprintf(stderr, "explore_binary: %s\n", wrong.c_str());
  exit(3);
}

Arguments parse(char** argv) {
  Arguments a;
  a.options.all = false;
  for (++argv; *argv && std::strncmp(*argv, "--", 2) == 0; ++argv) {
    const std::string word = *argv;
    const auto value = [&] { return word.substr(word.find('=') + 1); };
    const auto is = [&](const char* name) { return word.compare(0, std::strlen(name), name) == 0; };
    if (is("--races=")) {
      a.options.races = value() == "report"    ? RaceMode::kReport
                        : value() == "explore" ? RaceMode::kExplore
                                               : RaceMode::kIgnore;
    } else if (is("--algorithm=")) {
      const auto algorithm = explore::algorithm_named(value());
      if (!algorithm) usage("no algorithm " + value());
      a.options.strategy.algorithm = *algorithm;
    } else if (word == "--all") {
      a.options.all = true;
    } else if (is("--max-steps=")) {
      a.options.max_steps = std::stoull(value());
    } else if (is("--max-executions=")) {
      a.options.max_executions = std::stoull(value());
    } else if (is("--local-seconds=")) {
      a.options.max_local_seconds = std::stod(value());
    } else if (is("--backend=")) {
      a.options.backend = value() == "threads" ? Backend::kThreads : Backend::kFibers;
    } else if (is("--isolation=")) {
      a.options.isolation = value() == "process" ? Isolation::kProcess : Isolation::kInProcess;
    } else if (is("--known-steps=")) {
      a.options.known_steps = value() != "off";
    } else if (is("--checkpoints=")) {
      a.options.checkpoints = value() != "off";
    } else if (is("--jobs=")) {
      a.options.jobs = static_cast<std::uint32_t>(std::stoul(value()));
    } else if (is("--test=")) {
      a.options.test = value();
    } else if (word == "--list") {
      a.options.list_tests = true;
    } else if (word == "--steps") {
      a.steps = true;
    } else {
      usage("unknown option " + word);
    }
  }
  if (!*argv) usage("no program");
  a.program = argv;
  for (char** p = argv; *p; ++p) a.options.arguments.push_back(*p);
  return a;
}

void print_steps(const WorkerResult& result) {
  for (const auto& finding : result.result.findings) {
    fprintf(stderr, "%s at step %u thread %d where %u: %s\n", name_of(finding.failure.kind), finding.failure.step,
            finding.failure.thread == kNoThread ? -1 : finding.failure.thread.value, finding.failure.where,
            finding.failure.message.c_str());
    for (const auto& s : finding.execution.steps)
      fprintf(stderr, "  T%u %s object %d before %lld after %lld where %u\n", s.thread.value, name_of(s.op.kind),
              s.op.object == kNoObject ? -1 : (int)s.op.object.value, (long long)s.op.before, (long long)s.op.after,
              s.where);
  }
}

int print_result(const Arguments& arguments, const WorkerResult& result) {
  const auto& r = result.result;
  std::map<std::string, int> kinds;
  for (const auto& finding : r.findings) ++kinds[name_of(finding.failure.kind)];
  printf("verdict=%s exhausted=%d classes=%llu deadlocks=%llu failed=%llu cut=%llu asleep=%llu infeasible=%llu",
         r.verdict() == explore::Verdict::kNoBug ? "no-bug" : explore::name_of(r.verdict()), r.exhausted(),
         (unsigned long long)r.classes, (unsigned long long)r.deadlocked, (unsigned long long)r.failed,
         (unsigned long long)r.cut, (unsigned long long)r.asleep, (unsigned long long)r.infeasible);
  for (const auto& [kind, count] : kinds) printf(" finding:%s=%d", kind.c_str(), count);
  printf(" executions=%llu steps=%llu searches=%llu followed=%llu us=%.3f", (unsigned long long)r.executions,
         (unsigned long long)r.steps, (unsigned long long)result.searches, (unsigned long long)result.followed,
         r.executions ? r.seconds * 1e6 / (double)r.executions : 0);
  if (!result.note.empty()) printf(" note=\"%s\"", result.note.c_str());
  printf("\n");
  if (arguments.steps) print_steps(result);
  return 0;
}

int answer(const Arguments& arguments, const Frame& frame) {
  switch (frame.type) {
    case MessageType::kResult: {
      auto result = decode_result(frame.payload);
      if (!result) usage(result.error().message);
      return print_result(arguments, *result);
    }
    case MessageType::kError: {
      auto message = decode_error(frame.payload);
      printf("error=\"%s\"\n", message ? message->c_str() : message.error().message.c_str());
      return 3;
    }
    case MessageType::kTests: {
      auto names = decode_tests(frame.payload);
      if (!names) usage(names.error().message);
      for (const auto& name : *names) printf("%s\n", name.c_str());
      return 0;
    }
    case MessageType::kOptions:
    case MessageType::kProgress:
      break;
  }
  return -1;
}

}  // namespace

int main(int, char** argv) {
  const Arguments arguments = parse(argv);
  int to_worker[2], from_worker[2];
  if (pipe(to_worker) != 0 || pipe(from_worker) != 0) usage("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    close(to_worker[1]);
    close(from_worker[0]);
    const std::string fds = std::to_string(to_worker[0]) + "," + std::to_string(from_worker[1]);
    setenv("HEDDLE_WORKER", fds.c_str(), 1);
    execv(arguments.program[0], arguments.program);
    perror(arguments.program[0]);
    _exit(3);
  }
  close(to_worker[0]);
  close(from_worker[1]);
  const Bytes frame = encode(arguments.options);
  if (write(to_worker[1], frame.data(), frame.size()) != (ssize_t)frame.size()) usage("cannot write options");
  FrameReader reader;
  std::uint8_t buffer[65536];
  for (;;) {
    auto next = reader.next();
    if (!next) usage(next.error().message);
    if (next->complete) {
      const int code = answer(arguments, next->frame);
      if (code >= 0) return code;
      continue;
    }
    const ssize_t n = read(from_worker[0], buffer, sizeof buffer);
    if (n <= 0) break;
    reader.append({buffer, static_cast<std::size_t>(n)});
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("error=\"the worker ended without an answer, status %d\"\n", status);
  return 3;
}
