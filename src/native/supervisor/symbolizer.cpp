#include "native/supervisor/symbolizer.h"

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "native/supervisor/child_process.h"

namespace heddle::supervisor {

using protocol::Module;
namespace {

std::string hex(std::uint64_t value) {
  std::ostringstream text;
  text << "0x" << std::hex << value;
  return text.str();
}

// Details that only get in the way of reading.
std::string without(std::string text, const std::string& part) {
  for (std::size_t at; (at = text.find(part)) != text.npos;) text.erase(at, part.size());
  return text;
}

std::uint64_t number(const nlohmann::json& value, const char* key) {
  const std::string text = value.value(key, "0x0");
  return std::strtoull(text.c_str(), nullptr, 16);
}

}  // namespace

Symbolizer::Symbolizer(std::vector<Module> modules) : modules_(std::move(modules)) {}

void Symbolizer::want_code(std::uint64_t pc) {
  if (pc != 0) code_.try_emplace(pc);
}

void Symbolizer::want_data(std::uint64_t address) {
  if (address != 0) data_.try_emplace(address);
}

const Module* Symbolizer::module_of(std::uint64_t address) const {
  // Bounds are those of the code; data follow it, and the next module begins later.
  constexpr std::uint64_t kLargestData = 1u << 28;
  const Module* best = nullptr;
  for (const Module& module : modules_)
    if (address >= module.begin && address < module.end + kLargestData && (!best || module.begin > best->begin))
      best = &module;
  return best;
}

bool Symbolizer::look_up() {
  const char* chosen = std::getenv("HEDDLE_SYMBOLIZER");
  const std::string tool = chosen != nullptr ? chosen : find_in_path({"llvm-symbolizer-19", "llvm-symbolizer"});
  if (tool.empty()) return false;
  std::string questions;
  std::vector<std::pair<std::uint64_t, bool>> asked;
  const auto ask = [&](std::uint64_t address, bool code) {
    const Module* module = module_of(address);
    if (module == nullptr) return;
    questions +=
        std::string(code ? "CODE" : "DATA") + " \"" + module->path + "\" " + hex(address - module->base) + "\n";
    asked.emplace_back(address, code);
  };
  for (const auto& [pc, frames] : code_) ask(pc, true);
  for (const auto& [address, variable] : data_) ask(address, false);
  if (asked.empty()) return true;
  auto finished = run_tool({{tool, "--output-style=JSON", "--inlines", "--demangle"}, questions, false});
  if (!finished || finished->code != 0) return false;
  std::istringstream lines(finished->output);
  std::string line;
  for (const auto& [address, code] : asked)
    if (std::getline(lines, line)) read_answer(line, address, code);
  return true;
}

void Symbolizer::read_answer(const std::string& line, std::uint64_t address, bool code) {
  const auto answer = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!answer.is_object()) return;
  if (code) {
    for (const auto& symbol : answer.value("Symbol", nlohmann::json::array())) {
      SourceFrame frame{without(symbol.value("FunctionName", ""), "(anonymous namespace)::"),
                        symbol.value("FileName", ""), symbol.value("Line", 0u), symbol.value("Column", 0u)};
      if (!frame.file.empty()) frame.file = std::filesystem::path(frame.file).lexically_normal().string();
      code_[address].push_back(std::move(frame));
    }
    return;
  }
  const auto found = answer.find("Data");
  if (found == answer.end() || found->value("Name", "").empty()) return;
  const std::uint64_t start = number(*found, "Start"), size = number(*found, "Size");
  const Module* module = module_of(address);
  const std::uint64_t offset = address - module->base - start;
  if (size != 0 && offset >= size) return;
  const std::string name = without(found->value("Name", ""), "(anonymous namespace)::");
  data_[address] = Variable{without(name, "[abi:cxx11]"), module->path, offset};
}

const std::vector<SourceFrame>& Symbolizer::code(std::uint64_t pc) const {
  static const std::vector<SourceFrame> none;
  const auto found = code_.find(pc);
  return found == code_.end() ? none : found->second;
}

std::optional<Variable> Symbolizer::data(std::uint64_t address) const {
  const auto found = data_.find(address);
  return found == data_.end() ? std::nullopt : found->second;
}

std::optional<Symbolizer::InFile> Symbolizer::in_file(std::uint64_t address) const {
  const Module* module = module_of(address);
  if (module == nullptr) return std::nullopt;
  return InFile{module->path, address - module->base};
}

std::string Symbolizer::raw(std::uint64_t address) const {
  const Module* module = module_of(address);
  if (module == nullptr) return hex(address);
  return std::filesystem::path(module->path).filename().string() + "+" + hex(address - module->base);
}

}  // namespace heddle::supervisor
