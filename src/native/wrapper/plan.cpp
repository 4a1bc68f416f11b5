// Compiling: instrumentation by one of two routes, debug information, frame pointers (the runtime walks them), no
// sibling calls (a frame that is gone cannot be shown), and libstdc++'s assertions, which make it instantiate
// std::string and friends in the program, where they are instrumented.
//
// Linking: the whole runtime, exported so that shared libraries find it before the C library; everything bound at
// start, because lazy binding writes to memory that is rewound; at fixed addresses. Library functions that touch memory
// of the program are replaced by the runtime's own (ld --wrap), which announce what they touch.
//
// The route over ThreadSanitizer's own instrumentation must not link ThreadSanitizer. With clang the instrumentation
// is asked of the compiler proper (-Xclang), which the driver does not hear about. gcc has one option for both, so
// compiling and linking in one command is split in two. Where the compiler can load Heddle's pass, that holds accesses
// as the source has them on this route, too, and sees assembly; other compilers' code says at run time that nobody did.
#include "native/wrapper/plan.h"

#include <algorithm>
#include <filesystem>

namespace heddle::wrapper {
namespace {

void append(Command& to, const Command& more) { to.insert(to.end(), more.begin(), more.end()); }

bool can_load_pass(const Toolchain& toolchain) {
  return toolchain.kind == CompilerKind::kClang && toolchain.major_version == kPassLlvmVersion;
}

Command instrumentation_flags(const Invocation& invocation, const Toolchain& toolchain,
                              const Installation& installation) {
  if (invocation.instrument == Instrument::kPass) {
    // libstdc++ learns from the compiler that its atomics are watched, and then spares them tricks (reading both counts
    // of a shared_ptr at once). The pass is not the compiler's own, so it is told.
    // The scopes of local variables, which clang otherwise marks from -O1 on only, tell the pass what is dead.
    Command flags = {"-fpass-plugin=" + installation.pass_plugin, "-D_GLIBCXX_TSAN=1", "-Xclang",
                     "-fsanitize-address-use-after-scope"};
    // The compiler knows the pass's options only if it loads the plugin before it reads its options.
    if (!invocation.symbolic.empty() || invocation.coverage)
      append(flags, {"-Xclang", "-load", "-Xclang", installation.pass_plugin});
    if (!invocation.symbolic.empty()) append(flags, {"-mllvm", "-heddle-symbolic=" + invocation.symbolic});
    if (invocation.coverage) append(flags, {"-mllvm", "-heddle-coverage"});
    return flags;
  }
  if (toolchain.kind == CompilerKind::kGcc)
    // gcc instruments no calls of the memory functions, and expands them after it has instrumented.
    return {"-fsanitize=thread",
            "--param=tsan-instrument-func-entry-exit=0",
            "-fno-builtin-memcpy",
            "-fno-builtin-memmove",
            "-fno-builtin-memset",
            "-include",
            installation.include_directory + "/heddle/gcc_memory.h",
            "-include",
            installation.include_directory + "/heddle/without_pass.h"};
  // Without read-before-write the read of `x++` is dropped and a lost update becomes atomic.
  Command flags = {"-Xclang", "-fsanitize=thread",
                   "-mllvm",  "-tsan-instrument-read-before-write=1",
                   "-mllvm",  "-tsan-instrument-func-entry-exit=0"};
  if (can_load_pass(toolchain) && std::filesystem::exists(installation.pass_plugin))
    append(flags, {"-fpass-plugin=" + installation.pass_plugin, "-Xclang", "-load", "-Xclang", installation.pass_plugin,
                   "-mllvm", "-heddle-beside-tsan", "-Xclang", "-fsanitize-address-use-after-scope"});
  else
    append(flags, {"-include", installation.include_directory + "/heddle/without_pass.h"});
  return flags;
}

// In front of the user's flags, which therefore win.
Command default_flags(const Invocation& invocation, const Installation& installation) {
  Command flags = {"-idirafter", installation.include_directory, "-isystem",
                   installation.include_directory + "/heddle/std"};
  if (!invocation.assertions_chosen) flags.push_back("-D_GLIBCXX_ASSERTIONS");
  if (!invocation.debug_info_chosen) flags.push_back("-g");
  return flags;
}

// Behind the user's flags: these must hold.
Command required_flags(const Invocation& invocation, const Toolchain& toolchain, const Installation& installation) {
  Command flags = {"-fno-omit-frame-pointer", "-fno-optimize-sibling-calls"};
  if (invocation.last_phase != LastPhase::kPreprocess)
    append(flags, instrumentation_flags(invocation, toolchain, installation));
  return flags;
}

// Calls of library functions that touch the program's memory go to the runtime's own of that name.
Command wrapping(Command flags, const Installation& installation) {
  if (std::filesystem::exists(installation.wrapped_functions))
    flags.push_back("-Wl,@" + installation.wrapped_functions);
  return flags;
}

Command link_flags(const Invocation& invocation, const Toolchain& toolchain, const Installation& installation) {
  switch (invocation.link_kind) {
    case LinkKind::kRelocatable:
      return {};
    case LinkKind::kShared:
      // The callbacks are in the executable that will load it.
      return wrapping({"-Wl,-z,now", "-Wl,-z,undefs"}, installation);
    case LinkKind::kExecutable:
      break;
  }
  // The archive goes past the driver, which would take it for a source after the user's "-x c".
  Command flags = {"-Wl,--whole-archive",
                   "-Xlinker",
                   installation.runtime,
                   "-Wl,--no-whole-archive",
                   "-rdynamic",
                   "-Wl,-z,now",
                   "-no-pie",
                   "-lpthread",
                   "-ldl"};
  // The runtime is written in C++.
  if (toolchain.language == Language::kC) append(flags, {"-lstdc++", "-lm"});
  return wrapping(std::move(flags), installation);
}

// clang warns of flags that do not apply to what it does; ours are not the user's fault.
Command quietly(const Toolchain& toolchain, Command flags) {
  if (flags.empty() || toolchain.kind == CompilerKind::kGcc) return flags;
  Command quiet = {"--start-no-unused-arguments"};
  append(quiet, flags);
  quiet.push_back("--end-no-unused-arguments");
  return quiet;
}

Command assemble(const Toolchain& toolchain, const Command& front, const Command& user, const Command& back) {
  Command command = toolchain.compiler;
  append(command, quietly(toolchain, front));
  // Everything after "--" would be taken for a file.
  const auto dashes = std::find(user.begin(), user.end(), "--");
  command.insert(command.end(), user.begin(), dashes);
  append(command, quietly(toolchain, back));
  command.insert(command.end(), dashes, user.end());
  return command;
}

// The user's arguments without inputs, output and dependency options, which each half gets for itself.
Command common_arguments(const Invocation& invocation) {
  Command kept;
  const Command& all = invocation.arguments;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string& a = all[i];
    const bool has_value = takes_value(a) && i + 1 < all.size();
    const bool input = a.empty() || a[0] != '-' || a == "-";
    const bool dropped =
        input || a == "-o" || (a.rfind("-o", 0) == 0 && a.rfind("-objc", 0) != 0) || a.rfind("-x", 0) == 0 || a == "--";
    if (!dropped) kept.push_back(a);
    if (has_value && !dropped) kept.push_back(all[i + 1]);
    if (has_value) ++i;
  }
  return kept;
}

bool is_linker_argument(const std::string& a) {
  return a.rfind("-l", 0) == 0 || a.rfind("-Wl,", 0) == 0 || a == "-shared" || a == "-rdynamic";
}

// gcc and ThreadSanitizer's instrumentation: each source to an object of its own, then the link.
Plan split_plan(const Invocation& invocation, const Toolchain& toolchain, const Installation& installation,
                const std::string& scratch) {
  Plan plan;
  const Command common = common_arguments(invocation);
  const std::string output = invocation.output.empty() ? "a.out" : invocation.output;
  std::vector<std::string> linked;
  for (const Input& input : invocation.inputs) {
    if (!input.is_source) {
      linked.push_back(input.path);
      continue;
    }
    const std::string object = scratch + std::to_string(plan.commands.size()) + ".o";
    Command user;
    for (const std::string& a : common)
      if (!is_linker_argument(a)) user.push_back(a);
    if (!input.language.empty()) append(user, {"-x", input.language});
    append(user, {"-c", input.path, "-o", object});
    if (invocation.dependencies && !invocation.dependency_file)
      append(user, {"-MF", output + "-" + std::filesystem::path(input.path).stem().string() + ".d"});
    plan.commands.push_back(assemble(toolchain, default_flags(invocation, installation), user,
                                     required_flags(invocation, toolchain, installation)));
    plan.temporary_files.push_back(object);
    linked.push_back(object);
  }
  Command user = {"-o", output};
  append(user, linked);
  for (const std::string& a : common)
    if (a != "-MD" && a != "-MMD") user.push_back(a);
  plan.commands.push_back(assemble(toolchain, {}, user, link_flags(invocation, toolchain, installation)));
  return plan;
}

}  // namespace

