// What is asked of a store's state beyond its records: documents in order, their times and tags, and open tags.
#include <mutex>

#include "neardup/store/store_state.h"

namespace neardup::store {

std::vector<uint64_t> StoreState::numbers_from(uint64_t first, size_t limit) const {
  std::vector<uint64_t> numbers;
  const std::shared_lock lock(mutex_);
  for (uint64_t number = erased_.next_absent(first); number < end_ && numbers.size() < limit;
       number = erased_.next_absent(number + 1))
    if (tags_.tag_of(number) == nullptr) numbers.push_back(number);
  return numbers;
}

std::vector<StoreState::LiveNumber> StoreState::live_from(uint64_t first, size_t limit) const {
  std::vector<LiveNumber> numbers;
  const std::shared_lock lock(mutex_);
  for (uint64_t number = erased_.next_absent(first); number < end_ && numbers.size() < limit;
       number = erased_.next_absent(number + 1))
    numbers.push_back({number, tags_.tag_of(number) != nullptr});
  return numbers;
}

Status StoreState::for_each_facts(std::optional<int64_t> before,
                                  const std::function<Status(const DocumentFacts&)>& visit) const {
  std::vector<std::shared_ptr<const RecordFile>> files;
  std::vector<DocumentFacts> open;
  {
    const std::shared_lock lock(mutex_);
    files = files_;
    for (const OpenLog& log : open_)
      if (!before || log.facts.oldest() < *before) open.push_back(log.facts);
  }
  for (const auto& file : files) {
    if (before && file->facts().oldest >= *before) continue;
    NEARDUP_ASSIGN(const DocumentFacts facts, file->read_facts());
    NEARDUP_TRY(visit(facts));
  }
  for (const DocumentFacts& facts : open) NEARDUP_TRY(visit(facts));
  return {};
}

std::vector<uint64_t> StoreState::with_fingerprints(const std::vector<uint64_t>& documents) const {
  std::vector<uint64_t> numbers;
  const std::shared_lock lock(mutex_);
  for (const uint64_t document : documents)
    if (!duplicates_.contains(document)) numbers.push_back(document);
  return numbers;
}

void StoreState::open_tag(std::string_view tag) {
  const std::lock_guard lock(mutex_);
  ++shifts_;
  if (tags_.find(tag) == nullptr) tags_.open(tag, end_);
}

OpenTags::Closed StoreState::close_tag(std::string_view tag) noexcept {
  const std::lock_guard lock(mutex_);
  ++shifts_;
  return tags_.close(tag);
}

void StoreState::reopen_tag(OpenTags::Closed tag) noexcept {
  const std::lock_guard lock(mutex_);
  ++shifts_;
  tags_.reopen(std::move(tag));
}

OpenTags StoreState::open_tags() const {
  const std::shared_lock lock(mutex_);
  return tags_;
}

void StoreState::set_open_tags(OpenTags tags) {
  const std::lock_guard lock(mutex_);
  tags_ = std::move(tags);
}

bool StoreState::is_open(std::string_view tag) const {
  const std::shared_lock lock(mutex_);
  return tags_.find(tag) != nullptr;
}

size_t StoreState::num_open_tags() const {
  const std::shared_lock lock(mutex_);
  return tags_.size();
}

std::vector<uint64_t> StoreState::documents_of(std::string_view tag) const {
  const std::shared_lock lock(mutex_);
  const OpenTags::Tag* content = tags_.find(tag);
  if (content == nullptr) return {};
  std::vector<uint64_t> numbers = content->numbers();
  std::erase_if(numbers, [this](uint64_t number) { return !is_live_locked(number); });
  return numbers;
}

std::vector<uint64_t> StoreState::superseded_by(std::string_view tag) const {
  const std::shared_lock lock(mutex_);
  const OpenTags::Tag* content = tags_.find(tag);
  if (content == nullptr) return {};
  std::vector<uint64_t> numbers = content->superseded.sorted();
  std::erase_if(numbers,
                [this](uint64_t number) { return !is_live_locked(number) || tags_.tag_of(number) != nullptr; });
  return numbers;
}

}  // namespace neardup::store
