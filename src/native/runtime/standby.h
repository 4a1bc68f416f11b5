// A worker that is killed loses at most a moment: now and then it forks a copy of itself, with everything it knows and
// counts, which sleeps until the original is gone and then goes on in its place. Exploration is deterministic, so
// it comes to the same result.
//
// A copy costs a fork and a fault for every page that the original writes to afterwards: a millisecond or so, made
// seldom enough to be a hundredth of the time at most.
#pragma once

namespace heddle::runtime {

class Standby {
 public:
  // Called between executions. Returns in the original, and in a copy that has taken over.
  void renew();
  // The original has come to its end: nobody need go on.
  void dismiss();
  bool took_over() const { return took_over_; }
  void switch_off() { off_ = true; }

 private:
  bool off_ = false;
  bool took_over_ = false;
  double renewed_ = 0;  // seconds; 0: never
  double pause_ = 1;
  long copy_ = 0;      // process id; 0: none
  int lifeline_ = -1;  // open in the original only: the copy sees it close
};
extern Standby standby;

}  // namespace heddle::runtime
