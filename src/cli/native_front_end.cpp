#include "cli/front_end.h"

namespace heddle::cli {
namespace {

Error no_native(const std::string& program) {
  return {"\"" + program + "\" is a native program, and this build of heddle has no native front end; " +
          "run a model (.hed) instead"};
}

}  // namespace

Result<Explored> explore_native(const RunRequest& request, const Observer&) {
  return no_native(request.program);
}

Result<Explored> replay_native(const trace::SavedSchedule& saved) { return no_native(saved.program); }

}  // namespace heddle::cli
