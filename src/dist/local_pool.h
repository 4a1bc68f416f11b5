// Explorers in this process, each with a program of its own: threads, or, if there is only one, whoever waits.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "dist/item_explorer.h"
#include "dist/work_pool.h"

namespace heddle::dist {

// A program that one explorer has to itself.
struct OwnProgram {
  template <class P>
  OwnProgram(std::unique_ptr<P> own, OwnNumbers* of_it = nullptr) : program(std::move(own)), numbers(of_it) {}
  std::unique_ptr<trace::Program> program;
  OwnNumbers* numbers;  // of this program, and as long as it is there
};
using OwnProgramFactory = std::function<OwnProgram()>;

class LocalPool : public WorkPool {
 public:
  // `apart`: in threads even if there is only one, as whoever waits has something else to do. There may be none then.
  LocalPool(const OwnProgramFactory& make_program, const ItemOptions& options, std::size_t explorers,
            bool apart = false);
  ~LocalPool() override;

  std::size_t room() const override;
  void give(WorkItem item) override;
  std::vector<Answer> wait(std::chrono::milliseconds time) override;
  void hurry(bool hurry) override { hurry_.store(hurry, std::memory_order_relaxed); }

 private:
  void work();
  Answer explored(const OwnProgram& own, const WorkItem& item) const;

  const OwnProgramFactory make_program_;
  ItemOptions options_;
  const std::size_t explorers_;
  std::atomic<bool> hurry_{false};
  mutable std::mutex mutex_;
  std::condition_variable given_, answered_;
  std::deque<WorkItem> items_;
  std::vector<Answer> answers_;
  std::size_t busy_ = 0;  // items given and not answered
  bool over_ = false;
  std::optional<OwnProgram> own_;  // of the only explorer
  std::vector<std::thread> threads_;
};

}  // namespace heddle::dist
