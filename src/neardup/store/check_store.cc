#include "neardup/store/check_store.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/disk/file.h"
#include "neardup/store/candidates.h"
#include "neardup/store/directory_files.h"
#include "neardup/store/document_facts.h"
#include "neardup/store/log_reader.h"
#include "neardup/store/lost_documents.h"
#include "neardup/store/store_files.h"
#include "neardup/store/store_replay.h"

namespace neardup::store {
namespace {

// Faults, as they came, but of each kind some at most, and how many more there are.
class Faults {
 public:
  void add(std::string_view kind, std::string fault) {
    auto known = std::ranges::find(kinds_, kind, &OfKind::kind);
    if (known == kinds_.end()) known = kinds_.insert(known, {kind, 0, {}});
    if (++known->count <= kMostOfAKind) known->first.push_back(std::move(fault));
  }
  [[nodiscard]] bool empty() const { return kinds_.empty(); }
  [[nodiscard]] std::vector<std::string> list() const {
    std::vector<std::string> list;
    for (const OfKind& some : kinds_) {
      list.insert(list.end(), some.first.begin(), some.first.end());
      if (some.count > kMostOfAKind) list.push_back(fmt::format("and {} more of this kind", some.count - kMostOfAKind));
    }
    return list;
  }

 private:
  struct OfKind {
    std::string_view kind;
    uint64_t count = 0;
    std::vector<std::string> first;
  };
  std::vector<OfKind> kinds_;
};

constexpr std::string_view kOfFile = "file", kOfLog = "log", kUnread = "unread";

class Checker {
 public:
  Checker(const std::string& folder, const StoreOptions& options, StoreManifest manifest)
      : folder_(folder), options_(options), manifest_(std::move(manifest)) {
    options_.verify = true;
  }

  Result<StoreCheck> run() {
    erased_ = erased_in(folder_, manifest_);
    NEARDUP_TRY(check_files());
    if (faults_.empty()) NEARDUP_TRY(check_content());
    return StoreCheck{faults_.list(), documents_};
  }

 private:
  // Notes damage; what is no damage ends it.
  Status note(const Status& checked, std::string_view kind) {
    if (checked) return {};
    const Code code = checked.error().code;
    if (code != Code::kCorruption && code != Code::kNotFound) return checked;
    faults_.add(kind, checked.error().message);
    return {};
  }
  template <class Result>
  Status noted(const Result& result, std::string_view kind = kOfFile) {
    return note(result ? Status() : Status(tl::unexpected<Error>(result.error())), kind);
  }
  void add_of_file(std::string fault) { faults_.add(kOfFile, std::move(fault)); }
  void add_of_document(std::string_view fault, const Record& document) {
    faults_.add(fault, fmt::format("document '{}' {}", document.id, fault));
  }

  // What only a repair reads.
  Status check_settings() {
    const std::string path = settings_path(folder_);
    const auto bytes = read_file(path);
    NEARDUP_TRY(noted(bytes));
    if (!bytes) return {};
    const auto first = parse_store_manifest(*bytes, path);
    if (first && !(first->settings == manifest_.settings))
      add_of_file(fmt::format("'{}' is that of another store", path));
    return noted(first);
  }
  Status check_files() {
    NEARDUP_TRY(check_settings());
    for (size_t i = 0; i < manifest_.records.size(); ++i) NEARDUP_TRY(check_records(i));
    NEARDUP_ASSIGN(const std::vector<uint64_t> logs, list_logs(folder_, manifest_.first_log));
    return noted(read_logs(folder_, logs, manifest_.last_sequence, [](const LoggedRecord&) { return Status(); }));
  }
  // The sequence number of the last record of a closed log: the next log says it, or MANIFEST of the newest.
  Result<uint64_t> last_of(size_t which) const {
    if (which + 1 == manifest_.records.size()) return manifest_.last_sequence;
    NEARDUP_ASSIGN(const LogHeader next, read_log_header(records_path(folder_, manifest_.records[which + 1])));
    return next.previous;
  }
  Status check_records(size_t which) {
    NEARDUP_TRY(options_.context.check_cancel());
    const RecordFiles& files = manifest_.records[which];
    const LogFile log{files.log, records_path(folder_, files)};
    const auto last = last_of(which);  // where the next one is damaged it is named for itself
    LoggedNumbers numbers(files.first);
    const auto gaps =
        salvage_log(log, last ? *last : 0, [&](const LoggedRecord& record) { return numbers.add(record); });
    NEARDUP_TRY(noted(gaps));
    for (const LogGap& gap : gaps ? *gaps : std::vector<LogGap>()) {
      NumberRange documents = numbers.lost_in(gap);
      if (!documents.end) documents.end = files.first + files.count;
      faults_.add(kOfLog,
                  fmt::format("log '{}' is damaged at byte {}: records {} to {} are lost{}", log.path, gap.offset,
                              gap.after + 1, gap.before - 1, lost_documents_text(documents, erased_)));
    }
    const std::string path = facts_path(folder_, files);
    const auto facts = read_facts(path, files.count);
    NEARDUP_TRY(noted(facts));
    if (facts && (facts->checksum != files.facts_checksum || facts->facts.first() != files.first ||
                  facts->facts.end() != files.first + files.count))
      add_of_file(fmt::format("'{}' is not the file that the store was made with", path));
    return {};
  }

