#include "dist/journal.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "base/random.h"
#include "dist/search_fields.h"
#include "dist/terms.h"

namespace heddle::dist {
namespace {

constexpr int kApplication = 0x48444c4a;  // "HDLJ"
constexpr int kVersion = 2;

constexpr const char* kSchema =
    "CREATE TABLE about(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE search(id INTEGER PRIMARY KEY CHECK(id = 1), bytes BLOB NOT NULL);"
    "CREATE TABLE knowledge(id INTEGER PRIMARY KEY CHECK(id = 1), bytes BLOB NOT NULL);"
    "CREATE TABLE segments(id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);"
    "CREATE TABLE terms(id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);"
    "CREATE TABLE classes(fingerprint INTEGER PRIMARY KEY, outcome INTEGER NOT NULL);";

// Of the rows of every table but the one that this is in: sums of what is in each, so that they can be kept up to date.
struct Sums {
  std::uint64_t about = 0, segments = 0, terms = 0, classes = 0, knowledge = 0;
  bool operator==(const Sums&) const = default;
};

std::uint64_t sum_of(const explore::SeenClass& seen) {
  return combine(seen.fingerprint, static_cast<std::uint64_t>(seen.outcome) + 1);
}
std::uint64_t sum_of(const std::string& text) {
  return checksum({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}
std::uint64_t sum_of(std::uint64_t id, std::span<const std::uint8_t> bytes) { return combine(id, checksum(bytes)); }

struct KeptRecord {
  SearchRecord search;
  Sums sums;
};

template <class A, Described<KeptRecord> V>
void fields(A& a, V& v) {
  fields(a, v.search);
  for (auto* sum : {&v.sums.about, &v.sums.segments, &v.sums.terms, &v.sums.classes, &v.sums.knowledge}) a.number(*sum);
}

// Of the terms with the numbers 1, 2, ... Is it only these that is spoken of?
bool speaks_only_of(const symbolic::TermParcel& terms, const std::vector<symbolic::TermId>& spoken_of) {
  return std::ranges::all_of(spoken_of, [&](symbolic::TermId term) { return term.index() <= terms.size(); });
}

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace

class Journal::Database {
 public:
  explicit Database(std::string path) : path_(std::move(path)) {}
  ~Database() {
    sqlite3_close(db_);
    if (lock_ >= 0) close(lock_);  // after SQLite's own: closing a file gives back all locks that fcntl has on it
  }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  Error damaged(const std::string& how) const {
    return Error{"the journal \"" + path_ + "\" is damaged (" + how +
                 "); nothing of it is used: restore it from a copy, or remove it and begin anew"};
  }

  // Nobody else may go on with it as long as we live.
  std::optional<Error> lock() {
    lock_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock_ < 0) return Error{"cannot write \"" + path_ + "\"; check that its folder exists and is writable"};
    if (flock(lock_, LOCK_EX | LOCK_NB) == 0) return std::nullopt;
    return Error{"the journal \"" + path_ +
                 "\" is in use by another heddle, which goes on with its search; wait for it, or stop it"};
  }
  bool is_locked_by_another() const {
    const int file = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const bool busy = flock(file, LOCK_SH | LOCK_NB) != 0;
    close(file);
    return busy;
  }

  std::optional<Error> connect(int flags) {
    if (sqlite3_open_v2(path_.c_str(), &db_, flags, nullptr) != SQLITE_OK) return failure("open");
    sqlite3_busy_timeout(db_, 5'000);
    return std::nullopt;
  }

  // What SQLite complains of, as one sentence.
  Error failure(const std::string& doing) const {
    const int code = sqlite3_errcode(db_) & 0xff;
    const std::string fact = sqlite3_errmsg(db_);
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB) return damaged(fact);
    if (code == SQLITE_FULL || code == SQLITE_IOERR)
      return Error{"cannot write the journal \"" + path_ + "\": " + fact +
                   "; what it held before is safe: make room and run the same command again"};
    return Error{"cannot " + doing + " the journal \"" + path_ + "\": " + fact};
  }

  std::optional<Error> execute(const char* sql) {
    return sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) == SQLITE_OK ? std::nullopt
                                                                          : std::optional(failure("write"));
  }

  // Calls `row` with the statement for every row of the answer.
  template <class F>
  std::optional<Error> query(const std::string& sql, F&& row) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) return failure("read");
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) row(statement);
    std::optional<Error> error;
    if (code != SQLITE_DONE) error = failure("read");
    sqlite3_finalize(statement);
    return error;
  }
  int number_of(const std::string& sql) {
    int n = -1;
    if (query(sql, [&](sqlite3_stmt* s) { n = sqlite3_column_int(s, 0); })) return -1;
    return n;
  }

  std::optional<Error> put(const char* sql, std::int64_t key, std::span<const std::uint8_t> bytes) {
    return bound(sql, [&](sqlite3_stmt* s) {
      sqlite3_bind_int64(s, 1, key);
      sqlite3_bind_blob64(s, 2, bytes.data(), bytes.size(), SQLITE_STATIC);
    });
  }
  template <class F>
  std::optional<Error> bound(const char* sql, F&& bind) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(db_, sql, -1, &statement, nullptr) != SQLITE_OK) return failure("write");
    bind(statement);
    const int code = sqlite3_step(statement);
    std::optional<Error> error;
    if (code != SQLITE_DONE) error = failure("write");
    sqlite3_finalize(statement);
    return error;
  }

  // Is it whole, and of a version that we know? True: it is new and empty.
  Result<bool> examine() {
    int tables = -1;
    if (auto error = query("SELECT count(*) FROM sqlite_master", [&](auto* s) { tables = sqlite3_column_int(s, 0); }))
      return *error;
    if (tables == 0) return true;
    if (number_of("PRAGMA application_id") != kApplication)
      return Error{"\"" + path_ + "\" is a database, but no journal of heddle; give another file"};
    if (const int version = number_of("PRAGMA user_version"); version != kVersion)
      return Error{"the journal \"" + path_ + "\" has format " + std::to_string(version) + ", and this heddle knows " +
                   std::to_string(kVersion) + "; go on with the heddle that began it"};
    std::string check;
    if (auto error = query("PRAGMA integrity_check(1)",
                           [&](auto* s) { check = reinterpret_cast<const char*>(sqlite3_column_text(s, 0)); }))
      return *error;
    if (check != "ok") return damaged(check);
    return false;
  }

  std::optional<Error> create(const Identity& identity) {
    for (const std::string& sql : {"PRAGMA application_id=" + std::to_string(kApplication),
                                   "PRAGMA user_version=" + std::to_string(kVersion), std::string(kSchema)})
      if (auto error = execute(sql.c_str())) return error;
    for (const auto& [key, value] : {std::pair<std::string, std::string>{"program", identity.program},
                                     {"fingerprint", hex(identity.fingerprint)},
                                     {"options", identity.options}}) {
      const auto bind = [&](sqlite3_stmt* s) {
        sqlite3_bind_text(s, 1, key.c_str(), -1, SQLITE_STATIC);
        sqlite3_bind_text(s, 2, value.c_str(), -1, SQLITE_STATIC);
      };
      if (auto error = bound("INSERT INTO about VALUES(?, ?)", bind)) return error;
      sums_.about += combine(sum_of(key), sum_of(value));
    }
    return std::nullopt;
  }

  Result<Identity> identity() {
    std::map<std::string, std::string> about;
    if (auto error = query("SELECT key, value FROM about", [&](auto* s) {
          const std::string key = reinterpret_cast<const char*>(sqlite3_column_text(s, 0));
          about[key] = reinterpret_cast<const char*>(sqlite3_column_text(s, 1));
          sums_.about += combine(sum_of(key), sum_of(about[key]));
        }))
      return *error;
    return Identity{about["program"], std::strtoull(about["fingerprint"].c_str(), nullptr, 16), about["options"]};
  }

  static std::uint64_t id_at(sqlite3_stmt* s) { return static_cast<std::uint64_t>(sqlite3_column_int64(s, 0)); }
  static std::span<const std::uint8_t> bytes_at(sqlite3_stmt* s, int column) {
    return {static_cast<const std::uint8_t*>(sqlite3_column_blob(s, column)),
            static_cast<std::size_t>(sqlite3_column_bytes(s, column))};
  }

  struct Kept {
    SearchRecord record;
    std::vector<Segment> segments;
    std::vector<explore::SeenClass> classes;
    symbolic::TermParcel terms;
    Bytes knowledge;
  };

  // After identity().
  Result<Kept> load() {
    Kept kept;
    std::optional<Sums> sums;
    auto error = query("SELECT bytes FROM search", [&](sqlite3_stmt* s) {
      auto record = read<KeptRecord>(FrameKind::kSearch, bytes_at(s, 0), "journal");
      if (!record) return;
      kept.record = std::move(record->search);
      sums = record->sums;
    });
    if (error) return *error;
    if (!sums) return damaged("the record of the search cannot be read");
    for (const auto part : {&Database::load_terms, &Database::load_segments, &Database::load_rest})
      if (auto wrong = (this->*part)(kept)) return *wrong;
    if (!(sums_ == *sums)) return damaged("a part is missing, or is not what it was");
    return kept;
  }

  std::optional<Error> load_terms(Kept& kept) {
    bool whole = true;
    auto error = query("SELECT id, bytes FROM terms ORDER BY id", [&](sqlite3_stmt* s) {
      sums_.terms += sum_of(id_at(s), bytes_at(s, 1));
      auto more = read<symbolic::TermParcel>(FrameKind::kTerms, bytes_at(s, 1), "journal");
      whole = whole && more;
      if (more) kept.terms.insert(kept.terms.end(), more->begin(), more->end());
    });
    if (error) return error;
    symbolic::TermStore store(symbolic::Simplify::kNo);
    for (std::size_t i = 0; i < kept.terms.size(); ++i) whole = whole && kept.terms[i].number.index() == i + 1;
    whole = whole && symbolic::unpack(store, kept.terms) && store.size() == kept.terms.size() + 1 &&
            speaks_only_of(kept.terms, terms_of(kept.record.committed));
    return whole ? std::nullopt : std::optional(damaged("the terms over inputs cannot be read"));
  }

  std::optional<Error> load_segments(Kept& kept) {
    std::optional<Error> wrong;
    std::map<std::uint64_t, Segment> segments;
    auto error = query("SELECT id, bytes FROM segments", [&](sqlite3_stmt* s) {
      const std::uint64_t sum = sum_of(id_at(s), bytes_at(s, 1));
      sums_.segments += sum;
      sums_of_segments_[id_at(s)] = sum;
      auto segment = read<Segment>(FrameKind::kSegment, bytes_at(s, 1), "journal");
      const bool whole = segment && is_sound(segment->before) && is_sound(segment->present) &&
                         segment->id == id_at(s) && speaks_only_of(kept.terms, terms_of(segment->before)) &&
                         speaks_only_of(kept.terms, terms_of(segment->present)) &&
                         speaks_only_of(kept.terms, terms_of(segment->tally));
      if (!whole)
        wrong = damaged("segment " + std::to_string(sqlite3_column_int64(s, 0)) + " cannot be read");
      else
        segments[segment->id] = std::move(*segment);
    });
    if (error || wrong) return error ? error : wrong;
    for (const std::uint64_t id : kept.record.order) {
      const auto segment = segments.find(id);
      if (segment == segments.end()) return damaged("segment " + std::to_string(id) + " is missing");
      kept.segments.push_back(std::move(segment->second));
      segments.erase(segment);
    }
    if (!segments.empty()) return damaged("there are more segments than the search has");
    return std::nullopt;
  }

  std::optional<Error> load_rest(Kept& kept) {
    auto error = query("SELECT fingerprint, outcome FROM classes", [&](sqlite3_stmt* s) {
      kept.classes.push_back({id_at(s), static_cast<trace::Outcome>(sqlite3_column_int(s, 1))});
      sums_.classes += sum_of(kept.classes.back());
    });
    if (error) return error;
    std::optional<Error> wrong;
    error = query("SELECT bytes FROM knowledge", [&](sqlite3_stmt* s) {
      sums_.knowledge = sum_of(1, bytes_at(s, 0));
      auto knowledge = read<Bytes>(FrameKind::kKnowledge, bytes_at(s, 0), "journal");
      if (knowledge)
        kept.knowledge = std::move(*knowledge);
      else
        wrong = damaged("what was learnt about the program cannot be read");
    });
    return error ? error : wrong;
  }

  std::optional<Error> write(const Coordinator& coordinator, const Changes& changes,
                             const std::optional<Bytes>& knowledge) {
    if (auto error = write_segments(coordinator, changes)) return error;
    for (const explore::SeenClass& seen : changes.classes) {
      sums_.classes += sum_of(seen);
      if (auto error = bound("INSERT INTO classes VALUES(?, ?)", [&](sqlite3_stmt* s) {
            sqlite3_bind_int64(s, 1, static_cast<std::int64_t>(seen.fingerprint));
            sqlite3_bind_int(s, 2, static_cast<int>(seen.outcome));
          }))
        return error;
    }
    if (!changes.terms.empty()) {
      const std::uint64_t first = changes.terms.front().number.value;
      const Bytes bytes = written(FrameKind::kTerms, changes.terms);
      sums_.terms += sum_of(first, bytes);
      if (auto error = put("INSERT INTO terms VALUES(?, ?)", static_cast<std::int64_t>(first), bytes)) return error;
    }
    if (knowledge) {
      const Bytes bytes = written(FrameKind::kKnowledge, *knowledge);
      sums_.knowledge = sum_of(1, bytes);
      if (auto error = put("INSERT OR REPLACE INTO knowledge VALUES(?, ?)", 1, bytes)) return error;
    }
    return put("INSERT OR REPLACE INTO search VALUES(?, ?)", 1,
               written(FrameKind::kSearch, KeptRecord{coordinator.record(), sums_}));
  }

  std::optional<Error> write_segments(const Coordinator& coordinator, const Changes& changes) {
    if (changes.anew) {
      sums_.segments = sums_.classes = 0;
      sums_of_segments_.clear();
      if (auto error = execute("DELETE FROM segments; DELETE FROM classes")) return error;
    }
    const auto note = [&](std::uint64_t id, std::uint64_t sum) {
      std::uint64_t& known = sums_of_segments_[id];
      sums_.segments += sum - std::exchange(known, sum);
    };
    for (const std::uint64_t id : changes.gone) {
      note(id, 0);
      sums_of_segments_.erase(id);
      if (auto error = bound("DELETE FROM segments WHERE id = ?",
                             [&](sqlite3_stmt* s) { sqlite3_bind_int64(s, 1, static_cast<std::int64_t>(id)); }))
        return error;
    }
    for (const std::uint64_t id : changes.segments) {
      const Segment* segment = coordinator.segment(id);
      if (segment == nullptr) continue;
      const Bytes bytes = written(FrameKind::kSegment, *segment);
      note(id, sum_of(id, bytes));
      if (auto error = put("INSERT OR REPLACE INTO segments VALUES(?, ?)", static_cast<std::int64_t>(id), bytes))
        return error;
    }
    return std::nullopt;
  }

  // All or nothing.
  template <class F>
  std::optional<Error> transaction(const char* begin, F&& body) {
    if (auto error = execute(begin)) return error;
    auto error = body();
    if (!error) error = execute("COMMIT");
    if (error) sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
    return error;
  }

 private:
  std::string path_;
  sqlite3* db_ = nullptr;
  int lock_ = -1;
  Sums sums_;
  std::map<std::uint64_t, std::uint64_t> sums_of_segments_;  // by id
};

