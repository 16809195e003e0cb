#include "neardup/store/store_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "neardup/store/candidates.h"

namespace neardup::store {

StoreState::StoreState(std::unique_ptr<bands::KeyIndex> keys, std::unique_ptr<FingerprintIndex> index)
    : keys_(std::move(keys)), index_(std::move(index)) {
  open_.emplace_back();
}

// The record first: who finds the number reads it. It counts (end_) once nothing of the row can be refused any more.
Status StoreState::add(const Record& document, std::span<const uint64_t> keys, std::string logged) {
  {
    const std::lock_guard lock(mutex_);
    OpenLog& log = open_.back();
    erased_.make_room(document.number);
    if (document.fate.kind != Kind::kNew) duplicates_.make_room(document.number);
    log.records.resize(document.number - log.first + 1);
    log.facts.add(document.number, document.time, document.tag);
    tags_.add(document.tag, document.number);
    log.size_bytes += logged.capacity();
    log.records.back() = std::move(logged);
    if (document.fate.kind != Kind::kNew) duplicates_.add(document.number);
    end_ = document.number + 1;
  }
  if (!document.fingerprints.empty()) NEARDUP_TRY(index_->add(document.number, document.fingerprints));
  if (keys_->is_full(keys.size(), document.number)) keys_->freeze(keys.size(), document.number);
  keys_->add(document.number, keys);
  return {};
}

void StoreState::make_room(uint64_t number) {
  const std::lock_guard lock(mutex_);
  erased_.make_room(number);
}

void StoreState::erase(std::span<const uint64_t> numbers) {
  const std::lock_guard lock(mutex_);
  for (const uint64_t number : numbers) erased_.make_room(number);
  for (const uint64_t number : numbers) erase_locked(number);
}

void StoreState::leave_out(uint64_t first, uint64_t end) {
  const std::lock_guard lock(mutex_);
  erased_.add_range(first, end);
}

bool StoreState::begin_at(uint64_t first) {
  const std::lock_guard lock(mutex_);
  OpenLog& log = open_.back();
  if (!log.records.empty()) return false;
  log.first = first;
  log.facts = DocumentFacts(first);
  return true;
}

// Requires that there is room for it.
void StoreState::erase_locked(uint64_t number) noexcept {
  if (duplicates_.contains(number) && !erased_.contains(number)) ++erased_duplicates_;
  erased_.add(number);
}

void StoreState::restore(std::span<const uint64_t> numbers) noexcept {
  const std::lock_guard lock(mutex_);
  for (const uint64_t number : numbers) {
    if (duplicates_.contains(number) && erased_.contains(number)) --erased_duplicates_;
    erased_.remove(number);
  }
  if (!numbers.empty()) ++shifts_;
}

// Each step is noted before it is made.
void StoreState::take_place(const Record& document, std::span<const uint64_t> same_id, Replacement& replacement) {
  if (same_id.empty()) return;
  const std::lock_guard lock(mutex_);
  const std::string* own = tags_.tag_of(document.number);
  const auto at_commit = [&](const std::string* tag, uint64_t number) {
    if (tag == nullptr || tags_.find(*tag)->superseded.contains(number)) return;
    replacement.at_commit.emplace_back(*tag, number);
    tags_.supersede(*tag, number);
  };
  for (const uint64_t number : same_id) {
    if (erased_.contains(number)) continue;
    const std::string* other = tags_.tag_of(number);
    if (own == other) {
      replacement.erased.push_back(number);
      erased_.make_room(number);
      erase_locked(number);
      continue;
    }
    at_commit(own, number);
    at_commit(other, document.number);
  }
}

void StoreState::take_back(const Replacement& replacement) noexcept {
  restore(replacement.erased);
  const std::lock_guard lock(mutex_);
  ++shifts_;
  for (const auto& [tag, number] : replacement.at_commit) tags_.forget_superseded(tag, number);
}

bool StoreState::is_live(uint64_t number) const {
  const std::shared_lock lock(mutex_);
  return !erased_.contains(number);
}

bool StoreState::is_seen(uint64_t number, std::string_view tag) const {
  const std::shared_lock lock(mutex_);
  return is_live_locked(number) && tags_.sees(tag, number);
}

bool StoreState::sees_all(std::span<const uint64_t> numbers, std::string_view tag) const {
  const std::shared_lock lock(mutex_);
  return std::ranges::all_of(numbers,
                             [&](uint64_t number) { return is_live_locked(number) && tags_.sees(tag, number); });
}

// Those that are not erased, each once, ascending. Segments may hold fingerprints of documents that a crash took: their
// numbers are beyond the last one, or another document's by now.
void StoreState::keep_live(std::span<std::vector<uint64_t>* const> lists) const {
  for (std::vector<uint64_t>* list : lists) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  const std::shared_lock lock(mutex_);
  const auto is_gone = [this](uint64_t number) { return number >= end_ || erased_.contains(number); };
  for (std::vector<uint64_t>* list : lists) std::erase_if(*list, is_gone);
}

void StoreState::keep_seen(std::vector<uint64_t>& numbers, std::string_view tag) const {
  std::vector<uint64_t>* const list = &numbers;
  keep_live({&list, 1});
  const std::shared_lock lock(mutex_);
  std::erase_if(numbers, [&](uint64_t number) { return !tags_.sees(tag, number); });
}

std::vector<uint64_t> StoreState::numbers_of(uint64_t key) const {
  std::vector<uint64_t> numbers;
  keys_->view().find({&key, 1}, numbers);
  return numbers;
}

StateStamp StoreState::stamp() const {
  StateStamp stamp{keys_->view(), 0, 0};
  stamp.end = stamp.keys.end();  // keys are the last that is added of a document
  const std::shared_lock lock(mutex_);
  stamp.shifts = shifts_;
  return stamp;
}

bool StoreState::may_have_come_since(const StateStamp& stamp, std::span<const uint64_t> keys) const {
  {
    const std::shared_lock lock(mutex_);
    if (shifts_ != stamp.shifts) return true;
  }
  std::vector<uint64_t> numbers;
  keys_->view().find_since(stamp.keys, keys, numbers);
  return !numbers.empty();
}

Result<std::vector<uint64_t>> StoreState::find_ids(std::string_view id) const {
  std::vector<uint64_t> numbers = numbers_of(id_key(id)), found;
  std::vector<uint64_t>* const list = &numbers;
  keep_live({&list, 1});
  HeldRecord held;
  for (const uint64_t number : numbers) {
    NEARDUP_ASSIGN(const bool is_there, read(number, held));
    if (is_there && held->id == id) found.push_back(number);
  }
  return found;
}

Result<std::optional<uint64_t>> StoreState::find_id(std::string_view id, std::string_view tag) const {
  NEARDUP_ASSIGN(const std::vector<uint64_t> numbers, find_ids(id));
  for (const uint64_t number : numbers)
    if (is_seen(number, tag)) return std::optional(number);
  return std::optional<uint64_t>();
}

Result<std::vector<uint64_t>> StoreState::find_tag(std::string_view tag) const {
  std::vector<uint64_t> numbers = numbers_of(tag_key(tag)), found;
  std::sort(numbers.begin(), numbers.end());
  HeldRecord held;
  for (const uint64_t number : numbers) {
    NEARDUP_ASSIGN(const bool is_there, read(number, held));
    if (is_there && held->tag == tag) found.push_back(number);
  }
  return found;
}

std::vector<uint64_t> StoreState::find_duplicates(uint64_t kept, uint64_t first, size_t limit) const {
  return keys_->view().find_from(kept_key(kept), first, limit);
}

// All copies of a text would be looked at for each that comes, so few are found by it. An exact copy never decides what
// becomes of the next one: whoever may follow it sees the document that it repeats, which came before and has the same
// text. Of those that are near another one the first that is there decides; some more are kept for when it goes, and
// where all of these are gone the text is compared again.
std::vector<uint64_t> StoreState::keys_to_add(const Record& document) const {
  if (document.fate.kind == Kind::kExact) return keys_of_stored(document, ByText::kNo);
  if (document.fate.kind == Kind::kNew) return keys_of_stored(document, ByText::kYes);
  std::vector<uint64_t> equal = numbers_of(DocumentKeys({&document, 1}).text(0));
  keep_seen(equal, document.tag);
  return keys_of_stored(document, equal.size() < kMostFoundByText ? ByText::kYes : ByText::kNo);
}

// Requires mutex_.
std::shared_ptr<const RecordFile> StoreState::file_of(uint64_t number) const {
  const auto after = std::upper_bound(files_.begin(), files_.end(), number,
                                      [](uint64_t n, const auto& other) { return n < other->first(); });
  return after == files_.begin() ? nullptr : *(after - 1);
}

Result<bool> StoreState::read_bytes(uint64_t number, std::string& bytes) const {
  std::shared_ptr<const RecordFile> file;
  {
    const std::shared_lock lock(mutex_);
    for (size_t i = open_.size(); i-- > 0;) {
      const OpenLog& log = open_[i];
      if (number < log.first) continue;
      if (number - log.first >= log.records.size()) break;
      bytes = log.records[number - log.first];
      return true;
    }
    file = file_of(number);
  }
  const bool is_in_file = file != nullptr && number < file->end() && file->has(number);
  if (!is_in_file && !is_live(number)) return false;
  if (file != nullptr) {
    NEARDUP_TRY(file->read(number, bytes));
    return true;
  }
  return fail(Code::kCorruption, fmt::format("document {} has no record", number));
}

Result<bool> StoreState::read(uint64_t number, HeldRecord& held) const {
  NEARDUP_ASSIGN(const bool is_there, read_bytes(number, held.bytes_));
  if (!is_there) return false;
  const auto change = held.reader_.read(held.bytes_);
  if (!change || !change->document || change->document->number != number) {
    const std::shared_lock lock(mutex_);
    const auto file = file_of(number);
    if (file != nullptr && number < file->end()) return file->damaged(number);
    return fail(Code::kCorruption, fmt::format("document {} has the record of another one", number));
  }
  held.record_ = *change->document;
  return true;
}

void StoreState::replace_files(std::span<const std::shared_ptr<const RecordFile>> from,
                               std::shared_ptr<const RecordFile> file) {
  const std::lock_guard lock(mutex_);
  const auto first = std::ranges::find(files_, from.front());
  *first = std::move(file);
  files_.erase(first + 1, first + static_cast<std::ptrdiff_t>(from.size()));
}

std::vector<std::shared_ptr<const RecordFile>> StoreState::files() const {
  const std::shared_lock lock(mutex_);
  return files_;
}

void StoreState::add_file(std::shared_ptr<const RecordFile> file) {
  const std::lock_guard lock(mutex_);
  for (const uint64_t i : file->places().places.marked()) duplicates_.add(file->first() + i);
  open_.back().first = end_ = file->end();
  open_.back().facts = DocumentFacts(end_);
  files_.push_back(std::move(file));
}

void StoreState::begin_log(uint64_t first) {
  const std::lock_guard lock(mutex_);
  open_.push_back({first, {}, 0, DocumentFacts(first)});
  erased_.settle();  // nothing of the log before is taken back any more
  duplicates_.settle();
}

void StoreState::take_back_log() noexcept {
  const std::lock_guard lock(mutex_);
  open_.pop_back();
}

void StoreState::close_log(std::shared_ptr<const RecordFile> file) {
  const std::lock_guard lock(mutex_);
  files_.push_back(std::move(file));
  open_.erase(open_.begin());
}

NumberSet StoreState::erased() const {
  const std::shared_lock lock(mutex_);
  return erased_;
}

uint64_t StoreState::num_erased() const {
  const std::shared_lock lock(mutex_);
  return erased_.size();
}

void StoreState::set_erased(NumberSet erased) {
  const std::lock_guard lock(mutex_);
  erased_ = std::move(erased);
  erased_.settle();
  erased_duplicates_ = erased_.count_common(duplicates_);
}

uint64_t StoreState::num_duplicates() const {
  const std::shared_lock lock(mutex_);
  return duplicates_.size() - erased_duplicates_;
}

size_t StoreState::num_files() const {
  const std::shared_lock lock(mutex_);
  return files_.size();
}

uint64_t StoreState::size_bytes() const {
  const UpdateFigures figures = index_->figures();
  uint64_t bytes = keys_->view().size_bytes() + figures.mem_bytes + figures.sealed_bytes;
  const std::shared_lock lock(mutex_);
  for (const auto& file : files_) bytes += file->places().places.size_bytes();
  for (const OpenLog& log : open_) bytes += log.size_bytes + log.records.capacity() * sizeof(std::string);
  return bytes + erased_.size_bytes() + duplicates_.size_bytes();
}

}  // namespace neardup::store
