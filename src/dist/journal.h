// A search that outlives its process: every result that was accepted is in a file before anything is made of it, so
// whatever is killed, the search goes on from there with exact totals.
//
// The file is a SQLite database (write-ahead log, synchronous=FULL): what the search is about, the record of the
// coordinator, a row per segment, the terms over inputs that these speak of, and the classes met so far where they may
// be met twice. SQLite looks at how its pages hang together and not at what is in them, so the row with the record has
// a checksum of its own, and in it are sums over all other rows: whatever has changed, is missing or is there twice is
// noticed. One process at a time goes on with it (a lock on the file, which the kernel gives back whatever becomes of
// the process); anybody may read.
#pragma once

#include <memory>
#include <string>

#include "dist/search.h"

namespace heddle::dist {

// What must be the same for a search to go on.
struct Identity {
  std::string program;            // path as given, to say what it was about
  std::uint64_t fingerprint = 0;  // of the program
  std::string options;            // all that decides what is explored, as text
};

// What a journal says about its search.
struct JournalStatus {
  Identity identity;
  SearchRecord record;
  std::size_t segments = 0;
  Tally so_far;         // speculation included
  bool in_use = false;  // by a process that goes on with it
};

class Journal : public Recorder {
 public:
  // Opens or makes it. An error if it is about something else, damaged, of a newer version, or in use.
  static Result<std::unique_ptr<Journal>> open(const std::string& path, const Identity& identity);
  static Result<JournalStatus> status(const std::string& path);
  ~Journal() override;

  // The search as it stands.
  Coordinator take_coordinator();
  // What explorers had to know; empty: nothing.
  const Bytes& knowledge() const { return knowledge_; }
  // Executions that were there already.
  std::uint64_t resumed_from() const;

  std::optional<Error> record(const Coordinator& coordinator, const Changes& changes,
                              const std::optional<Bytes>& knowledge) override;

 private:
  class Database;
  explicit Journal(std::unique_ptr<Database> database);
  std::unique_ptr<Database> database_;
  std::optional<Coordinator> coordinator_;
  Bytes knowledge_;
  std::uint64_t resumed_from_ = 0;
};

}  // namespace heddle::dist