Journal::Journal(std::unique_ptr<Database> database) : database_(std::move(database)) {}
Journal::~Journal() = default;

Result<std::unique_ptr<Journal>> Journal::open(const std::string& path, const Identity& identity) {
  auto database = std::make_unique<Database>(path);
  if (auto error = database->lock()) return *error;
  if (auto error = database->connect(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) return *error;
  const auto is_new = database->examine();
  if (!is_new) return is_new.error();
  if (auto error = database->execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL")) return *error;
  std::unique_ptr<Journal> journal(new Journal(std::move(database)));
  Database& db = *journal->database_;
  if (is_new.value()) {
    Coordinator coordinator;
    const auto make = [&]() -> std::optional<Error> {
      if (auto error = db.create(identity)) return error;
      return db.write(coordinator, coordinator.take_changes(), std::nullopt);
    };
    if (auto error = db.transaction("BEGIN IMMEDIATE", make)) return *error;
    journal->coordinator_.emplace(std::move(coordinator));
    return journal;
  }
  const auto was = db.identity();
  if (!was) return was.error();
  const std::string remedy = "; give another file, or remove it to begin anew";
  if (was.value().options != identity.options)
    return Error{"the journal \"" + path + "\" is of a search with other options (" + was.value().options +
                 "; now: " + identity.options + ")" + remedy};
  if (was.value().fingerprint != identity.fingerprint)
    return Error{"the journal \"" + path + "\" is of \"" + was.value().program +
                 "\" as it was, and the program has changed since" + remedy};
  auto kept = db.load();
  if (!kept) return kept.error();
  journal->coordinator_.emplace(std::move(kept->record), std::move(kept->segments), kept->classes, kept->terms);
  journal->knowledge_ = std::move(kept->knowledge);
  journal->resumed_from_ = journal->coordinator_->so_far().executions;
  return journal;
}

Coordinator Journal::take_coordinator() {
  REQUIRE(coordinator_);
  return *std::exchange(coordinator_, std::nullopt);
}

std::uint64_t Journal::resumed_from() const { return resumed_from_; }

std::optional<Error> Journal::record(const Coordinator& coordinator, const Changes& changes,
                                     const std::optional<Bytes>& knowledge) {
  if (changes.segments.empty() && changes.gone.empty() && changes.classes.empty() && !knowledge) return std::nullopt;
  return database_->transaction("BEGIN IMMEDIATE", [&] { return database_->write(coordinator, changes, knowledge); });
}

Result<JournalStatus> Journal::status(const std::string& path) {
  if (access(path.c_str(), R_OK) != 0)
    return Error{"there is no journal \"" + path + "\" that can be read; check the path"};
  Database database(path);
  // Reading a write-ahead log takes a file beside it, so not only for reading.
  if (auto error = database.connect(SQLITE_OPEN_READWRITE)) return *error;
  const auto is_new = database.examine();
  if (!is_new) return is_new.error();
  if (is_new.value()) return Error{"\"" + path + "\" is empty; `heddle run ... --journal=" + path + "` fills it"};
  JournalStatus status;
  status.in_use = database.is_locked_by_another();
  std::optional<Error> error = database.transaction("BEGIN", [&]() -> std::optional<Error> {
    auto identity = database.identity();
    if (!identity) return identity.error();
    auto kept = database.load();
    if (!kept) return kept.error();
    status.identity = std::move(*identity);
    status.segments = kept->segments.size();
    const Coordinator coordinator(std::move(kept->record), std::move(kept->segments), kept->classes, kept->terms);
    status.record = coordinator.record();
    status.so_far = coordinator.so_far();
    return std::nullopt;
  });
  if (error) return *error;
  return status;
}

}  // namespace heddle::dist
