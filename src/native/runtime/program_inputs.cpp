#include "native/runtime/program_inputs.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>

#include "native/runtime/inputs.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"
#include "native/runtime/written_values.h"

using namespace heddle;
using namespace heddle::runtime;
using symbolic::TermKind;

#define PC __builtin_return_address(0)

namespace {

// A text of inputs, with a zero behind it.
struct Text {
  std::string label;
  std::size_t length = 0;
  char* bytes = nullptr;  // stays where it is in all executions
};

struct Texts {
  std::vector<Text> arguments;
  std::vector<Text> variables;  // the label is the variable's name
  Text standard_input;
  char** argv = nullptr;
};

Texts* texts = nullptr;
std::size_t read_so_far = 0;  // of standard input, in this execution
FILE* first_stdin = nullptr;  // the C library's; C++ streams keep it

Text make_text(std::string label, std::size_t length) { return {std::move(label), length, new char[length + 1]()}; }

void make_texts(int argc, char** argv) {
  const protocol::InputOptions& options = inputs->options();
  texts = new Texts;
  for (std::uint32_t i = 1; i <= options.arguments; ++i)
    texts->arguments.push_back(make_text("arg" + std::to_string(i), options.argument_length));
  for (const protocol::SymbolicVariable& v : options.variables) texts->variables.push_back(make_text(v.name, v.length));
  texts->standard_input = make_text("stdin", options.standard_input);
  texts->argv = new char*[static_cast<std::size_t>(argc) + options.arguments + 1]();
  std::copy(argv, argv + argc, texts->argv);
}

std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

void fill(const Text& text) {
  for (std::size_t i = 0; i <= text.length; ++i) {
    TermId term = kNoTerm;
    const auto left = static_cast<std::uint32_t>(text.length - i);
    text.bytes[i] = left > 0 ? static_cast<char>(inputs->next({.bytes_left = left}, text.label.c_str(), term)) : 0;
    if (inputs->tracking()) inputs->memory.store(inputs->terms(), address(text.bytes + i), 1, term);
  }
}

bool reads_inputs(FILE* stream) {
  return texts && texts->standard_input.length > 0 && controlled() && (stream == stdin || stream == first_stdin);
}

// The next bytes of standard input, with their terms. Nobody else gets what one thread has read: a step on an object
// that all readers share.
std::size_t take(void* to, std::size_t most, const void* pc) {
  VisibleOperation op(trace::OpKind::kUpdate, objects.at(&stdin, sizeof stdin, protocol::ObjectKind::kMemory),
                      where_of(pc));
  op.await();
  const Text& text = texts->standard_input;
  const std::size_t n = std::min(most, text.length - read_so_far);
  memcpy(to, text.bytes + read_so_far, n);
  if (inputs->tracking()) inputs->memory.copy(address(to), address(text.bytes + read_so_far), n);
  op.op().before = read_so_far;
  read_so_far += n;
  op.op().after = read_so_far;
  op.performed();
  return n;
}

int take_character(const void* function, const void* pc) {
  unsigned char c = 0;
  if (take(&c, 1, pc) == 0) return EOF;
  EngineScope scope;
  if (!inputs->tracking()) return c;
  const TermId byte = inputs->memory.load(inputs->terms(), address(texts->standard_input.bytes + read_so_far - 1), 1);
  if (byte != kNoTerm) {
    heddle_sym_call.results[0] = inputs->terms().extend(TermKind::kZext, byte, 32).value;
    heddle_sym_call.returned_from = function;
  }
  return c;
}

// The stream of code without tracking.
ssize_t read_plain(void*, char* to, std::size_t most) {
  if (!controlled()) return 0;
  EngineScope scope;
  const Text& text = texts->standard_input;
  const std::size_t n = std::min(most, text.length - read_so_far);
  for (std::size_t i = 0; i < n; ++i, ++read_so_far) {
    to[i] = text.bytes[read_so_far];
    if (!inputs->tracking()) continue;
    const TermId byte = inputs->memory.load(inputs->terms(), address(text.bytes + read_so_far), 1);
    if (byte != kNoTerm)
      inputs->concretise(byte, static_cast<unsigned char>(to[i]), PC,
                         "standard input read by code without tracking was taken as it was");
  }
  return static_cast<ssize_t>(n);
}

// What the look-up allocates is not the program's.
template <class F>
F* next_definition(const char* name) {
  EngineScope scope;
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

namespace heddle::runtime {

MainArguments give_program_inputs(int argc, char** argv) {
  if (!inputs) return {argc, argv};
  const protocol::InputOptions& options = inputs->options();
  if (options.arguments == 0 && options.variables.empty() && options.standard_input == 0) return {argc, argv};
  {
    EngineScope scope;
    if (!texts) make_texts(argc, argv);
    for (std::size_t i = 0; i < texts->arguments.size(); ++i) {
      fill(texts->arguments[i]);
      texts->argv[static_cast<std::size_t>(argc) + i] = texts->arguments[i].bytes;
    }
    for (const Text& variable : texts->variables) fill(variable);
    fill(texts->standard_input);
    read_so_far = 0;
  }
  if (options.standard_input > 0) {
    first_stdin = stdin;
    stdin = fopencookie(nullptr, "r", {.read = read_plain, .write = nullptr, .seek = nullptr, .close = nullptr});
    setvbuf(stdin, nullptr, _IONBF, 0);  // a byte that nobody asked for stays an input
  }
  return {argc + static_cast<int>(options.arguments), texts->argv};
}

}  // namespace heddle::runtime

#define SELF(name) reinterpret_cast<const void*>(&name)

extern "C" {

char* heddle_sym_getenv(const char* name) {
  if (texts && controlled())
    for (const Text& variable : texts->variables)
      if (variable.label == name) return variable.bytes;
  return getenv(name);
}
char* heddle_sym_secure_getenv(const char* name) { return heddle_sym_getenv(name); }

ssize_t heddle_sym_read(int fd, void* buffer, std::size_t size) {
  if (fd == STDIN_FILENO && reads_inputs(stdin)) return static_cast<ssize_t>(take(buffer, size, PC));
  note_read(PC);
  return read(fd, buffer, size);
}

int heddle_sym_fgetc(FILE* stream) {
  if (reads_inputs(stream)) return take_character(SELF(heddle_sym_fgetc), PC);
  note_read(PC);
  return fgetc(stream);
}
int heddle_sym_getc(FILE* stream) {
  if (reads_inputs(stream)) return take_character(SELF(heddle_sym_getc), PC);
  note_read(PC);
  return fgetc(stream);
}
int heddle_sym_getchar() { return reads_inputs(stdin) ? take_character(SELF(heddle_sym_getchar), PC) : getchar(); }

std::size_t heddle_sym_fread(void* buffer, std::size_t size, std::size_t count, FILE* stream) {
  if (!reads_inputs(stream)) {
    note_read(PC);
    return fread(buffer, size, count, stream);
  }
  return size == 0 ? 0 : take(buffer, size * count, PC) / size;
}

// Whether a line ends at a byte is a branch, as it would be in a loop of the program.
char* heddle_sym_fgets(char* buffer, int size, FILE* stream) {
  if (!reads_inputs(stream)) {
    note_read(PC);
    return fgets(buffer, size, stream);
  }
  int n = 0;
  while (n + 1 < size && take(buffer + n, 1, PC) == 1) {
    EngineScope scope;
    const char c = buffer[n];
    const TermId byte = inputs->tracking() ? inputs->memory.load(inputs->terms(), address(buffer + n), 1) : kNoTerm;
    ++n;
    if (inputs->decide_truth(byte == kNoTerm ? kNoTerm : inputs->terms().equals(byte, '\n'), c == '\n', PC)) break;
  }
  if (n == 0) return nullptr;
  EngineScope scope;
  buffer[n] = 0;
  if (inputs->tracking()) inputs->memory.store(inputs->terms(), address(buffer + n), 1, kNoTerm);
  return buffer;
}

// What std::cin calls, with the stream that was there before ours.
int getc(FILE* stream) {
  static const auto original = next_definition<int(FILE*)>("getc");
  return original(reads_inputs(stream) ? stdin : stream);
}
int ungetc(int c, FILE* stream) {
  static const auto original = next_definition<int(int, FILE*)>("ungetc");
  return original(c, reads_inputs(stream) ? stdin : stream);
}
std::size_t fread(void* buffer, std::size_t size, std::size_t count, FILE* stream) {
  static const auto original = next_definition<std::size_t(void*, std::size_t, std::size_t, FILE*)>("fread");
  return original(buffer, size, count, reads_inputs(stream) ? stdin : stream);
}
}
