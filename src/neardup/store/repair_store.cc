// The logs are made whole first, each under its first name; then a MANIFEST that names nothing lets a restart read all
// of them. Meanwhile there is no MANIFEST, so nothing that is half done is taken for a store.
#include "neardup/store/repair_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "neardup/base/disk/file.h"
#include "neardup/store/directory_files.h"
#include "neardup/store/log_copy.h"
#include "neardup/store/log_format.h"
#include "neardup/store/log_writer.h"
#include "neardup/store/lost_documents.h"
#include "neardup/store/store_files.h"

namespace neardup::store {
namespace {

// MANIFEST, or where that is not readable the first one.
Result<StoreSettings> find_settings(const std::string& folder) {
  const auto manifest = read_store_manifest(folder);
  if (manifest) return manifest->settings;
  const std::string path = settings_path(folder);
  const auto bytes = read_file(path);
  if (!bytes) return tl::unexpected<Error>(manifest.error());
  NEARDUP_ASSIGN(StoreManifest first, parse_store_manifest(*bytes, path));
  return std::move(first.settings);
}

// Where it is told what a fault has cost: before what to do about it.
size_t end_of_fault(std::string_view line) {
  const std::string cure = fmt::format("; {}", kLogFileCure);
  return line.ends_with(cure) ? line.size() - cure.size() : line.size();
}

class Repair {
 public:
  explicit Repair(const std::string& folder) : folder_(folder) {}

  /// `manifest`: where it can be read.
  Status run(const StoreSettings& settings, const std::optional<StoreManifest>& manifest);
  [[nodiscard]] std::vector<std::string>& lost() { return lost_; }
  [[nodiscard]] uint64_t lost_documents() const { return lost_documents_; }

 private:
  Status take_rewritten();
  void name_missing(const StoreManifest& manifest, const std::vector<uint64_t>& logs);
  [[nodiscard]] uint64_t last_of(uint64_t log, std::optional<uint64_t> next_log,
                                 const std::optional<StoreManifest>& manifest) const;
  [[nodiscard]] static std::optional<uint64_t> end_of(uint64_t log, const std::optional<StoreManifest>& manifest);
  Status make_whole(uint64_t log, uint64_t limit, std::optional<uint64_t> end);
  void name_lost(std::string message, NumberRange documents);
  void end_open_range(uint64_t end);
  void count_lost(const NumberRange& documents, size_t line);
  [[nodiscard]] Result<std::string> free_name(uint64_t log) const;
  Status put_aside(uint64_t log);
  Status replace(uint64_t log, const std::string& copy);

