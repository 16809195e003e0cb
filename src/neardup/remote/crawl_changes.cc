#include "neardup/remote/crawl_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "neardup/remote/attempts.h"
#include "neardup/remote/copy_mark.h"
#include "neardup/remote/crawls.h"
#include "neardup/remote/erasing.h"
#include "neardup/remote/nonce.h"
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
  for (Attempts attempts(backend.connect_limit());;) {
    NEARDUP_ASSIGN(const Found found,
                   backend.look_up({.keys = {}, .fingerprints = {}, .reserve = 0, .to_commit = true}));
    NEARDUP_ASSIGN(Crawls crawls, Crawls::parse(found.shared));
    NEARDUP_ASSIGN(const bool is_changed, change(crawls, may_have_happened));
    if (!is_changed) return {};
    const std::string bytes = crawls.bytes();
    Change one;
    one.shared = bytes;
    attempts.begin();
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

// The end of a tag by this call, and no other one.
class CrawlEnd {
 public:
  CrawlEnd(std::string_view tag, bool keeps) : tag_(tag), keeps_(keeps) {}

  // Ends the tag where it is open, and returns whether it did. Where an end that was sent may have happened its nonce
  // tells; kIo where nothing does, as the crawl is forgotten.
  Result<bool> step(Crawls& crawls, bool may_have_happened) {
    if (!may_have_happened) generation_ = 0;
    const uint64_t open = crawls.scope_of(tag_);
    if (generation_ != 0 && open != generation_) {
      const Crawls::Ended* ended = crawls.find_ended(generation_);
      is_own_ = ended != nullptr && ended->nonce == nonce_;
      if (ended != nullptr) return false;
      return fail(Code::kIo,
                  fmt::format("the connection was lost while the tag '{}' was ended, and it has ended since: "
                              "by this call or by another one, which may have {} it",
                              tag_, keeps_ ? "cancelled" : "committed"));
    }
    is_own_ = open != 0;
    generation_ = open;
    if (is_own_) crawls.end(tag_, keeps_, nonce_);
    return is_own_;
  }
  [[nodiscard]] bool is_own() const { return is_own_; }
  [[nodiscard]] uint64_t generation() const { return generation_; }  // 0: it was not open

 private:
  const std::string_view tag_;
  const bool keeps_;
  const uint64_t nonce_ = new_nonce();
  uint64_t generation_ = 0;
  bool is_own_ = false;
};

// Documents of the crawl itself.
Result<uint64_t> erase_cancelled(Backend& backend, const Crawls::Ended& ended) {
  NEARDUP_ASSIGN(const Found found, look_up_one(backend, store::tag_key(ended.tag)));
  const auto should_erase = [&](const StoredRecords&, const StoredEntry& entry) -> Result<bool> {
    return entry.standing->scope == ended.generation;
  };
  return erase_numbers(backend, found.by_key[0], should_erase, Cancelled::kShown);
}

// Documents whose place those of the crawl take: of the ids that are contested all that nobody sees.
Status erase_superseded(Backend& backend, const Crawls::Ended& ended) {
  NEARDUP_ASSIGN(const Found contested, look_up_one(backend, contested_key(ended.generation)));
  const auto should_erase = [](const StoredRecords& records, const StoredEntry& entry) -> Result<bool> {
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
    NEARDUP_TRY(erase_numbers(backend, numbers, should_erase));
    left = left.subspan(some.size());
  }
  return {};
}

}  // namespace

Status set_copied_into(Backend& backend, bool is_so) {
  return change_crawls(backend, [&](Crawls& crawls, bool) -> Result<bool> {
    if (crawls.is_copied_into() == is_so) return false;
    crawls.set_copied_into(is_so);
    return true;
  });
}

Status check_whole(Backend& backend, std::string_view shown) {
  NEARDUP_ASSIGN(const Found found, backend.look_up({}));
  NEARDUP_ASSIGN(const Crawls crawls, Crawls::parse(found.shared));
  const bool is_to_be = found.shared.empty() && has_copy_mark(backend.settings());
  if (!crawls.is_copied_into() && !is_to_be) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("{}: a copy into it is under way, or was not made to its end; wait for it, or remove it "
                          "(neardup index drop {}) and copy again",
                          shown, shown));
}

Result<bool> begin_crawl(Backend& backend, std::string_view tag) {
  if (tag.empty()) return fail(Code::kInvalidArgument, "a crawl needs a tag that is not empty");
  const uint64_t nonce = new_nonce();
  bool is_begun = false, any_ended = false;
  NEARDUP_TRY(change_crawls(backend, [&](Crawls& crawls, bool) -> Result<bool> {
    any_ended = !crawls.ended().empty();
    const Crawls::Open* open = crawls.find(tag);
    is_begun = open == nullptr || open->nonce == nonce;
    if (open != nullptr) return false;
    if (crawls.open().size() >= store::kMostOpenTags)
      return fail(Code::kInvalidArgument,
                  fmt::format("{} tags are open; commit or cancel one before another is begun", store::kMostOpenTags));
    crawls.begin(tag, nonce);
    return true;
  }));
  if (any_ended) NEARDUP_TRY(finish_ended_crawls(backend));
  return is_begun;
}

Result<bool> end_crawl(Backend& backend, std::string_view tag, bool keeps) {
  CrawlEnd ending(tag, keeps);
  NEARDUP_TRY(change_crawls(
      backend, [&](Crawls& crawls, bool may_have_happened) { return ending.step(crawls, may_have_happened); }));
  if (!ending.is_own()) return false;
  NEARDUP_TRY(finish_ended_crawls(backend));
  return true;
}

// A tag that is open begins anew.
Result<uint64_t> erase_crawl(Backend& backend, std::string_view tag) {
  CrawlEnd ending(tag, false);
  const uint64_t nonce = new_nonce();
  NEARDUP_TRY(change_crawls(backend, [&](Crawls& crawls, bool may_have_happened) -> Result<bool> {
    NEARDUP_ASSIGN(const bool ends, ending.step(crawls, may_have_happened));
    if (ends) crawls.begin(tag, nonce);
    return ends;
  }));
  NEARDUP_ASSIGN(const uint64_t count, finish_ended_crawls(backend, ending.generation()));
  NEARDUP_ASSIGN(const Found found, look_up_one(backend, store::tag_key(tag)));
  const auto should_erase = [&](const StoredRecords& records, const StoredEntry& entry) -> Result<bool> {
    return entry.record.tag == tag && records.open_scope_of(*entry.standing) == 0;
  };
  NEARDUP_ASSIGN(const uint64_t others, erase_numbers(backend, found.by_key[0], should_erase));
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
      const bool is_there = now.find_ended(first.generation) != nullptr;
      now.forget(first.generation);
      return is_there;
    }));
  }
}

}  // namespace neardup::remote
