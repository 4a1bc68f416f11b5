// What a script's statements come to: a list of instructions for each thread, with jumps for those that have bodies.
#include "check/script_program.h"

namespace heddle::check {

std::size_t ScriptProgram::compile(const std::vector<Stmt>& statements) {
  Body body;
  int joins = 0;
  compile_into(statements, body, joins);
  for (int j = 0; j < joins; ++j) body.push_back({Code::kJoin, j});
  body.push_back({Code::kEnd});
  bodies_.push_back(std::move(body));
  return bodies_.size() - 1;
}

void ScriptProgram::compile_into(const std::vector<Stmt>& statements, Body& body, int& joins) {
  for (const Stmt& s : statements) {
    const auto guarded = [&](int value) {
      body.push_back({Code::kJumpUnless, value});
      return body.size() - 1;
    };
    switch (s.kind) {
      case StmtKind::kRead:
        body.push_back({Code::kRead, s.a});
        break;
      case StmtKind::kWrite:
        body.push_back({Code::kWrite, s.a, s.b});
        break;
      case StmtKind::kCopy:
        body.push_back({Code::kCopy, s.a, s.b});
        break;
      case StmtKind::kAdd:
        body.push_back({Code::kAdd, s.a, s.b});
        break;
      case StmtKind::kCas:
        body.push_back({Code::kCas, s.a, s.b, s.c});
        break;
      case StmtKind::kLocked:
        body.push_back({Code::kLock, s.a});
        compile_into(s.body, body, joins);
        body.push_back({Code::kUnlock, s.a});
        break;
      case StmtKind::kTryLocked: {
        // The result of try_lock goes to a jump, not to r.
        body.push_back({Code::kTryLock, s.a});
        const std::size_t at = body.size() - 1;
        compile_into(s.body, body, joins);
        body.push_back({Code::kUnlock, s.a});
        body[at].b = static_cast<int>(body.size());
        break;
      }
      case StmtKind::kWait:
        body.push_back({Code::kWait, s.a, s.b});
        break;
      case StmtKind::kSignal:
        body.push_back({Code::kSignal, s.a});
        break;
      case StmtKind::kBroadcast:
        body.push_back({Code::kBroadcast, s.a});
        break;
      case StmtKind::kIf: {
        const std::size_t at = guarded(s.b);
        compile_into(s.body, body, joins);
        body[at].b = static_cast<int>(body.size());
        break;
      }
      case StmtKind::kAssert:
        body.push_back({Code::kAssert, s.b});
        break;
      case StmtKind::kSpawnJoin: {
        const int index = static_cast<int>(compile(s.body));
        body.push_back({Code::kSpawn, index, s.a});
        if (s.a == 1) ++joins;
        break;
      }
      case StmtKind::kChoose:
        body.push_back({Code::kChoose, s.b});
        break;
      case StmtKind::kAwait:
      case StmtKind::kAwaitEither:
      case StmtKind::kRetry:
      case StmtKind::kPollLocked:
      case StmtKind::kPollTried:
      case StmtKind::kPollSpun:
      case StmtKind::kSpun:
      case StmtKind::kPollTimed:
      case StmtKind::kPollQueued:
      case StmtKind::kPollJoint:
      case StmtKind::kPollHanded:
        compile_waiting(s, body, joins);
        break;
      case StmtKind::kSemWait:
        body.push_back({Code::kSemWait});
        break;
      case StmtKind::kSemTry:
        body.push_back({Code::kSemTry});
        break;
      case StmtKind::kSemPost:
        body.push_back({Code::kSemPost});
        break;
      case StmtKind::kArrive:
        body.push_back({Code::kArrive, s.a});
        break;
      case StmtKind::kShared:
      case StmtKind::kExclusive: {
        const bool shared = s.kind == StmtKind::kShared;
        body.push_back({shared ? Code::kLockShared : Code::kLockWhole});
        compile_into(s.body, body, joins);
        body.push_back({shared ? Code::kUnlockShared : Code::kUnlockWhole});
        break;
      }
      case StmtKind::kTryShared:
      case StmtKind::kTryExclusive: {
        const bool shared = s.kind == StmtKind::kTryShared;
        body.push_back({shared ? Code::kTryShared : Code::kTryWhole});
        const std::size_t at = body.size() - 1;
        compile_into(s.body, body, joins);
        body.push_back({shared ? Code::kUnlockShared : Code::kUnlockWhole});
        body[at].b = static_cast<int>(body.size());
        break;
      }
      case StmtKind::kTimedWait:
        body.push_back({Code::kTimedWait, s.a, s.b});
        break;
      case StmtKind::kExit:
        body.push_back({Code::kExit});
        break;
      case StmtKind::kInput:
        body.push_back({Code::kInput, s.b});
        break;
      case StmtKind::kAssume:
        body.push_back({Code::kAssume, s.b});
        break;
      case StmtKind::kIfLess: {
        body.push_back({Code::kJumpUnlessLess, s.b});
        const std::size_t at = body.size() - 1;
        compile_into(s.body, body, joins);
        body[at].b = static_cast<int>(body.size());
        break;
      }
    }
  }
}

}  // namespace heddle::check
