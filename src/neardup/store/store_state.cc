#include "neardup/store/store_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "neardup/base/hash.h"

namespace neardup::store {
namespace {

using fingerprint::Fingerprint;

// Keys of different kinds share one index; of one kind they differ by category, so that nothing of another is found.
enum Salt : uint64_t { kIdSalt = 0x6964, kTagSalt = 0x746167, kTextSalt = 0x74657874, kBandSalt = 0x62616e64 };

uint64_t id_key(std::string_view id) { return hash64(id, kIdSalt); }
uint64_t tag_key(std::string_view tag) { return hash64(tag, kTagSalt); }
uint64_t text_key(const Record& document) { return mix64(document.checksum.low ^ hash64(document.within, kTextSalt)); }
std::vector<uint64_t> band_keys(const Record& document) {
  std::vector<uint64_t> keys;
  const uint64_t salt = hash64(document.within, kBandSalt);
  for (const uint64_t key : document.keys) keys.push_back(mix64(key ^ salt));
  return keys;
}

// All by which a document is found.
std::vector<uint64_t> all_keys(const Record& document) {
  std::vector<uint64_t> keys = band_keys(document);
  keys.push_back(id_key(document.id));
  keys.push_back(text_key(document));
  if (!document.tag.empty()) keys.push_back(tag_key(document.tag));
  return keys;
}

}  // namespace

StoreState::StoreState(uint32_t num_fingerprints, int max_distance, std::unique_ptr<bands::KeyIndex> keys,
                       std::unique_ptr<UpdatableIndex<Fingerprint>> index)
    : num_fingerprints_(num_fingerprints),
      max_distance_(max_distance),
      keys_(std::move(keys)),
      index_(std::move(index)) {
  open_.emplace_back();
}

// The record first: who finds the number reads it.
Status StoreState::add(const Record& document, std::string logged) {
  {
    const std::lock_guard lock(mutex_);
    OpenLog& log = open_.back();
    log.records.resize(document.number - log.first);
    log.records.push_back(std::move(logged));
    end_ = document.number + 1;
  }
  if (!document.fingerprints.empty()) {
    std::vector<uint64_t> payloads;
    for (uint32_t which = 0; which < num_fingerprints_; ++which)
      payloads.push_back(document.number * num_fingerprints_ + which);
    NEARDUP_TRY(index_->insert(document.fingerprints, payloads));
  }
  const std::vector<uint64_t> keys = all_keys(document);
  if (keys_->is_full(keys.size())) keys_->freeze();
  keys_->add(document.number, keys);
  return {};
}

void StoreState::erase(std::span<const uint64_t> numbers) {
  const std::lock_guard lock(mutex_);
  for (const uint64_t number : numbers) erased_.add(number);
}

void StoreState::restore(std::span<const uint64_t> numbers) {
  const std::lock_guard lock(mutex_);
  for (const uint64_t number : numbers) erased_.remove(number);
}

bool StoreState::is_live(uint64_t number) const {
  const std::shared_lock lock(mutex_);
  return !erased_.contains(number);
}

// Those that are not erased, each once, ascending. Segments may hold fingerprints of documents that a crash took: their
// numbers are beyond the last one, or another document's by now.
void StoreState::keep_live(std::vector<uint64_t>& numbers) const {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  const std::shared_lock lock(mutex_);
  std::erase_if(numbers, [this](uint64_t number) { return number >= end_ || erased_.contains(number); });
}

std::vector<uint64_t> StoreState::numbers_of(std::span<const uint64_t> keys) const {
  std::vector<uint64_t> numbers;
  keys_->view().find(keys, numbers);
  keep_live(numbers);
  return numbers;
}

Result<std::optional<uint64_t>> StoreState::find_id(std::string_view id) const {
  const uint64_t key = id_key(id);
  HeldRecord held;
  for (const uint64_t number : numbers_of({&key, 1})) {
    NEARDUP_TRY(read(number, held));
    if (held->id == id) return std::optional(number);
  }
  return std::optional<uint64_t>();
}

Result<std::vector<uint64_t>> StoreState::find_tag(std::string_view tag) const {
  const uint64_t key = tag_key(tag);
  std::vector<uint64_t> found;
  HeldRecord held;
  for (const uint64_t number : numbers_of({&key, 1})) {
    NEARDUP_TRY(read(number, held));
    if (held->tag == tag) found.push_back(number);
  }
  return found;
}

std::vector<uint64_t> StoreState::find_equal(const Record& document) const {
  const uint64_t key = text_key(document);
  return numbers_of({&key, 1});
}

std::vector<uint64_t> StoreState::find_near(const Record& document) const {
  std::vector<uint64_t> numbers;
  keys_->view().find(band_keys(document), numbers);
  add_within_reach(document, numbers);
  keep_live(numbers);
  return numbers;
}

// Fingerprints are compared with those of the same place alone.
void StoreState::add_within_reach(const Record& document, std::vector<uint64_t>& numbers) const {
  if (document.fingerprints.empty()) return;
  const View<Fingerprint> view = index_->view();
  std::vector<hamming::Match<Fingerprint>> matches;
  for (size_t which = 0; which < document.fingerprints.size(); ++which) {
    matches.clear();
    view.query(document.fingerprints[which], max_distance_, matches);
    for (const auto& match : matches)
      if (match.document % num_fingerprints_ == which) numbers.push_back(match.document / num_fingerprints_);
  }
}

Status StoreState::read_bytes(uint64_t number, std::string& bytes) const {
  std::shared_ptr<const RecordFile> file;
  {
    const std::shared_lock lock(mutex_);
    for (size_t i = open_.size(); i-- > 0;) {
      const OpenLog& log = open_[i];
      if (number < log.first) continue;
      if (number - log.first >= log.records.size()) break;
      bytes = log.records[number - log.first];
      return {};
    }
    const auto after = std::upper_bound(files_.begin(), files_.end(), number,
                                        [](uint64_t n, const auto& other) { return n < other->first(); });
    if (after != files_.begin()) file = *(after - 1);
  }
  if (file != nullptr) return file->read(number, bytes);
  return fail(Code::kCorruption, fmt::format("document {} has no record", number));
}

Status StoreState::read(uint64_t number, HeldRecord& held) const {
  NEARDUP_TRY(read_bytes(number, held.bytes_));
  NEARDUP_ASSIGN(const Change change, held.reader_.read(held.bytes_));
  if (!change.document || change.document->number != number)
    return fail(Code::kCorruption, fmt::format("document {} has the record of another one", number));
  held.record_ = *change.document;
  return {};
}

void StoreState::add_file(std::shared_ptr<const RecordFile> file) {
  const std::lock_guard lock(mutex_);
  open_.back().first = end_ = file->end();
  files_.push_back(std::move(file));
}

void StoreState::begin_log(uint64_t first) {
  const std::lock_guard lock(mutex_);
  open_.push_back({first, {}});
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

void StoreState::set_erased(NumberSet erased) {
  const std::lock_guard lock(mutex_);
  erased_ = std::move(erased);
}

uint64_t StoreState::size_bytes() const {
  const UpdateFigures figures = index_->view().figures();
  return keys_->view().size_bytes() + figures.mem_bytes + figures.sealed_bytes;
}

}  // namespace neardup::store