  // What a restart would hold, without writing anything.
  Status check_content() {
    auto state = open_state(folder_, manifest_, options_, {});
    NEARDUP_TRY(noted(state));
    if (!state) return {};
    Checkpointer unused(folder_, options_, manifest_);
    const auto replayed = replay_logs(folder_, manifest_, **state, unused, Moves::kNothing);
    NEARDUP_TRY(noted(replayed));
    if (!replayed) return {};
    NEARDUP_TRY((*state)->for_each_facts({}, [&](const DocumentFacts& facts) -> Status {
      for (uint64_t number = facts.first(); number < facts.end(); ++number)
        if ((*state)->is_live(number)) NEARDUP_TRY(check_document(**state, facts, number));
      return options_.context.check_cancel();
    }));
    return {};
  }
  Status check_document(const StoreState& state, const DocumentFacts& facts, uint64_t number) {
    HeldRecord held;
    const auto read = state.read(number, held);
    NEARDUP_TRY(noted(read, kUnread));
    if (!read || !*read) return {};
    ++documents_;
    const std::span<const Record> one(&*held, 1);
    const Candidates found = std::move(find_candidates(state, one, DocumentKeys(one), Wanted::kAll)[0]);
    const auto has = [&](const std::vector<uint64_t>& numbers) {
      return std::binary_search(numbers.begin(), numbers.end(), number);
    };
    const bool is_near = !(held->keys.empty() && held->fingerprints.empty());
    if (!has(found.same_id)) add_of_document("is not found by its id", *held);
    if (is_near && state.is_seen(number, held->tag) && !has(found.near))
      add_of_document("is not found by what it is near to", *held);
    if (!is_found_by_passages(state, *held)) add_of_document("is not found by its passages", *held);
    if (facts.time(number) != held->time || facts.tags()[facts.tag(number)] != held->tag)
      add_of_document("has another time or tag in the list", *held);
    return {};
  }

  static bool is_found_by_passages(const StoreState& state, const Record& document) {
    std::vector<uint64_t> numbers;
    state.keys().view().find(DocumentKeys({&document, 1}).passages(0), numbers);
    return static_cast<size_t>(std::ranges::count(numbers, document.number)) >= document.passages.size();
  }

  std::string folder_;
  StoreOptions options_;
  StoreManifest manifest_;
  NumberSet erased_;
  Faults faults_;
  uint64_t documents_ = 0;
};

}  // namespace

Result<StoreCheck> check_store(const std::string& folder, const StoreOptions& options) {
  NEARDUP_TRY(file_info(folder));
  NEARDUP_TRY(check_whole(folder));
  NEARDUP_ASSIGN(const FolderLock lock, lock_store(folder));
  auto manifest = read_store_manifest(folder);
  if (!manifest && manifest.error().code == Code::kCorruption) return StoreCheck{{manifest.error().message}};
  if (!manifest) return tl::unexpected<Error>(manifest.error());
  return Checker(folder, options, std::move(*manifest)).run();
}

}  // namespace neardup::store
