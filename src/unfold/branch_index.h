// Long lists of events or conditions, kept by what their members know of a thread.
//
// The past of an event or condition says how far it knows each thread. Two of them go together only if what one knows
// of the other's thread is in the other's branch. The lists in which partners are looked for may have thousands of
// members, of which a handful fit: think of a thread that looks at a variable again and again, each time in another
// local state. A list that has grown long is therefore kept by the last event that each member knows of the partner's
// thread, and only members under the events of the partner's branch are looked at. That is brought up to date when it
// is asked for again; lists that are short or that nobody asks for cost nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace heddle::unfold {

class BranchIndex {
 public:
  // A list of numbers above 0, chained through `next`; its first member stays the first, new ones come right behind it.
  // `knows(member)`: the last event of the partner's thread in its past.
  // `for_each_event(f)`: the events of the partner's branch, 0 included if nothing is before it.
  template <class Next, class Knows, class Events, class F>
  void for_each(std::uint64_t name, std::uint32_t first, Next&& next, Knows&& knows, Events&& for_each_event, F&& f) {
    if (is_short(first, next)) {
      for (std::uint32_t m = first; m != 0; m = next(m)) f(m);
      return;
    }
    Kept& kept = lists_[name];
    const auto add = [&](std::uint32_t member) {
      const auto [place, added] = kept.by_last.try_emplace(knows(member));
      place->second.push_back(member);
      ++members_;
      keys_ += added;
    };
    if (kept.newest == 0) add(first);
    for (std::uint32_t m = next(first); m != kept.newest; m = next(m)) add(m);
    kept.newest = next(first);
    for_each_event([&](std::uint32_t event) {
      const auto found = kept.by_last.find(event);
      if (found == kept.by_last.end()) return;
      for (const std::uint32_t member : found->second) f(member);
    });
  }

  std::size_t bytes() const {
    constexpr std::size_t kLink = 2 * sizeof(void*);  // of an entry, to the next and from its bucket
    return members_ * 4 + keys_ * (sizeof(std::pair<std::uint32_t, std::vector<std::uint32_t>>) + kLink) +
           lists_.size() * (sizeof(std::pair<std::uint64_t, Kept>) + kLink);
  }

 private:
  struct Kept {
    std::uint32_t newest = 0;  // what comes right behind the first, when last looked at
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_last;
  };

  template <class Next>
  static bool is_short(std::uint32_t member, Next&& next) {
    constexpr int kShort = 24;
    for (int n = 0; n < kShort && member != 0; ++n) member = next(member);
    return member == 0;
  }

  std::unordered_map<std::uint64_t, Kept> lists_;
  std::size_t members_ = 0, keys_ = 0;
};

}  // namespace heddle::unfold
