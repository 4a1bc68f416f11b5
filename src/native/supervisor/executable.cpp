// An executable is ours if it holds the data of Heddle's runtime; that it is instrumented as well follows from having
// been linked by the wrapper. The fingerprint covers code and constants only, so that a schedule survives a rebuild
// with other debug information or in another folder.
#include "native/supervisor/executable.h"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

namespace heddle::supervisor {
namespace {

// The runtime keeps its data apart from the program's, under this name (runtime/engine_sections.ld).
constexpr std::string_view kRuntimeSection = "heddle_data";

// Sections of a 64-bit ELF file, every offset checked against the file.
class Sections {
 public:
  explicit Sections(std::string_view file) : file_(file) {
    Elf64_Ehdr header;
    if (!read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64 ||
        header.e_shentsize != sizeof(Elf64_Shdr))
      return;
    for (std::size_t i = 0; i < header.e_shnum; ++i) {
      Elf64_Shdr section;
      if (!read(header.e_shoff + i * sizeof section, section)) return;
      sections_.push_back(section);
    }
    if (header.e_shstrndx < sections_.size()) names_ = contents(sections_[header.e_shstrndx]);
  }

  bool empty() const { return sections_.empty(); }

  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::string_view named(std::string_view name) const {
    const Elf64_Shdr* section = find(name);
    return section == nullptr ? std::string_view{} : contents(*section);
  }

 private:
  const Elf64_Shdr* find(std::string_view name) const {
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_name >= names_.size()) continue;
      const std::string_view rest = names_.substr(section.sh_name);
      if (rest.substr(0, rest.find('\0')) == name) return &section;
    }
    return nullptr;
  }
  template <class T>
  bool read(std::uint64_t at, T& out) const {
    if (at > file_.size() || file_.size() - at < sizeof out) return false;
    std::memcpy(&out, file_.data() + at, sizeof out);
    return true;
  }
  std::string_view contents(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS || section.sh_offset > file_.size() ||
        file_.size() - section.sh_offset < section.sh_size)
      return {};
    return file_.substr(section.sh_offset, section.sh_size);
  }

  std::string_view file_;
  std::vector<Elf64_Shdr> sections_;
  std::string_view names_;
};

// FNV-1a, eight bytes at a time: a fingerprint, not a defence.
std::uint64_t mix(std::uint64_t hash, std::string_view bytes) {
  constexpr std::uint64_t kPrime = 0x100000001b3ull;
  while (bytes.size() >= 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), 8);
    hash = (hash ^ word) * kPrime;
    hash ^= hash >> 29;
    bytes.remove_prefix(8);
  }
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  return hash;
}

std::string whole_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return std::move(text).str();
}

}  // namespace

std::string read_section(const std::string& path, const std::string& name) {
  const std::string file = whole_file(path);
  return std::string(Sections(file).named(name));
}

Result<Executable> inspect_executable(const std::string& path) {
  const std::string file = whole_file(path);
  if (file.empty()) return Error{"cannot read \"" + path + "\"; check its permissions"};
  const Sections sections(file);
  if (sections.empty())
    return Error{"\"" + path +
                 "\" is not an executable for this machine (64-bit x86); build it here with heddle-cc or "
                 "heddle-c++"};
  if (!sections.has(kRuntimeSection))
    return Error{"\"" + path +
                 "\" was not built by Heddle's compilers, so its threads cannot be controlled; build it "
                 "with CC=heddle-cc CXX=heddle-c++, or give `heddle run` its source"};
  std::uint64_t identity = 0xcbf29ce484222325ull;
  for (const char* name : {".text", ".rodata", ".data"}) identity = mix(identity, sections.named(name));
  const auto mentions = [&](const char* symbol) { return file.find(symbol) != file.npos; };
  const TestFramework framework = mentions("_ZN7testing14InitGoogleTest") ? TestFramework::kGoogleTest
                                  : mentions("_ZN5Catch7Session")         ? TestFramework::kCatch2
                                  : mentions("_ZN7doctest7Context")       ? TestFramework::kDoctest
                                                                          : TestFramework::kNone;
  return Executable{identity, framework, mentions("heddle_test_entry_")};
}

}  // namespace heddle::supervisor
