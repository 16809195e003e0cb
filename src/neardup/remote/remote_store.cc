#include "neardup/remote/remote_store.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "neardup/base/disk/file.h"
#include "neardup/base/guard.h"
#include "neardup/remote/arrivals.h"
#include "neardup/remote/check_lists.h"
#include "neardup/remote/copy_mark.h"
#include "neardup/remote/crawl_changes.h"
#include "neardup/remote/erasing.h"
#include "neardup/remote/queries.h"
#include "neardup/remote/takeover_timer.h"
#include "neardup/store/copy_store.h"
#include "neardup/store/embedded_store.h"
#include "neardup/store/neighbours.h"
#include "neardup/store/record_checks.h"
#include "neardup/store/repeated.h"

namespace neardup::remote {

using store::Answer;
using store::Judge;
using store::Record;

namespace {

std::vector<Arriving> arriving_of(std::span<const Record> documents, const Judge* judge) {
  std::vector<Arriving> arriving;
  arriving.reserve(documents.size());
  for (const Record& document : documents) arriving.push_back({&document, judge});
  return arriving;
}

}  // namespace

class RemoteStore::Impl {
 public:
  Impl(std::unique_ptr<Backend> backend, uint64_t most_compared)
      : backend_(std::move(backend)), most_compared_(most_compared), arrivals_(*backend_, most_compared) {}

  [[nodiscard]] Backend& backend() const { return *backend_; }
  [[nodiscard]] const Arrivals& arrivals() const { return arrivals_; }
  Result<std::vector<Answer>> take(std::span<const Record> documents, const Judge* judge, Purpose purpose) {
    for (const Record& document : documents) NEARDUP_TRY(check_record(backend_->settings(), document));
    auto answers = guarded([&] { return arrivals_.take(arriving_of(documents, judge), purpose); });
    if (answers && arrivals_.take_saw_ended_crawl()) finish_for_others();
    return answers;
  }
  /// Looks up one document, and calls look(view, candidates).
  template <class Look>
  auto look(const Record& document, Purpose purpose, const Look& look)
      -> decltype(look(std::declval<ArrivalBatch&>(), {})) {
    NEARDUP_TRY(check_fingerprints(backend_->settings(), document));
    const Arriving one{&document, nullptr};
    ArrivalBatch batch(*backend_, {&one, 1}, purpose, most_compared_);
    NEARDUP_TRY(batch.look_up());
    NEARDUP_ASSIGN(const store::Candidates candidates, batch.candidates_of(0));
    batch.set_upcoming(candidates.near);
    return look(batch, candidates);
  }
  Status restore(std::span<const Record> documents);

 private:
  void finish_for_others();

