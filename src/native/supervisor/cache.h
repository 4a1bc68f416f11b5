// Folders of the cache of executables. One that is in use - being built into, or belonging to a heddle that is running
// - is locked; of those that are not, the ones used last are kept.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace heddle::supervisor {

std::filesystem::path cache_root();

// A folder of the cache, made if it is not there. While this object lives nobody else builds into it; until the process
// ends nobody removes it.
class CacheFolder {
 public:
  static Result<CacheFolder> open(const std::string& name);
  ~CacheFolder();
  CacheFolder(CacheFolder&& other) noexcept;
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  CacheFolder(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::filesystem::path path_;
  int lock_;
};

// Removes the folders used longest ago beyond the number that is kept. Something has been stored: that is when it
// grows.
void shrink_cache();

}  // namespace heddle::supervisor
