// How an execution goes on when it has shown what it was run for. Kähkönen 2015 goes on at random. But the net knows
// most of what can happen then, so the rest can be chosen: ways through the net are drawn at random, and the one that
// leads most threads to local states that nobody has been in is run. An execution shows a thread one new way at best,
// so the thread with the most ways decides how many executions there must be, and no thread should go a known way.
//
// What a thread does in a local state that nobody has been in is not known, but it is likely to do what it did after it
// had found another value. So it is led on as if it had; what it writes then is new to whoever reads it. From there on
// the way is a guess, and the schedule only wishes for it (Tail::wishes). What comes then is random for a while:
// threads that nothing is known of show more if they take turns.
//
// The net is only looked at: what a guess leads to may never happen.
#pragma once

#include <vector>

#include "base/random.h"
#include "net/program_net.h"
#include "stateful/path_judge.h"
#include "trace/schedule.h"

namespace heddle::stateful {

class PlannedTail {
 public:
  PlannedTail(net::ProgramNet& net, PathJudge& judge) : net_(net), judge_(judge) {}

  // Appends to a schedule that leads to `from`.
  void append(const net::Marking& from, trace::Schedule& schedule);

 private:
  struct Move {
    trace::Decision decision;
    net::StepId step;  // kNoStep: nobody has come to it
  };
  struct Way {
    std::vector<trace::Decision> moves;
    std::size_t certain = 0;  // of these, before the first guess
    std::size_t shown = 0;    // threads for which it is new
  };

  void draw(const net::Marking& from);
  void collect(ThreadId t);
  bool goes(const Move& move);
  void go(const Move& move);
  void guess(ThreadId t, net::LocalId before);
  bool guesses() const { return drawn_.certain <= drawn_.moves.size(); }
  bool is_new(ObjectId object) const;

  net::ProgramNet& net_;
  PathJudge& judge_;
  Random random_{1};
  net::Marking marking_;
  std::vector<Move> moves_;
  Way drawn_, best_;
  ThreadSet guessed_;               // threads that are led on by a guess
  ThreadSet lost_;                  // of these, nothing is known to guess by
  std::vector<net::LocalId> left_;  // where they were when that began, by thread
  std::vector<ObjectId> new_;       // objects whose value such a thread has left
};

}  // namespace heddle::stateful
