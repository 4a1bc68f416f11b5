// Explorers here and hands elsewhere, as one pool.
#pragma once

#include "dist/crew.h"

namespace heddle::dist {

class JointPool : public WorkPool {
 public:
  JointPool(WorkPool& here, Crew& elsewhere) : here_(here), elsewhere_(elsewhere) {}

  std::size_t room() const override { return here_.room() + elsewhere_.room(); }
  void give(WorkItem item) override {
    // What is certain stays here, where nothing is under way.
    if (here_.room() > 0)
      here_.give(std::move(item));
    else
      elsewhere_.give(std::move(item));
  }
  std::vector<Answer> wait(std::chrono::milliseconds time) override {
    const auto until = std::chrono::steady_clock::now() + time;
    std::vector<Answer> answers;
    do {
      answers = here_.wait(kSlice);
      for (Answer& answer : elsewhere_.wait(std::chrono::milliseconds(0))) answers.push_back(std::move(answer));
    } while (answers.empty() && std::chrono::steady_clock::now() < until);
    return answers;
  }
  void hurry(bool hurry) override {
    here_.hurry(hurry);
    elsewhere_.hurry(hurry);
  }
  void begin_anew(const Answer& answer) override {
    here_.begin_anew(answer);
    elsewhere_.begin_anew(answer);
  }
  std::optional<Bytes> take_knowledge() override { return here_.take_knowledge(); }

 private:
  // A hand that asks for a number waits so long at most. (Explorers here wake us at once.)
  static constexpr std::chrono::milliseconds kSlice{2};

  WorkPool& here_;
  Crew& elsewhere_;
};

}  // namespace heddle::dist
