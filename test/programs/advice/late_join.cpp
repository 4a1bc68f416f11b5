// pattern: shutdown order
// lines: 24 25
#include <memory>
#include <mutex>
#include <thread>

struct Log {
  std::mutex mutex;
  int lines = 0;

  void line() {
    std::lock_guard lock(mutex);
    ++lines;
  }
};

// The thread still writes to the log when it goes.
class Service {
 public:
  Service() : log_(std::make_unique<Log>()), thread_([this] { log_->line(); }) {}
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  ~Service() {
    log_.reset();
    thread_.join();
  }

 private:
  std::unique_ptr<Log> log_;
  std::thread thread_;
};

int main() { Service service; }