  std::unique_ptr<Backend> backend_;
  const uint64_t most_compared_;
  Arrivals arrivals_;
  TakeoverTimer takeover_timer_;  // with crawls that ended
};

// Whoever did not finish is gone: what it left costs everybody a look-up. Where it fails the next one tries.
void RemoteStore::Impl::finish_for_others() {
  if (takeover_timer_.is_over(TakeoverTimer::Clock::now())) static_cast<void>(finish_ended_crawls(*backend_));
}

// Numbers that nobody else gets, up to that of the last one.
Status RemoteStore::Impl::restore(std::span<const Record> documents) {
  if (documents.empty()) return {};
  const uint64_t first = documents.front().number, end = documents.back().number + 1;
  NEARDUP_ASSIGN(const uint64_t reserved, backend_->reserve_numbers(end - first));
  uint64_t reserved_end = reserved + (end - first);
  if (reserved_end < end) {
    NEARDUP_ASSIGN(const uint64_t more, backend_->reserve_numbers(end - reserved_end));
    if (more != reserved_end)
      return fail(Code::kInvalidArgument, "others write to the store that is copied into; copy into one of your own");
    reserved_end = end;
  }
  if (reserved > first)
    return fail(Code::kInvalidArgument,
                fmt::format("number {} was given to another document already; copy into a store "
                            "that is empty",
                            first));
  NEARDUP_TRY(take(documents, nullptr, Purpose::kRestore));
  return {};
}

RemoteStore::RemoteStore(std::unique_ptr<Backend> backend, uint64_t most_compared)
    : impl_(std::make_unique<Impl>(std::move(backend), most_compared)) {}
RemoteStore::~RemoteStore() = default;

const store::StoreSettings& RemoteStore::settings() const { return impl_->backend().settings(); }
std::string RemoteStore::file_path(std::string_view name) const { return impl_->backend().file_path(name); }
Status RemoteStore::checkpoint() { return {}; }
Status RemoteStore::compact() {
  NEARDUP_TRY(finish_ended_crawls(impl_->backend()));
  return impl_->backend().compact();
}

Result<std::vector<Answer>> RemoteStore::check_and_insert(std::span<const Record> arriving, const Judge& judge) {
  return impl_->take(arriving, &judge, Purpose::kInsert);
}
Result<std::vector<Answer>> RemoteStore::check(std::span<const Record> arriving, const Judge& judge) const {
  return impl_->take(arriving, &judge, Purpose::kCheck);
}
Result<store::StoredNeighbours> RemoteStore::query(const Record& document, const Judge& judge, size_t limit) const {
  return impl_->look(document, Purpose::kCheck, [&](ArrivalBatch& view, const store::Candidates& candidates) {
    return find_neighbours(view, document, candidates, judge, limit);
  });
}
Result<std::optional<uint64_t>> RemoteStore::find_repeated(const Record& document, const Judge& judge,
                                                           std::span<const uint64_t> but) const {
  return impl_->look(document, Purpose::kCheck, [&](ArrivalBatch& view, const store::Candidates& candidates) {
    return store::find_repeated(view, document, candidates, judge, but);
  });
}
Result<std::vector<uint64_t>> RemoteStore::find_holders(const Record& document, size_t most,
                                                        std::span<const uint64_t> but) const {
  return impl_->look(document, Purpose::kLook, [&](ArrivalBatch& view, const store::Candidates& candidates) {
    return store::find_holders(view, candidates, most, but);
  });
}
Status RemoteStore::put(std::span<const Record> documents) {
  NEARDUP_TRY(impl_->take(documents, nullptr, Purpose::kPut));
  return {};
}

Result<uint64_t> RemoteStore::erase(std::span<const std::string_view> ids, std::vector<size_t>* missing) {
  return erase_ids(impl_->backend(), ids, missing);
}
Result<uint64_t> RemoteStore::erase_tag(std::string_view tag) { return erase_crawl(impl_->backend(), tag); }
Result<uint64_t> RemoteStore::expire(int64_t before) {
  NEARDUP_ASSIGN(const std::vector<uint64_t> numbers, numbers_before(impl_->backend(), before));
  return erase_numbers(impl_->backend(), numbers, [&](const StoredRecords& records, const StoredEntry& entry) {
    return records.sees_entry({}, entry);
  });
}
Result<bool> RemoteStore::begin_tag(std::string_view tag) { return begin_crawl(impl_->backend(), tag); }
Result<bool> RemoteStore::commit_tag(std::string_view tag) { return end_crawl(impl_->backend(), tag, true); }
Result<bool> RemoteStore::cancel_tag(std::string_view tag) { return end_crawl(impl_->backend(), tag, false); }

Result<bool> RemoteStore::find(std::string_view id, const Visitor& visit) const {
  return find_id(impl_->backend(), id, visit);
}
Result<bool> RemoteStore::find_number(uint64_t number, const Visitor& visit) const {
  return remote::find_number(impl_->backend(), number, visit);
}
Result<std::optional<uint64_t>> RemoteStore::for_each(uint64_t first, size_t limit, const Visitor& visit) const {
  const auto show = [&](const Record& record, bool) { visit(record); };
  return visit_documents(impl_->backend(), first, limit, show, false);
}
Result<std::optional<uint64_t>> RemoteStore::for_each_to_copy(uint64_t first, size_t limit,
                                                              const CopyVisitor& visit) const {
  return visit_documents(impl_->backend(), first, limit, visit, true);
}
Status RemoteStore::restore(std::span<const Record> documents) { return impl_->restore(documents); }
Status RemoteStore::set_copied_into(bool is_so) { return remote::set_copied_into(impl_->backend(), is_so); }
Result<std::vector<store::Member>> RemoteStore::duplicates_of(std::string_view id, uint64_t first, size_t limit) const {
  return members_of(impl_->backend(), id, first, limit);
}
Result<std::vector<store::TagCount>> RemoteStore::tags() const { return count_tags(impl_->backend()); }

Result<store::Statistics> RemoteStore::statistics() const {
  NEARDUP_ASSIGN(BackendFigures figures, impl_->backend().figures());
  NEARDUP_ASSIGN(const Found found, impl_->backend().look_up({}));
  NEARDUP_ASSIGN(const Crawls crawls, Crawls::parse(found.shared));
  store::Statistics statistics;
  statistics.documents = figures.documents;
  statistics.duplicates = figures.duplicates;
  statistics.erased = figures.erased;
  statistics.next_number = figures.next_number;
  statistics.open_tags = crawls.open().size();
  statistics.disk_bytes = figures.disk_bytes;
  statistics.memory_bytes = figures.memory_bytes;
  statistics.facts = std::move(figures.facts);
  statistics.facts.push_back({"conflicts", std::to_string(impl_->arrivals().num_conflicts())});
  statistics.facts.push_back({"retries", std::to_string(impl_->arrivals().num_retries())});
  return statistics;
}

Result<store::StoreCheck> RemoteStore::check_whole(const Context& context) const {
  return check_lists(impl_->backend(), context);
}

// With the files that the store was given. Where it fails nothing is left of what was made.
Status RemoteStore::snapshot(const std::string& folder) {
  NEARDUP_ASSIGN(const std::vector<store::GivenFile> files, files_to_copy(*this));
  store::StoreSettings own = settings();
  own.files = {};
  store::StoreOptions options;
  options.copied_into = true;
  NEARDUP_ASSIGN(auto copy, store::EmbeddedStore::create(folder, std::move(own), options, files));
  Status copied = copy_documents(*this, *copy);
  if (copied) copied = copy->checkpoint();
  copy.reset();
  if (!copied) remove_all_quietly(folder);
  return copied;
}

}  // namespace neardup::remote
