// Two files in each folder. "lock" is locked while somebody builds. "used" is touched by everybody who uses the folder,
// and locked, together with others, until they end: a run may take hours, and reads its executable again for the
// report. Who removes a folder needs both for itself alone, and does not wait for them. Whoever was waiting for "lock"
// meanwhile finds that the file it has locked is no longer the one in the folder, and begins again.
#include "native/supervisor/cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>
#include <vector>

namespace heddle::supervisor {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kKept = 256;
// Between making a folder and locking it there is a moment.
constexpr std::chrono::minutes kFresh(10);
constexpr std::string_view kRemoved = ".removed-";

int open_file(const fs::path& file) { return ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600); }

// Is this open file still the one of that name?
bool is_in_place(int file, const fs::path& path) {
  struct stat opened{}, named{};
  return fstat(file, &opened) == 0 && stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

// The descriptor is left open: the lock ends with the process.
void hold_until_the_end(const fs::path& folder) {
  const int file = open_file(folder / "used");
  if (file < 0) return;
  futimens(file, nullptr);
  flock(file, LOCK_SH);
}

struct Entry {
  fs::file_time_type used;
  fs::path folder;
};

std::vector<Entry> entries(const fs::path& root) {
  std::vector<Entry> all;
  std::error_code error;
  for (auto i = fs::directory_iterator(root, error); !error && i != fs::directory_iterator(); i.increment(error)) {
    std::error_code gone;
    if (!fs::is_regular_file(i->path() / "lock", gone)) continue;  // not ours
    auto used = fs::last_write_time(i->path() / "used", gone);
    if (gone) used = fs::last_write_time(i->path(), gone);
    if (!gone) all.push_back({used, i->path()});
  }
  return all;
}

// Moved aside first: others see it whole or not at all.
void remove_unless_used(const fs::path& folder) {
  const int lock = ::open((folder / "lock").c_str(), O_RDWR | O_CLOEXEC);
  const int used = open_file(folder / "used");
  std::error_code error;
  if (lock >= 0 && used >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0 && flock(used, LOCK_EX | LOCK_NB) == 0 &&
      is_in_place(lock, folder / "lock")) {
    const std::string name = folder.filename().string();
    const fs::path aside = name.starts_with(kRemoved)
                               ? folder
                               : folder.parent_path() / (std::string(kRemoved) + std::to_string(getpid()) + "-" + name);
    if (aside != folder) fs::rename(folder, aside, error);
    if (!error) fs::remove_all(aside, error);
  }
  if (lock >= 0) close(lock);
  if (used >= 0) close(used);
}

void remove_oldest(std::vector<Entry> all) {
  if (all.size() <= kKept) return;
  std::sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) { return a.used > b.used; });
  const auto fresh_since = fs::file_time_type::clock::now() - kFresh;
  for (std::size_t i = kKept; i < all.size(); ++i)
    if (all[i].used < fresh_since) remove_unless_used(all[i].folder);
}

}  // namespace

fs::path cache_root() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value != nullptr ? value : "");
  };
  if (const std::string own = variable("HEDDLE_CACHE"); !own.empty()) return own;
  if (const std::string xdg = variable("XDG_CACHE_HOME"); !xdg.empty()) return fs::path(xdg) / "heddle";
  if (const std::string home = variable("HOME"); !home.empty()) return fs::path(home) / ".cache/heddle";
  return fs::temp_directory_path() / ("heddle-" + std::to_string(getuid()));
}

Result<CacheFolder> CacheFolder::open(const std::string& name) {
  const fs::path folder = cache_root() / name;
  for (;;) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
      return Error{"cannot make the folder \"" + folder.string() + "\" for the executable: " + error.message() +
                   "; set HEDDLE_CACHE to a folder you can write"};
    const int lock = open_file(folder / "lock");
    const bool locked = lock >= 0 && flock(lock, LOCK_EX) == 0;
    if (locked && !is_in_place(lock, folder / "lock")) {  // removed while we waited
      close(lock);
      continue;
    }
    hold_until_the_end(folder);
    return CacheFolder(folder, lock);  // without a lock, where the file system has none
  }
}

CacheFolder::CacheFolder(CacheFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

CacheFolder::~CacheFolder() {
  if (lock_ >= 0) close(lock_);
}

// One at a time: two would count each other's as still there, and remove too many.
void shrink_cache() {
  const int root = ::open(cache_root().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (root < 0) return;
  if (flock(root, LOCK_EX) == 0) remove_oldest(entries(cache_root()));
  close(root);
}

}  // namespace heddle::supervisor
