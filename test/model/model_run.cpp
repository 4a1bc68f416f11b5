#include "model_run.h"

namespace heddle::model {

ModelRun::ModelRun(const std::string& text, const Defines& defines, const ModelOptions& options) {
  auto loaded = load_model_text(text, "test.hed", defines, options);
  if (!loaded) {
    ADD_FAILURE() << loaded.error().message;
    loaded = load_model_text("thread broken { error(\"the test's model is not valid\"); }", "broken.hed", {});
  }
  program = std::move(*loaded);
}

ModelRun& ModelRun::run(std::initializer_list<int> order) {
  std::vector<trace::Decision> steps;
  for (const int t : order) steps.push_back({ThreadId(static_cast<std::uint16_t>(t)), trace::kAnyChoice});
  return run(steps);
}

ModelRun& ModelRun::run(const std::vector<trace::Decision>& steps) {
  schedule_.steps = steps;
  program->run(schedule_, execution);
  return *this;
}

std::vector<std::string> ModelRun::steps() const {
  std::vector<std::string> lines;
  for (const trace::Step& s : execution.steps) {
    std::string line = program->thread_name(s.thread) + " " + name_of(s.op.kind);
    if (s.op.object != kNoObject) line += " " + program->object_name(s.op.object);
    if (s.op.peer != kNoThread) line += " " + program->thread_name(s.op.peer);
    const auto number = [](std::uint64_t v) { return std::to_string(static_cast<std::int32_t>(v)); };
    switch (s.op.kind) {
      case trace::OpKind::kRead:
      case trace::OpKind::kWrite:
      case trace::OpKind::kUpdate:
      case trace::OpKind::kCas:
      case trace::OpKind::kCasFailed:
        line += " " + number(s.op.before) + ">" + number(s.op.after);
        break;
      case trace::OpKind::kSignal:
        line += s.set.empty() ? " nobody" : " " + program->thread_name(ThreadId(s.choice));
        break;
      case trace::OpKind::kBroadcast:
        s.set.for_each_thread([&](ThreadId t) { line += " " + program->thread_name(t); });
        break;
      case trace::OpKind::kChoose:
        line += " " + std::to_string(s.choice);
        break;
      default:
        break;
    }
    lines.push_back(line);
  }
  return lines;
}

std::int32_t ModelRun::value(const std::string& object) const {
  for (std::uint32_t o = 0; o < program->values().size(); ++o)
    if (program->object_name(ObjectId(o)) == object) return program->values()[o];
  ADD_FAILURE() << "no object " << object;
  return 0;
}

std::vector<std::string> ModelRun::failures() const {
  std::vector<std::string> lines;
  for (const trace::Failure& f : execution.failures)
    lines.push_back(std::string(name_of(f.kind)) + (f.thread == kNoThread ? "" : " " + program->thread_name(f.thread)) +
                    ": " + f.message);
  return lines;
}

std::int32_t evaluate(const std::string& expression) {
  ModelRun run("shared int result; thread main { result = " + expression + "; }");
  return run.run().value("result");
}

std::string error_of(const std::string& text, const Defines& defines) {
  const auto loaded = load_model_text(text, "test.hed", defines);
  return loaded ? std::string() : loaded.error().message;
}

}  // namespace heddle::model
