// What names in properties of a model stand for: shared variables and their elements, locks, constants, threads as
// traces name them, lines, labels.
#include <algorithm>
#include <charconv>
#include <filesystem>

#include "model/model_program.h"

namespace heddle::model {
namespace {

// Visible operations, and what may be a branch on inputs.
bool may_stand_at(Op op) {
  return is_visible(op) || op < Op::kConst || op == Op::kElement || op == Op::kJumpIfZero || op == Op::kJumpIfNot ||
         op == Op::kAssert || op == Op::kAssume || op == Op::kPark;
}

class ModelNames final : public property::Names {
 public:
  ModelNames(const Code& code, const Source& source, const Interpreter& interpreter)
      : code_(code), source_(source), interpreter_(interpreter) {}

  std::optional<std::int64_t> constant(std::string_view name) const override {
    const auto known = code_.constants.find(std::string(name));
    return known == code_.constants.end() ? std::nullopt : std::optional<std::int64_t>(known->second);
  }

  std::optional<property::NamedVariable> variable(std::string_view name) const override {
    const auto object = find(name, ObjectKind::kMemory);
    if (!object) return std::nullopt;
    return property::NamedVariable{*object, {32, true}, bits(code_.initial[object->index()])};
  }

  std::optional<ObjectId> lock(std::string_view name) const override { return find(name, ObjectKind::kLock); }

  std::optional<property::NamedThread> thread(std::string_view name) const override {
    for (std::size_t t = 0; t < interpreter_.known_threads(); ++t)
      if (const ThreadId id(static_cast<std::uint16_t>(t)); interpreter_.thread_name(id) == name)
        return property::NamedThread{id, t < code_.threads.size()};
    return std::nullopt;
  }

  property::NamedPlace line(std::string_view text) const override {
    const auto colon = text.rfind(':');
    if (colon != text.npos) {
      const std::filesystem::path path(source_.name());
      const std::string_view file = text.substr(0, colon);
      if (file != source_.name() && file != path.filename().string())
        return {{}, "the model is " + path.filename().string() + ", not '" + std::string(file) + "'"};
      text = text.substr(colon + 1);
    }
    std::uint32_t wanted = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), wanted);
    if (error != std::errc() || end != text.data() + text.size())
      return {{}, "expected a line, as 31 or " + std::filesystem::path(source_.name()).filename().string() + ":31"};
    property::NamedPlace place;
    for (std::size_t i = 0; i < code_.instructions.size(); ++i)
      if (may_stand_at(code_.instructions[i].op) && source_.position(code_.places[i]).line == wanted)
        place.places.push_back(at(code_.places[i], code_.places[i]));
    if (place.places.empty()) place.complaint = "no thread does anything on line " + std::to_string(wanted);
    std::sort(place.places.begin(), place.places.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    place.places.erase(std::unique(place.places.begin(), place.places.end()), place.places.end());
    return place;
  }

  std::optional<std::vector<property::PlaceRange>> label(std::string_view name) const override {
    for (const NamedText& label : code_.labels)
      if (label.name == name) return std::vector{at(label.first, label.last)};
    return std::nullopt;
  }

  std::vector<std::string> known(property::NameKind kind, std::string_view) const override {
    std::vector<std::string> names;
    switch (kind) {
      case property::NameKind::kVariable:
        list(ObjectKind::kMemory, names);
        for (const auto& [name, value] : code_.constants) names.push_back(name);
        break;
      case property::NameKind::kLock:
        list(ObjectKind::kLock, names);
        break;
      case property::NameKind::kThread:
        for (std::size_t t = 0; t < interpreter_.known_threads(); ++t)
          names.push_back(interpreter_.thread_name(ThreadId(static_cast<std::uint16_t>(t))));
        break;
      case property::NameKind::kLabel:
        for (const NamedText& label : code_.labels) names.push_back(label.name);
        break;
    }
    return names;
  }

 private:
  static property::PlaceRange at(Offset first, Offset last) { return {first + 1u, last + 1u}; }  // as `where` counts

  std::optional<ObjectId> find(std::string_view name, ObjectKind kind) const {
    const auto bracket = name.find('[');
    const std::string_view base = name.substr(0, bracket);
    for (const Variable& v : code_.variables) {
      if (v.name != base || v.kind != kind || v.array != (bracket != name.npos)) continue;
      std::uint32_t element = 0;
      if (v.array) {
        const char* const last = name.data() + name.size();
        const auto [end, error] = std::from_chars(name.data() + bracket + 1, last, element);
        if (error != std::errc() || end + 1 != last || *end != ']' || element >= v.count) return std::nullopt;
      }
      return ObjectId(v.first + element);
    }
    return std::nullopt;
  }

  void list(ObjectKind kind, std::vector<std::string>& names) const {
    constexpr std::uint32_t kMostElements = 16;
    for (const Variable& v : code_.variables) {
      if (v.kind != kind) continue;
      if (!v.array) names.push_back(v.name);
      for (std::uint32_t i = 0; v.array && i < std::min(v.count, kMostElements); ++i)
        names.push_back(v.name + "[" + std::to_string(i) + "]");
    }
  }

  const Code& code_;
  const Source& source_;
  const Interpreter& interpreter_;
};

}  // namespace

std::unique_ptr<property::Names> ModelProgram::property_names() const {
  return std::make_unique<ModelNames>(code_, source_, interpreter_);
}

}  // namespace heddle::model
