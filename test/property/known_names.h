// Names of a small program, for the tests of the language.
#pragma once

#include <map>

#include "property/names.h"

namespace heddle::property {

class KnownNames final : public Names {
 public:
  std::optional<std::int64_t> constant(std::string_view name) const override {
    return name == "limit" ? std::optional<std::int64_t>(7) : std::nullopt;
  }
  std::optional<NamedVariable> variable(std::string_view name) const override {
    static const std::map<std::string, NamedVariable, std::less<>> known = {
        {"x", {ObjectId(0), {32, true}, 0}},
        {"u", {ObjectId(1), {32, false}, 0}},
        {"small", {ObjectId(2), {8, true}, 0}},
        {"byte", {ObjectId(3), {8, false}, 0}},
        {"wide", {ObjectId(4), {64, true}, 0}},
        {"big", {ObjectId(5), {64, false}, 0}},
        {"table[3].next", {ObjectId(6), {32, true}, 0}},
        {"ns::cache.hits", {ObjectId(7), {32, true}, 0}},
    };
    const auto found = known.find(name);
    return found == known.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<ObjectId> lock(std::string_view name) const override {
    return name == "m" || name == "cache.mutex" ? std::optional(ObjectId(20)) : std::nullopt;
  }
  std::optional<NamedThread> thread(std::string_view name) const override {
    if (name == "main") return NamedThread{ThreadId(0), true};
    if (name == "worker[1]/child#1") return NamedThread{ThreadId(3), false};
    return std::nullopt;
  }
  NamedPlace line(std::string_view text) const override {
    return text == "31" || text == "pool.cpp:31" ? NamedPlace{{{310, 319}}, {}} : NamedPlace{{}, "no such line"};
  }
  std::optional<std::vector<PlaceRange>> label(std::string_view name) const override {
    return name == "critical" ? std::optional(std::vector<PlaceRange>{{5, 9}}) : std::nullopt;
  }
  std::vector<std::string> known(NameKind kind, std::string_view) const override {
    switch (kind) {
      case NameKind::kVariable:
        return {"x", "u", "small", "byte", "wide", "big", "table[3].next", "ns::cache.hits"};
      case NameKind::kLock:
        return {"m", "cache.mutex"};
      case NameKind::kThread:
        return {"main", "worker[1]/child#1"};
      case NameKind::kLabel:
        return {"critical"};
    }
    return {};
  }
};

}  // namespace heddle::property
