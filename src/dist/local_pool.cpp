#include "dist/local_pool.h"

namespace heddle::dist {

LocalPool::LocalPool(const OwnProgramFactory& make_program, const ItemOptions& options, std::size_t explorers,
                     bool apart)
    : make_program_(make_program), options_(options), explorers_(explorers) {
  REQUIRE(explorers >= 1 || apart);
  // One explorer need not hurry for others, but may be interrupted.
  options_.enough = [this, outer = options.enough] {
    return hurry_.load(std::memory_order_relaxed) || (outer && outer());
  };
  if (explorers_ == 1 && !apart)
    own_.emplace(make_program_());
  else
    for (std::size_t i = 0; i < explorers_; ++i) threads_.emplace_back([this] { work(); });
}

LocalPool::~LocalPool() {
  hurry(true);
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  given_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

std::size_t LocalPool::room() const {
  const std::lock_guard lock(mutex_);
  return explorers_ - busy_;
}

void LocalPool::give(WorkItem item) {
  const std::lock_guard lock(mutex_);
  ++busy_;
  items_.push_back(std::move(item));
  given_.notify_one();
}

Answer LocalPool::explored(const OwnProgram& own, const WorkItem& item) const {
  ItemOptions options = options_;
  options.numbers = own.numbers;
  return answer_to(*own.program, item, options);
}

void LocalPool::work() {
  const OwnProgram own = make_program_();
  std::unique_lock lock(mutex_);
  while (true) {
    given_.wait(lock, [&] { return over_ || !items_.empty(); });
    if (over_) return;
    const WorkItem item = std::move(items_.front());
    items_.pop_front();
    lock.unlock();
    Answer answer = explored(own, item);
    lock.lock();
    --busy_;
    answers_.push_back(std::move(answer));
    answered_.notify_one();
  }
}

std::vector<Answer> LocalPool::wait(std::chrono::milliseconds time) {
  if (own_ && !items_.empty()) {
    const WorkItem item = std::move(items_.front());
    items_.pop_front();
    busy_ = 0;
    std::vector<Answer> answers;
    answers.push_back(explored(*own_, item));
    return answers;
  }
  std::unique_lock lock(mutex_);
  answered_.wait_for(lock, time, [&] { return !answers_.empty(); });
  return std::exchange(answers_, {});
}

}  // namespace heddle::dist
