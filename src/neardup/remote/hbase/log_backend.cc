#include "neardup/remote/hbase/log_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "neardup/remote/hbase/look_ups.h"
#include "neardup/remote/hbase/row_writer.h"
#include "neardup/remote/nonce.h"
#include "neardup/remote/stored_bytes.h"

namespace neardup::remote::hbase {
namespace {

constexpr size_t kMostEntryBytes = size_t{1} << 20;  // of one that gets further changes
constexpr size_t kMostUnapplied = 64;
constexpr std::chrono::seconds kPatience{1};  // with another client's rows
constexpr uint64_t kRecordRowsAtOnce = 16;

struct SeenLog : Seen {
  explicit SeenLog(uint64_t up_to) : position(up_to) {}
  uint64_t position;
};

// Names the document, by its id where it has bytes of its own.
Status check_size(const Change& change) {
  const size_t bytes = bytes_of(change);
  if (bytes <= kMostCellBytes) return {};
  std::string name = "a change";
  StoredDocumentBytes stored;
  for (const StoredDocument& document : change.added) {
    name = fmt::format("document {}", document.number);
    if (stored.read(document.number, std::string(document.record)))
      name = fmt::format("the document '{}'", stored.record().id);
  }
  return fail(Code::kUnsupported,
              fmt::format("{} takes {} bytes; a cell of HBase takes {} (hbase.client.keyvalue.maxsize): shorten it, or "
                          "keep such ones in a store in a folder",
                          name, bytes, kMostCellBytes));
}

}  // namespace

// One call of commit(): entries one after the other, each of the changes that nobody came before.
class LogBackend::Committing {
 public:
  Committing(LogBackend& backend, uint64_t seen, std::span<const Change> changes)
      : backend_(backend), seen_(seen), changes_(changes), happened_(changes.size()) {}

  Result<std::vector<bool>> run() {
    for (const Change& change : changes_) NEARDUP_TRY(check_size(change));
    while (next_ < changes_.size()) NEARDUP_TRY(write_one());
    return std::move(happened_);
  }

 private:
  Status write_one();
  size_t gather(LogEntry& entry);
  [[nodiscard]] bool is_free(const Change& change, const std::optional<RecentEntries>& others) const;

