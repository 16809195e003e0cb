// RedisStore: what the parts of a RedisBackend share: connections, the layout, and what look-ups saw.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "neardup/remote/backend.h"
#include "neardup/remote/redis/connection.h"
#include "neardup/remote/redis/exchange.h"
#include "neardup/remote/redis/layout.h"
#include "neardup/remote/redis/list_id.h"
#include "neardup/remote/redis/packed_list.h"
#include "neardup/remote/redis/store_identity.h"

namespace neardup::remote::redis {

/// The epoch of a store, which grows where a list was written anew or what is shared changed, by chance where the
/// server was started again, and the greatest page of a number that may stand anywhere, in one number.
struct State {
  uint64_t value = 0;
  [[nodiscard]] uint64_t most_page() const { return value % kEpochStep; }
};

/// How long a list was: bytes, members of a set.
struct ListState {
  uint32_t length = 0;
  uint32_t page = 0;  // behind its last entry
  bool is_known = true;
};

struct RedisSeen : Seen {
  State state;
  uint64_t run = 0;  // of the server
  ListTable lists;
  std::vector<ListState> states;  // of each
  // Of sets alone: their members, by list, and by a fingerprint's key the lists of those keys that were near it.
  std::vector<std::vector<uint64_t>> members;
  std::unordered_map<uint64_t, std::vector<uint32_t>> near_lists;
};

/// Own lists that are known to be: they never go, as long as the server does not come back without them. Threads: any.
class OwnLists {
 public:
  /// `value`: ListId::value; `run`: of the server, in which it was seen.
  [[nodiscard]] bool has(uint64_t run, uint64_t value) const {
    const std::lock_guard lock(mutex_);
    return run == run_ && values_.contains(value);
  }
  void add(uint64_t run, uint64_t value) {
    const std::lock_guard lock(mutex_);
    if (run != run_) values_.clear();
    run_ = run;
    values_.insert(value);
  }

 private:
  mutable std::mutex mutex_;
  uint64_t run_ = 0;
  std::set<uint64_t> values_;
};

/// Threads: any.
struct RedisStore {
  RedisStore(const RemoteUri& uri, const RemoteOptions& options, store::StoreSettings of, const LayoutNumbers& numbers,
             uint64_t store_id)
      : settings(std::move(of)),
        layout(settings, numbers),
        names(uri.name, layout),
        id(store_id),
        runs(uri.name, store_id),
        pool(uri, options) {
    pool.set_on_connect(
        [this](Connection& connection, bool& is_transient) { return runs.meet(connection, pool.uri(), is_transient); });
  }

  store::StoreSettings settings;
  Layout layout;
  KeyNames names;
  uint64_t id;
  RunWatch runs;
  ConnectionPool pool;
  OwnLists own_lists;

  [[nodiscard]] ListId key_list(uint64_t key) const { return {ListKind::kKeys, 0, layout.key_bucket(key)}; }
  /// That of one key, or of all that differ in bits which are not kept.
  [[nodiscard]] ListId own_list(uint64_t key) const {
    return own_list_of(layout.key_bucket(key), layout.key_value(key));
  }
  [[nodiscard]] ListId own_list_of(uint64_t bucket, uint64_t value) const {
    return {ListKind::kOwn, 0, bucket << 8 * layout.numbers().key_value_bytes | value};
  }
  [[nodiscard]] ListId table_list(Wide fingerprint, size_t place, size_t table) const {
    return {ListKind::kTable, static_cast<uint16_t>(place * layout.tables().size() + table),
            static_cast<uint64_t>(layout.tables()[table].bucket.gather(fingerprint))};
  }
  [[nodiscard]] PackedList key_entries(std::string_view bytes) const {
    return {bytes, layout.numbers().key_value_bytes, true};
  }
  [[nodiscard]] PackedList table_entries(std::string_view bytes, size_t table) const {
    return {bytes, layout.tables()[table].value_bytes, table == 0};
  }
  [[nodiscard]] tl::unexpected<Error> damaged(std::string_view key, std::string_view what) const;
  [[nodiscard]] Result<State> state_of(std::string_view text) const;
  /// Of the value of {P}i. Errors: kIo where the store is there no more, or another one is; kCorruption.
  [[nodiscard]] Result<StoreIdentity> identity_of(std::string_view text) const;
  /// Of the value of {P}n. Errors: kCorruption where it is none that a store gives.
  [[nodiscard]] Result<uint64_t> next_number_of(std::string_view text) const;
  /// Whether a list is too long to be asked for by those who do not want its longest key.
  static constexpr size_t kLongListBytes = size_t{64} << 10;
};

/// The members of Backend, each in a source of its own.
[[nodiscard]] Result<Found> look_up(RedisStore& store, const Question& question);
[[nodiscard]] Result<std::vector<bool>> commit(RedisStore& store, const RedisSeen& seen,
                                               std::span<const Change> changes);
[[nodiscard]] Result<std::vector<std::string>> read_records(RedisStore& store, std::span<const uint64_t> numbers);
[[nodiscard]] Result<std::vector<uint64_t>> numbers_from(RedisStore& store, uint64_t first, size_t limit);
[[nodiscard]] Status compact(RedisStore& store);
[[nodiscard]] Result<BackendFigures> figures(RedisStore& store);
/// Gives the longest key of a list a list of its own, where it has many; nothing where others changed the list.
[[nodiscard]] Status split_list(RedisStore& store, State state, const ListId& id, std::string_view bytes);

/// Gets the texts of keys, in order, empty where there is none, in several exchanges where they are many. Errors:
/// kIo where the store is there no more, or another one is.
[[nodiscard]] Result<std::vector<std::string>> get_all(RedisStore& store, std::span<const std::string> keys);

}  // namespace neardup::remote::redis
