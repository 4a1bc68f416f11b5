// The waiter may see that the job is done and delete it before it is notified: notify under the lock.
// expect: --all use-after-free mutex-misuse
#include <condition_variable>
#include <mutex>
#include <thread>

struct Job {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
};

int main() {
  Job* job = new Job;
  std::thread worker([=] {
    {
      std::lock_guard guard(job->mutex);
      job->done = true;
    }
    job->changed.notify_one();
  });
  {
    std::unique_lock guard(job->mutex);
    job->changed.wait(guard, [=] { return job->done; });
  }
  delete job;
  worker.join();
}
