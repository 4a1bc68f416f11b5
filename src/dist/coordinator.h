// Whoever keeps one search that many explore, and makes their totals those of one explorer, exactly.
//
// Depth-first search is a list of executions in an order, and its state is a path with what is left at every node.
// Cutting the path in two gives two parts in order: what is below the cut, and what is left at the cut and above it.
// The first goes on as before. The second one is begun at once, on the assumption that the first will not change
// the nodes it begins with. So the search becomes a list of *segments*, in depth-first order: the front one is certain,
// the others are speculation.
//
// When the front segment is done, the next one becomes the front: if the nodes they share have been changed by the
// first, either the second has done nothing that would have come out otherwise (merge.h), and takes the changes over,
// or it goes back to where that still held, and what it has done since is done again. So whatever is committed is what
// one explorer does, execution by execution: the same executions, none of them asleep where there was none, and each
// finding shown by the same execution.
//
// Saarikivi et al. 2012 §IV has a server that sends out backtrack points and takes in new ones as they are found. In
// any order but the sequential one sleep sets then differ, more executions end asleep, and wakeup trees lose their
// guarantee (optimal_dpor.h); how many there are depends on who was faster. A wrong guess costs time here, never a
// count. The split of sleep sets (§IV-D there) is in how an item carries them. In Fig. 5 the client goes along the
// steps that the server has sent (SE) and then finds races and tells backtrack points. Fig. 7 adds SLP, which begins as
// the candidates that the server has sent, as only it knows what was explored; as only the client knows what is
// dependent, it keeps what does not depend on the step v that it takes, and sends that back (lines 11 and 12). Here the
// path of an item is SE, what was `explored` at its nodes are the candidates (explore/saved_search.h), line 11 is
// resume() in explore/tree.cpp and explore/optimal_dpor.cpp, and the answer, with what is explored by then, has the
// same form.
//
// Samples are divided likewise: they have numbers, and a segment is those from one number to another. All that one has
// to do with those before it is the longest execution (explore/sampling.h, pct); if that was not what was assumed, they
// are drawn again.
//
// A segment is out with one explorer at a time, under an attempt number. What is lost is given out again; what comes
// late or twice has an old number and is dropped.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <unordered_set>
#include <vector>

#include "dist/work_item.h"

namespace heddle::dist {

// Speculation as it stood after some answer.
struct Checkpoint {
  explore::SavedSearch search;
  Tally tally;
  std::uint64_t next_id = 0;  // what was cut off later has this number, or a greater one
};

struct Segment {
  std::uint64_t id = 0;
  std::uint64_t parent = 0;  // from which it was cut off; 0: from none
  std::uint32_t attempt = 0;
  bool out = false;
  bool held = false;            // until it is the front; not kept in a journal
  explore::SavedSearch before;  // as it began, with the nodes that it shares with those in front of it
  explore::SavedSearch present;
  Tally tally;  // of the executions since; the front's are committed at once
  // Of speculation, to go back to if not all of it was right; the last one is the present. Not kept in a journal.
  std::vector<Checkpoint> checkpoints = {};
};

// All that must be kept for the search to go on.
struct SearchRecord {
  std::uint64_t next_id = 2;
  std::vector<std::uint64_t> order;  // of the segments, the front first
  std::uint64_t redone = 0;          // executions of speculation that were thrown away
  std::uint64_t divided = 0;
  double seconds = 0;  // of all processes that went on with it, one after the other
  Tally committed;
  std::vector<StartedThread> threads;
};

// What has changed since it was last asked, for a journal. Segments are named by their ids.
struct Changes {
  std::set<std::uint64_t> segments;
  std::set<std::uint64_t> gone;
  std::vector<explore::SeenClass> classes;
  symbolic::TermParcel terms;
  bool anew = false;  // and nothing of segments and classes that were before is left
};

// Samples without a number to end with: nobody comes so far.
inline constexpr std::uint64_t kEndless = std::uint64_t{1} << 62;

class Coordinator {
 public:
  Coordinator();
  // Of so many samples.
  static Coordinator of_samples(std::uint64_t samples);
  // As it was kept; `classes` are those committed so far, and `terms` all there are.
  Coordinator(SearchRecord record, std::vector<Segment> segments, const std::vector<explore::SeenClass>& classes,
              const symbolic::TermParcel& terms = {});

  // The next part to explore, those in front first. Nothing: all are out, or done.
  std::optional<WorkItem> take(const Budget& budget);
  // What came of it. False: the attempt is not the present one, so it does not count.
  bool accept(WorkResult result);
  // Whoever had it will not answer.
  void lost(std::uint64_t segment, std::uint32_t attempt);
  // The same, and nobody is to have it before it is the front.
  void hold(std::uint64_t segment, std::uint32_t attempt);
  // Is this the present attempt at the front of the search?
  bool is_front(std::uint64_t segment, std::uint32_t attempt) const;
  // The program is another one than was thought: everything that was done is void.
  void begin_anew();
  // Cuts a segment that is not out in two. False: there is none that has two parts worth it.
  bool divide();

  bool is_over() const { return segments_.empty(); }
  std::uint64_t samples() const { return samples_; }  // 0: it is no sampling
  std::size_t out() const;
  std::size_t waiting() const;  // parts that take() would give
  // Of the committed executions; with those of speculation, too.
  const SearchRecord& record() const { return record_; }
  Tally so_far() const;
  const std::vector<Segment>& segments() const { return segments_; }
  const Segment* segment(std::uint64_t id) const;
  // That segments and findings speak of.
  const symbolic::TermStore& terms() const { return terms_; }
  Changes take_changes();
  void spend(double seconds) { record_.seconds += seconds; }

 private:
  Segment whole(std::uint64_t id) const;
  std::optional<std::vector<Segment>> divided(Segment& left);
  std::optional<std::vector<Segment>> divided_samples(Segment& left);
  void advance();
  bool hand_over(const Segment& front, Segment& next);
  void go_back(Segment& next, const Checkpoint& to);
  void remember(Segment& segment);
  std::uint64_t part_of(std::uint64_t whole, const Segment& one) const;
  void commit(Tally tally);
  void note_order();
  bool can_be_given(const Segment& segment) const;

  SearchRecord record_;
  std::vector<Segment> segments_;  // in depth-first order
  std::unordered_set<std::uint64_t> classes_;
  std::uint64_t samples_ = 0;
  explore::SampleCurve curve_;  // of what is committed
  symbolic::TermStore terms_{symbolic::Simplify::kNo};
  std::size_t told_terms_ = 1;  // by take_changes(); the first number is no term's
  Changes changes_;
};

}  // namespace heddle::dist
