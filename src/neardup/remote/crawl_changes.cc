#include "neardup/remote/crawl_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "neardup/remote/attempts.h"
#include "neardup/remote/crawls.h"
#include "neardup/remote/erasing.h"
#include "neardup/remote/stored_records.h"
#include "neardup/store/document_keys.h"
#include "neardup/store/open_tags.h"

namespace neardup::remote {
namespace {

constexpr size_t kIdsAtOnce = 1000;

Result<Found> look_up_one(Backend& backend, uint64_t key) {
  return backend.look_up({.keys = {&key, 1}, .fingerprints = {}});
}

// Lets `change` change what is shared, which says whether there is anything to change; again where others came first,
// and where nobody knows whether it happened: it is told then.
using ChangeCrawls = std::function<Result<bool>(Crawls& crawls, bool may_have_happened)>;
Status change_crawls(Backend& backend, const ChangeCrawls& change) {
  bool may_have_happened = false;
  for (Attempts attempts;;) {
    NEARDUP_ASSIGN(const Found found,
                   backend.look_up({.keys = {}, .fingerprints = {}, .reserve = 0, .to_commit = true}));
    NEARDUP_ASSIGN(Crawls crawls, Crawls::parse(found.shared));
    NEARDUP_ASSIGN(const bool is_changed, change(crawls, may_have_happened));
    if (!is_changed) return {};
    const std::string bytes = crawls.bytes();
    Change one;
    one.shared = bytes;
    const auto happened = backend.commit(*found.seen, {&one, 1});
    if (!happened) {
      may_have_happened = true;
      if (!attempts.once_more(happened.error())) return tl::unexpected<Error>(happened.error());
    } else {
      if (happened->at(0)) return {};
      NEARDUP_TRY(attempts.after_conflict());
    }
  }
}

// Documents of the crawl itself.
Result<uint64_t> erase_cancelled(Backend& backend, const Crawls::Ended& ended) {
  NEARDUP_ASSIGN(const Found found, look_up_one(backend, store::tag_key(ended.tag)));
  const auto is_meant = [&](const StoredRecords&, const StoredEntry& entry) -> Result<bool> {
    return entry.standing->scope == ended.generation;
  };
  return erase_numbers(backend, found.by_key[0], is_meant, Cancelled::kShown);
}

// Documents whose place those of the crawl take: of the ids that are contested all that nobody sees.
Status erase_superseded(Backend& backend, const Crawls::Ended& ended) {
  NEARDUP_ASSIGN(const Found contested, look_up_one(backend, contested_key(ended.generation)));
  const auto is_meant = [](const StoredRecords& records, const StoredEntry& entry) -> Result<bool> {
    if (records.open_scope_of(*entry.standing) != 0) return false;
    NEARDUP_ASSIGN(const bool is_seen, records.sees_entry({}, entry));
    return !is_seen;
  };
  for (std::span<const uint64_t> left = contested.by_key[0]; !left.empty();) {
    const auto some = left.first(std::min(left.size(), kIdsAtOnce));
    StoredRecords records(backend);
    NEARDUP_TRY(records.fetch(some));
    std::vector<uint64_t> keys, numbers;
    for (const uint64_t number : some) {
      NEARDUP_ASSIGN(const StoredEntry* entry, records.at(number));
      if (entry != nullptr) keys.push_back(store::id_key(entry->record.id));
    }
    NEARDUP_ASSIGN(const Found with_ids, backend.look_up({.keys = keys, .fingerprints = {}}));
    for (size_t i = 0; i < keys.size(); ++i)
      numbers.insert(numbers.end(), with_ids.by_key[i].begin(), with_ids.by_key[i].end());
    sort_distinct(numbers);
    NEARDUP_TRY(erase_numbers(backend, numbers, is_meant));
    left = left.subspan(some.size());
  }
  return {};
}

}  // namespace

Result<bool> begin_crawl(Backend& backend, std::string_view tag) {
  if (tag.empty()) return fail(Code::kInvalidArgument, "a crawl needs a tag that is not empty");
  std::random_device random;
  const uint64_t nonce = uint64_t{random()} << 32 | random();
  bool is_begun = false;
  NEARDUP_TRY(change_crawls(backend, [&](Crawls& crawls, bool) -> Result<bool> {
    const Crawls::Open* open = crawls.find(tag);
    is_begun = open == nullptr || open->nonce == nonce;
    if (open != nullptr) return false;
    if (crawls.open().size() >= store::kMostOpenTags)
      return fail(Code::kInvalidArgument,
                  fmt::format("{} tags are open; commit or cancel one before another is begun", store::kMostOpenTags));
    crawls.begin(tag, nonce);
    return true;
  }));
  return is_begun;
}

Result<bool> end_crawl(Backend& backend, std::string_view tag, bool keeps) {
  uint64_t generation = 0;  // that this call tried to end
  NEARDUP_TRY(change_crawls(backend, [&](Crawls& crawls, bool may_have_happened) -> Result<bool> {
    if (!may_have_happened) generation = 0;
    const uint64_t open = crawls.scope_of(tag);
    if (open == 0 || (generation != 0 && open != generation)) return false;
    generation = open;
    crawls.end(tag, keeps);
    return true;
  }));
  if (generation == 0) return false;
  NEARDUP_TRY(finish_ended_crawls(backend));
  return true;
}

// A tag that is open begins anew.
Result<uint64_t> erase_crawl(Backend& backend, std::string_view tag) {
  std::random_device random;
  uint64_t generation = 0, count = 0;
  NEARDUP_TRY(change_crawls(backend, [&](Crawls& crawls, bool may_have_happened) -> Result<bool> {
    if (!may_have_happened) generation = 0;
    const uint64_t open = crawls.scope_of(tag);
    if (open == 0 || (generation != 0 && open != generation)) return false;
    generation = open;
    crawls.end(tag, false);
    crawls.begin(tag, uint64_t{random()} << 32 | random());
    return true;
  }));
  NEARDUP_ASSIGN(count, finish_ended_crawls(backend, generation));
  NEARDUP_ASSIGN(const Found found, look_up_one(backend, store::tag_key(tag)));
  const auto is_meant = [&](const StoredRecords& records, const StoredEntry& entry) -> Result<bool> {
    return entry.record.tag == tag && records.open_scope_of(*entry.standing) == 0;
  };
  NEARDUP_ASSIGN(const uint64_t others, erase_numbers(backend, found.by_key[0], is_meant));
  return count + others;
}

Result<uint64_t> finish_ended_crawls(Backend& backend, uint64_t generation) {
  uint64_t count = 0;
  while (true) {
    NEARDUP_ASSIGN(const Found found, backend.look_up({}));
    NEARDUP_ASSIGN(const Crawls crawls, Crawls::parse(found.shared));
    if (crawls.ended().empty()) return count;
    const Crawls::Ended first = crawls.ended().front();
    if (first.keeps) {
      NEARDUP_TRY(erase_superseded(backend, first));
    } else {
      NEARDUP_ASSIGN(const uint64_t erased, erase_cancelled(backend, first));
      if (first.generation == generation) count = erased;
    }
    NEARDUP_TRY(change_crawls(backend, [&](Crawls& now, bool) -> Result<bool> {
      const bool is_there =
          std::ranges::find(now.ended(), first.generation, &Crawls::Ended::generation) != now.ended().end();
      now.forget(first.generation);
      return is_there;
    }));
  }
}

}  // namespace neardup::remote