  const std::string& folder_;
  std::vector<std::string> lost_;
  uint64_t lost_documents_ = 0;
  std::optional<NumberRange> open_range_;  // its end is told by the next document that is there
  size_t open_line_ = 0;                   // in lost_, of that range
  uint64_t next_document_ = 0;             // behind the last one that is there, or is known to be lost
  NumberSet erased_;                       // that are known to be
  bool names_missing_ = false;             // logs that are gone are named already
  std::vector<uint64_t> logs_;
  uint64_t last_ = 0;  // sequence number of the last record that is there
  uint64_t first_log_ = 1, before_first_ = 0;
};

// Logs that were written again take the place of those that they were made of, if these are there yet.
Status Repair::take_rewritten() {
  NEARDUP_ASSIGN(const auto names, list_folder(folder_));
  for (const std::string& name : names) {
    if (!name.starts_with("records-") || !name.ends_with(".log")) continue;
    const std::string path = folder_ + "/" + name;
    const auto header = read_log_header(path);
    if (header) NEARDUP_TRY(move_path(path, log_path(folder_, header->number)));
    if (!header) lost_.push_back(header.error().message);
  }
  return sync_folder(folder_);
}

// What an earlier repair has put aside stays.
Result<std::string> Repair::free_name(uint64_t log) const {
  NEARDUP_ASSIGN(const auto names, list_folder(folder_));
  const std::string first = fmt::format("damaged-{:06}", log);
  std::string name = first;
  for (size_t i = 2; std::ranges::binary_search(names, name); ++i) name = fmt::format("{}-{}", first, i);
  return folder_ + "/" + name;
}

Status Repair::put_aside(uint64_t log) {
  NEARDUP_ASSIGN(const std::string aside, free_name(log));
  return move_path(log_path(folder_, log), aside);
}

// At each moment there is a log of that name: who repairs once more after a crash finds what there is to be saved.
Status Repair::replace(uint64_t log, const std::string& copy) {
  NEARDUP_ASSIGN(const std::string aside, free_name(log));
  NEARDUP_TRY(link_or_copy(log_path(folder_, log), aside));
  NEARDUP_TRY(sync_folder(folder_));
  return move_path(copy, log_path(folder_, log));
}

// Logs that MANIFEST knows, and that are there no more.
void Repair::name_missing(const StoreManifest& manifest, const std::vector<uint64_t>& logs) {
  for (const RecordFiles& files : manifest.records) {
    if (std::ranges::find(logs, files.log) != logs.end()) continue;
    lost_documents_ += num_documents({files.first, files.first + files.count}, erased_);
    lost_.push_back(fmt::format("log '{}' is gone, and with it documents {} to {}", log_path(folder_, files.log),
                                files.first, files.first + files.count - 1));
  }
}

// Of several without an end, one behind the other, the first tells of all. What was told of is not told once more.
void Repair::name_lost(std::string message, NumberRange documents) {
  documents.first = std::max(documents.first, next_document_);
  lost_.push_back(std::move(message));
  if (documents.end) return count_lost(documents, lost_.size() - 1);
  if (open_range_) return;
  open_range_ = documents;
  open_line_ = lost_.size() - 1;
}

void Repair::end_open_range(uint64_t end) {
  if (!open_range_) return;
  count_lost({open_range_->first, end}, open_line_);
  open_range_.reset();
}

void Repair::count_lost(const NumberRange& documents, size_t line) {
  lost_[line].insert(end_of_fault(lost_[line]), lost_documents_text(documents, erased_));
  lost_documents_ += num_documents(documents, erased_);
  next_document_ = std::max(next_document_, *documents.end);
}

// The sequence number of the last record of a log; 0: nobody knows. MANIFEST knows that of the last closed one alone.
uint64_t Repair::last_of(uint64_t log, std::optional<uint64_t> next_log,
                         const std::optional<StoreManifest>& manifest) const {
  if (next_log)
    if (const auto next = read_log_header(log_path(folder_, *next_log))) return next->previous;
  const auto is_closed = [&](uint64_t number) { return manifest && number < manifest->first_log; };
  return is_closed(log) && !(next_log && is_closed(*next_log)) ? manifest->last_sequence : 0;
}

// The number behind those of its documents, of a log that was closed before MANIFEST was written.
std::optional<uint64_t> Repair::end_of(uint64_t log, const std::optional<StoreManifest>& manifest) {
  if (!manifest) return {};
  const auto files = std::ranges::find(manifest->records, log, &RecordFiles::log);
  return files == manifest->records.end() ? std::nullopt : std::optional(files->first + files->count);
}

Status Repair::make_whole(uint64_t log, uint64_t limit, std::optional<uint64_t> end) {
  const LogFile file{log, log_path(folder_, log)};
  const auto header = read_log_header(file.path);
  if (!header || header->number != log) {
    name_lost(header ? fmt::format("log '{}' is that of another number", file.path) : header.error().message,
              {next_document_, end});
    return put_aside(log);
  }
  if (logs_.empty()) last_ = before_first_ = header->previous, first_log_ = log;
  logs_.push_back(log);
  uint64_t last = header->previous;
  LoggedNumbers numbers(next_document_);
  NEARDUP_ASSIGN(const std::vector<LogGap> gaps, salvage_log(file, limit, [&](const LoggedRecord& record) -> Status {
                   last = record.sequence;
                   return numbers.add(record);
                 }));
  if (numbers.first()) end_open_range(*numbers.first());
  if (header->previous > last_)
    name_lost(fmt::format("records {} to {} before log '{}' are lost", last_ + 1, header->previous, file.path),
              {next_document_, names_missing_ ? next_document_ : numbers.first()});
  for (const LogGap& gap : gaps) {
    NumberRange documents = numbers.lost_in(gap);
    if (!documents.end) documents.end = end;
    name_lost(fmt::format("log '{}' is damaged at byte {}: records {} to {} are lost", file.path, gap.offset,
                          gap.after + 1, gap.before - 1),
              documents);
  }
  next_document_ = std::max({next_document_, numbers.end(), end.value_or(0)});
  const bool is_whole = gaps.empty() && header->previous == last_;
  const uint64_t previous = std::exchange(last_, std::max(last, limit));
  if (is_whole) return {};
  const std::string copy = file.path + ".whole";
  NEARDUP_TRY(copy_salvaged(file, copy, previous, limit));
  return replace(log, copy);
}

Status Repair::run(const StoreSettings& settings, const std::optional<StoreManifest>& manifest) {
  NEARDUP_TRY(remove_all(manifest_path(folder_)));
  NEARDUP_TRY(sync_folder(folder_));
  NEARDUP_TRY(take_rewritten());
  NEARDUP_ASSIGN(const std::vector<uint64_t> logs, list_logs(folder_, 0));
  names_missing_ = manifest.has_value();
  if (manifest) erased_ = erased_in(folder_, *manifest);
  if (manifest) name_missing(*manifest, logs);
  for (size_t i = 0; i < logs.size(); ++i) {
    const auto next = i + 1 < logs.size() ? std::optional(logs[i + 1]) : std::nullopt;
    NEARDUP_TRY(make_whole(logs[i], last_of(logs[i], next, manifest), end_of(logs[i], manifest)));
  }
  NEARDUP_TRY(sync_folder(folder_));
  StoreManifest first;
  first.settings = settings;
  first.first_log = first_log_;
  first.last_sequence = before_first_;
  return write_file_atomically(manifest_path(folder_), to_bytes(first));
}

}  // namespace

Result<StoreRepair> repair_store(const std::string& folder, const StoreOptions& options) {
  NEARDUP_TRY(file_info(folder));
  NEARDUP_TRY(check_whole(folder));
  NEARDUP_ASSIGN(const StoreSettings settings, find_settings(folder));
  Repair repair(folder);
  {
    NEARDUP_ASSIGN(const FolderLock lock, lock_store(folder));
    StoreManifest first;
    first.settings = settings;
    NEARDUP_TRY(write_file_atomically(settings_path(folder), to_bytes(first)));
    const auto manifest = read_store_manifest(folder);
    NEARDUP_TRY(repair.run(settings, manifest ? std::optional(*manifest) : std::nullopt));
  }
  NEARDUP_ASSIGN(const auto store, EmbeddedStore::open(folder, options));
  NEARDUP_TRY(store->checkpoint());
  NEARDUP_ASSIGN(const Statistics statistics, store->statistics());
  return StoreRepair{std::move(repair.lost()), repair.lost_documents(), statistics.documents};
}

}  // namespace neardup::store