Result<Plan> make_plan(const Invocation& invocation, const Toolchain& toolchain, const Installation& installation,
                       const std::string& scratch) {
  Plan plan;
  if (invocation.last_phase == LastPhase::kNothing) {
    plan.commands.push_back(assemble(toolchain, {}, invocation.arguments, {}));
    return plan;
  }
  if (invocation.compiles() && invocation.instrument == Instrument::kPass &&
      invocation.last_phase != LastPhase::kPreprocess) {
    if (!can_load_pass(toolchain))
      return Error{toolchain.compiler.back() + " cannot load Heddle's pass, which is for clang " +
                   std::to_string(kPassLlvmVersion) + "; use that, or add --heddle-instrument=tsan"};
    if (!std::filesystem::exists(installation.pass_plugin))
      return Error{"Heddle's pass is not at " + installation.pass_plugin + "; build or install Heddle completely"};
  }
  if (invocation.coverage && invocation.instrument != Instrument::kPass)
    return Error{"--heddle-coverage is counted by Heddle's pass; drop it, or --heddle-instrument=tsan"};
  const bool links = invocation.last_phase == LastPhase::kLink;
  if (links && invocation.link_kind == LinkKind::kExecutable && !std::filesystem::exists(installation.runtime))
    return Error{"Heddle's runtime is not at " + installation.runtime + "; build or install Heddle completely"};

  if (links && invocation.compiles() && invocation.instrument == Instrument::kTsan &&
      toolchain.kind == CompilerKind::kGcc)
    return split_plan(invocation, toolchain, installation, scratch);

  Command front, back;
  if (invocation.compiles() || invocation.last_phase != LastPhase::kLink) {
    front = default_flags(invocation, installation);
    back = required_flags(invocation, toolchain, installation);
  }
  if (links) append(back, link_flags(invocation, toolchain, installation));
  plan.commands.push_back(assemble(toolchain, front, invocation.arguments, back));
  return plan;
}

}  // namespace heddle::wrapper
