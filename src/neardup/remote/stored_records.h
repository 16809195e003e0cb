// StoredRecords: documents of a server that were read for one call, and who sees them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "neardup/remote/backend.h"
#include "neardup/remote/crawls.h"
#include "neardup/remote/stored_bytes.h"
#include "neardup/store/stored_view.h"

namespace neardup::remote {

/// A document that is there, and not of a crawl that was cancelled.
struct StoredEntry {
  store::Record record;
  const Standing* standing = nullptr;
  bool is_erased = false;  // by what comes before in the same call
};

/// Reads what it is not told beforehand when it is asked for. Threads: one at a time.
class StoredRecords : public store::StoredView {
 public:
  /// The backend must outlive it.
  explicit StoredRecords(Backend& backend) : backend_(backend) {}

  /// What is open; before all else.
  [[nodiscard]] Status set_shared(std::string_view shared);
  [[nodiscard]] const Crawls& crawls() const { return crawls_; }

  /// Reads those that it does not have yet, in one exchange.
  [[nodiscard]] Status fetch(std::span<const uint64_t> numbers) const;
  /// Returns whether a document is there and found under a key. Requires: it was read.
  [[nodiscard]] bool has_key(uint64_t number, uint64_t key) const;
  /// Leaves out of what was found under each key those that were read and do not have it, or are not there: what is
  /// answered must not depend on how many bits of a key a server keeps. From each list's `num_sure` on are numbers that
  /// were not read. Who is left out everywhere makes the two below read nothing.
  void sift(std::span<const uint64_t> keys, Found& found, std::vector<size_t>& num_sure) const;
  /// The same of the documents that repeated ones repeat, among those that it has.
  [[nodiscard]] Status fetch_kept() const;
  /// Looks up, where that decides who is seen, who has the ids of those that it has, and reads these.
  [[nodiscard]] Status fetch_same_ids(bool has_open_tag) const;

  /// Tells it what is under the key of an id.
  void cache_ids(uint64_t key, std::span<const uint64_t> numbers) const;

  /// What is likely to be asked for next, ascending: read together with one of them that is not there yet. It must
  /// outlive what asks.
  void set_upcoming(std::span<const uint64_t> numbers) const { upcoming_ = numbers; }

  /// Returns a document; null where it is not there. Valid as long as this.
  [[nodiscard]] virtual Result<StoredEntry*> at(uint64_t number) const;
  /// Returns the open crawl that a document is in; 0: none.
  [[nodiscard]] uint64_t open_scope_of(const Standing& standing) const {
    return crawls_.is_open(standing.scope) ? standing.scope : 0;
  }

  [[nodiscard]] Result<bool> read(uint64_t number, store::HeldRecord& held) const override;
  [[nodiscard]] Result<bool> read_candidate(uint64_t number, std::string_view tag,
                                            store::HeldRecord& held) const override;
  [[nodiscard]] Result<bool> sees(std::string_view tag, uint64_t number) const override;
  [[nodiscard]] Result<std::vector<uint64_t>> kept_whole(const std::vector<uint64_t>& numbers) const override;
  /// Returns whether one that comes with `tag` sees it.
  [[nodiscard]] Result<bool> sees_entry(std::string_view tag, const StoredEntry& entry) const;

 protected:
  /// Returns the numbers under the key of an id, if they are known.
  [[nodiscard]] virtual const std::vector<uint64_t>* known_with_id(uint64_t key) const;
  [[nodiscard]] Backend& backend() const { return backend_; }
  /// Returns one that at() returned before, erased meanwhile or not.
  [[nodiscard]] const StoredEntry& known(uint64_t number) const { return held_.at(number)->entry; }

 private:
  struct Held {
    StoredDocumentBytes bytes;
    StoredEntry entry;
    bool is_there = false;
    bool should_erase = true;            // it was not left out of all lists
    mutable std::vector<uint64_t> keys;  // under which it is found, ascending; made when one is asked for
  };
  [[nodiscard]] Result<Held*> held(uint64_t number) const;
  [[nodiscard]] Status fetch_from(uint64_t number) const;
  [[nodiscard]] Result<bool> is_superseded(uint64_t own, const StoredEntry& entry) const;

  Backend& backend_;
  Crawls crawls_;
  mutable std::unordered_map<uint64_t, std::unique_ptr<Held>> held_;
  mutable std::unordered_map<uint64_t, std::vector<uint64_t>> with_id_;
  mutable std::span<const uint64_t> upcoming_;
};

}  // namespace neardup::remote
