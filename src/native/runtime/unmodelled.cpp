#include "native/runtime/unmodelled.h"

#include <algorithm>

#include "native/runtime/isolation.h"
#include "native/runtime/runtime.h"
#include "native/runtime/shadow.h"

namespace heddle::runtime {
namespace {

struct Place {
  const void* pc;
  const char* text;
};
constinit std::vector<Place> places;
constexpr std::size_t kMostPlaces = 16;  // that are shown

}  // namespace

void note_unmodelled(const void* pc, const char* text) {
  if (places.size() == kMostPlaces) return;
  if (std::any_of(places.begin(), places.end(), [&](const Place& p) { return p.pc == pc; })) return;
  EngineScope scope;
  places.push_back({pc, text});
  note_lesson({.unmodelled = text, .unmodelled_at = pc});
}

void add_unmodelled(std::vector<protocol::LeftOpen>& left_open) {
  for (const Place& place : places) left_open.push_back({where_of(place.pc), place.text});
}

}  // namespace heddle::runtime