  LogBackend& backend_;
  const uint64_t seen_;
  const std::span<const Change> changes_;
  std::vector<bool> happened_;
  size_t next_ = 0;
  std::vector<uint64_t> own_;     // positions of entries of this call
  std::vector<Touched> dropped_;  // by changes that did not happen: those that stand on them cannot
};

bool LogBackend::Committing::is_free(const Change& change, const std::optional<RecentEntries>& others) const {
  const auto is_under = [&](const Touched& touched) { return touched.is_under(change, backend_.layout_); };
  return others && std::ranges::none_of(dropped_, is_under) &&
         std::ranges::none_of(*others, [&](const auto& recent) { return is_under(recent->touched); });
}

// Puts as many changes into an entry as fit; returns behind which one it ends.
size_t LogBackend::Committing::gather(LogEntry& entry) {
  const auto others = backend_.log_.recent().since(seen_, own_);
  size_t end = next_;
  for (; end < changes_.size() && entry.size_bytes < kMostEntryBytes; ++end) {
    const Change& change = changes_[end];
    happened_[end] = is_free(change, others);
    if (!happened_[end]) {
      dropped_.emplace_back().add(change);
      dropped_.back().finish();
      continue;
    }
    if (!entry.can_append(change) || entry.size_bytes + bytes_of(change) > kMostCellBytes) break;
    entry.append(change);
  }
  return end;
}

Status LogBackend::Committing::write_one() {
  RecentLog& recent = backend_.log_.recent();
  const size_t num_dropped = dropped_.size();
  const uint64_t position = recent.tip() + 1;
  LogEntry entry = recent.next(now_ms());
  entry.token = new_nonce();
  const size_t end = gather(entry);
  if (entry.num_changes == 0) {
    next_ = end;
    return {};
  }
  NEARDUP_ASSIGN(const bool is_written, backend_.log_.append(position, entry));
  if (!is_written) {
    dropped_.resize(num_dropped);
    return backend_.log_.catch_up();
  }
  RecentEntry written{position, entry, {}, {}};
  recent.add(position, std::move(entry));
  own_.push_back(position);
  next_ = end;
  NEARDUP_TRY(backend_.before_rows());
  NEARDUP_TRY(backend_.write_rows_of(written));
  return backend_.log_.trim_behind(position);
}

LogBackend::LogBackend(StoreTable store, Layout layout, TemporaryFolder files)
    : store_(std::move(store)), layout_(std::move(layout)), files_(std::move(files)), log_(store_.table) {}

Result<std::unique_ptr<LogBackend>> LogBackend::open(StoreTable store, Layout layout) {
  NEARDUP_ASSIGN(TemporaryFolder files, fetch_files(store));
  std::unique_ptr<LogBackend> backend(new LogBackend(std::move(store), std::move(layout), std::move(files)));
  NEARDUP_TRY(backend->log_.open());
  // What the row says may be later than the end of the log that was read, never earlier; entries behind it win.
  NEARDUP_ASSIGN(std::string shared, read_shared(backend->table_));
  const LogView view = backend->log_.recent().view();
  for (const auto& recent : view.unapplied)
    if (recent->entry.shared) shared = *recent->entry.shared;
  backend->log_.recent().set_shared(std::move(shared));
  return backend;
}

std::string LogBackend::file_path(std::string_view name) const { return store::own_file_path(files_.path(), name); }

Result<uint64_t> LogBackend::reserve_numbers(uint64_t count) {
  Reservation reservation(table_, count);
  NEARDUP_TRY(ask_all(table_, "reserving numbers", {&reservation}));
  return reservation.first();
}

// Cells of the log never expire: what they brought does when the rows do that have their stamps.
uint64_t LogBackend::oldest_stamp() const {
  const uint64_t now = now_ms(), ttl_ms = store_.options.ttl_seconds * 1000;
  return ttl_ms == 0 || ttl_ms > now ? 0 : now - ttl_ms;
}

// Rows are read after the view was taken and before the end of the log: what had been committed before the call is in
// the rows or in these entries, and of what came meanwhile, and may be in some rows, the entry is there: all of it is
// found.
template <class OfLog>
Result<uint64_t> LogBackend::ask(std::string_view what, std::vector<Asker*> askers, const OfLog& of_log) {
  const LogView before = log_.recent().view();
  NEARDUP_TRY(ask_all(table_, what, std::move(askers)));
  NEARDUP_TRY(log_.catch_up());
  auto after = log_.recent().extended(before);
  if (!after)
    return fail(Code::kIo, fmt::format("so much was written to the table '{}' meanwhile that {} missed some of it; try "
                                       "again",
                                       table_.name, what));
  after->oldest = oldest_stamp();
  of_log(*after);
  return after->tip;
}

Result<Found> LogBackend::look_up(const Question& question) {
  KeyLookUp keys(table_, question.keys);
  FingerprintLookUp fingerprints(table_, layout_, question.fingerprints, store_.options);
  Reservation reservation(table_, question.reserve);
  std::vector<Asker*> askers{&keys, &fingerprints};
  if (question.reserve > 0) askers.push_back(&reservation);
  NEARDUP_ASSIGN(const uint64_t tip, ask("looking up", std::move(askers), [&](const LogView& view) {
                   keys.add(view);
                   fingerprints.add(view);
                 }));
  Found found{.by_key = keys.lists(),
              .by_fingerprint = fingerprints.lists(),
              .shared = log_.recent().shared(),
              .first_reserved = reservation.first(),
              .seen = nullptr};
  if (question.to_commit) found.seen = std::make_shared<SeenLog>(tip);
  return found;
}

Result<std::vector<std::string>> LogBackend::read(std::span<const uint64_t> numbers) {
  RecordLookUp records(table_, numbers);
  NEARDUP_TRY(ask("reading records", {&records}, [&](const LogView& view) { records.add(view); }));
  return std::move(records).records();
}

Result<std::vector<uint64_t>> LogBackend::numbers_from(uint64_t first, size_t limit) {
  NEARDUP_ASSIGN(const uint64_t end, reserve_numbers(0));
  std::vector<uint64_t> numbers;
  while (first < end && numbers.size() < limit) {
    NumberLookUp some(table_, first, kRecordRowsAtOnce);
    NEARDUP_TRY(ask("listing documents", {&some}, [&](const LogView& view) { some.add(view); }));
    const std::vector<uint64_t> found = some.numbers();
    numbers.insert(numbers.end(), found.begin(), found.end());
    first = (first / kRecordsEach + kRecordRowsAtOnce) * kRecordsEach;
  }
  numbers.resize(std::min(numbers.size(), limit));
  return numbers;
}

Result<std::vector<bool>> LogBackend::commit(const Seen& seen, std::span<const Change> changes) {
  const std::lock_guard lock(commit_mutex_);
  if (log_.is_stale()) NEARDUP_TRY(log_.catch_up());
  NEARDUP_TRY(mend());
  return Committing(*this, dynamic_cast<const SeenLog&>(seen).position, changes).run();
}

Status LogBackend::write_rows_of(const RecentEntry& recent) {
  NEARDUP_TRY(write_rows(table_, layout_, recent.entry));
  log_.recent().mark_applied(recent.position);
  return {};
}

// Writes the rows of entries whose writers should have done so by now.
Status LogBackend::mend() {
  for (const auto& recent : log_.recent().overdue(kPatience, kMostUnapplied)) NEARDUP_TRY(write_rows_of(*recent));
  return {};
}

Status LogBackend::compact() {
  const std::lock_guard lock(commit_mutex_);
  NEARDUP_TRY(log_.catch_up());
  NEARDUP_TRY(mend());
  return log_.trim_all();
}

Result<BackendFigures> LogBackend::figures() {
  NEARDUP_ASSIGN(const uint64_t next_number, reserve_numbers(0));
  NEARDUP_TRY(log_.catch_up());
  const LogEntry counted = log_.recent().next(0);
  BackendFigures figures{.documents = counted.documents,
                         .duplicates = counted.duplicates,
                         .erased = counted.erased,
                         .next_number = next_number,
                         .documents_vanish = store_.options.ttl_seconds != 0,
                         .memory_bytes = 0,
                         .disk_bytes = 0,
                         .facts = {}};
  const auto fact = [&](std::string name, std::string value) {
    figures.facts.push_back({std::move(name), std::move(value)});
  };
  fact("server", fmt::format("HBase, cluster {}, table {}", store_.cluster_id, table_.name));
  fact("layout", to_text(store_.options));
  if (layout_.num_places() > 0) {
    fact("rows of each fingerprint", fmt::format("{}, by {} bits", layout_.num_tables(), layout_.prefix_bits(0)));
    fact("look-ups",
         store_.options.by_prefix ? "a scan for each prefix" : "a scan for up to 1,000 prefixes of a region");
  }
  fact("persistence",
       "a change is in the write-ahead logs of the region servers before it is acknowledged; synced to "
       "their disks only where hbase.wal.hsync is true, which the gateway does not tell");
  fact("log", fmt::format("{} entries, rows written up to {}", log_.recent().tip(), log_.recent().applied()));
  return figures;
}

}  // namespace neardup::remote::hbase
