#include <algorithm>
#include <map>

#include "neardup/base/bytes.h"
#include "neardup/remote/redis/record_group.h"
#include "neardup/remote/redis/redis_store.h"

namespace neardup::remote::redis {
namespace {

constexpr size_t kKeysEach = 256;  // of one exchange

/// Reads records: their groups first, then what stands elsewhere: fingerprints in the first tables, long records.
class RecordReading {
 public:
  RecordReading(RedisStore& store, std::span<const uint64_t> numbers)
      : store_(store), numbers_(numbers), records_(numbers.size()) {}

  Result<std::vector<std::string>> run() {
    NEARDUP_TRY(read_groups());
    NEARDUP_ASSIGN(texts_, get_all(store_, keys_));
    for (size_t i = 0; i < numbers_.size(); ++i) {
      const auto group = groups_.find(numbers_[i] / kGroupSize);
      if (group == groups_.end() || !group->second.is_there[numbers_[i] % kGroupSize]) continue;
      NEARDUP_TRY(take(numbers_[i], group->second.records[numbers_[i] % kGroupSize], records_[i]));
    }
    return std::move(records_);
  }
  /// Whether one was whole but for what stood elsewhere and is not there: it was erased and compacted meanwhile, or the
  /// store is damaged.
  [[nodiscard]] bool is_torn() const { return is_torn_; }

 private:
  Status read_groups() {
    std::map<uint64_t, std::vector<uint64_t>> wanted;
    for (const uint64_t number : numbers_) wanted[number / kGroupSize].push_back(number);
    std::vector<std::string> keys;
    for (const auto& [group, numbers] : wanted) keys.push_back(store_.names.numbered('r', group));
    NEARDUP_ASSIGN(const std::vector<std::string> texts, get_all(store_, keys));
    size_t i = 0;
    for (const auto& [group, numbers] : wanted) {
      const std::string& text = texts[i];
      auto parsed = parse_group(text, store_.layout.homes_bytes());
      if (!parsed) return store_.damaged(keys[i], parsed.error().message);
      ++i;
      for (const uint64_t number : numbers)
        if (parsed->is_there[number % kGroupSize]) want(number, parsed->records[number % kGroupSize]);
      groups_.emplace(group, std::move(*parsed));
    }
    return {};
  }

  void want(uint64_t number, const PieceRecord& record) {
    if (record.is_own) want_key(store_.names.numbered('R', number));
    for (size_t place = 0; record.is_cut && place < store_.layout.num_places(); ++place)
      want_key(store_.names.of(home_of(record, place)));
  }
  void want_key(std::string key) {
    if (places_.emplace(key, keys_.size()).second) keys_.push_back(std::move(key));
  }
  [[nodiscard]] ListId home_of(const PieceRecord& record, size_t place) const {
    return {
        ListKind::kTable, static_cast<uint16_t>(place * store_.layout.tables().size()),
        load_little<uint64_t>(record.homes.data() + place * store_.layout.home_bytes(), store_.layout.home_bytes())};
  }

  Status take(uint64_t number, const PieceRecord& record, std::string& out) {
    if (record.is_own) {
      const std::string key = store_.names.numbered('R', number);
      const std::string& text = texts_[places_.at(key)];
      if (text.empty()) return torn();
      auto own = parse_own_record(text);
      if (!own) return store_.damaged(key, own.error().message);
      out = std::move(*own);
      return {};
    }
    out = record.bytes;
    return record.is_cut ? put_back(number, record, out) : Status();
  }
  Status torn() {
    is_torn_ = true;
    return {};
  }

  Status put_back(uint64_t number, const PieceRecord& record, std::string& out) {
    std::string words;
    for (size_t place = 0; place < store_.layout.num_places(); ++place) {
      const ListId home = home_of(record, place);
      const std::string key = store_.names.of(home);
      const PackedList entries = store_.table_entries(texts_[places_.at(key)], 0);
      if (!entries.is_whole()) return store_.damaged(key, "its length is not one that it can have");
      const auto value = value_of(entries, number);
      if (!value) {
        out.clear();
        return torn();
      }
      const FingerprintTable& table = store_.layout.tables()[0];
      append_little_bytes(words, table.bucket.scatter(home.value) | table.value.scatter(*value),
                          store_.layout.words_each() * sizeof(uint64_t));
    }
    out.insert(std::min(record.cut_at, out.size()), words);
    return {};
  }
  [[nodiscard]] static std::optional<Wide> value_of(const PackedList& entries, uint64_t number) {
    std::vector<uint32_t> same;
    for (uint32_t i = 0; i < entries.size(); ++i)
      if (entries.low(i) == low_of(number)) same.push_back(i);
    std::optional<Wide> value;
    entries.each_number(same, [&](size_t i, uint64_t found) {
      if (found == number && !value) value = entries.value(i);
    });
    return value;
  }

  RedisStore& store_;
  std::span<const uint64_t> numbers_;
  std::vector<std::string> records_;
  std::map<uint64_t, Group> groups_;
  std::vector<std::string> keys_, texts_;  // of what stands elsewhere
  std::map<std::string, size_t> places_;
  bool is_torn_ = false;
};

}  // namespace

Result<std::vector<std::string>> get_all(RedisStore& store, std::span<const std::string> keys) {
  std::vector<std::string> texts;
  for (size_t first = 0; first < keys.size(); first += kKeysEach) {
    const auto some = keys.subspan(first, std::min(kKeysEach, keys.size() - first));
    Request request;
    request.begin(2 + some.size(), Shape::texts(1 + some.size()));
    request.add("MGET");
    request.add(store.names.simple('i'));
    for (const std::string& key : some) request.add(key);
    NEARDUP_ASSIGN(const Replies replies, ask(store.pool, request));
    NEARDUP_TRY(store.identity_of(replies.text(replies.element(0, 0))));
    for (size_t i = 1; i <= some.size(); ++i) texts.emplace_back(replies.text(replies.element(0, i)));
  }
  return texts;
}

Result<std::vector<std::string>> read_records(RedisStore& store, std::span<const uint64_t> numbers) {
  constexpr int kTries = 3;
  for (int tries = 1;; ++tries) {
    RecordReading reading(store, numbers);
    auto records = reading.run();
    if (!records || !reading.is_torn()) return records;
    if (tries == kTries) return store.damaged(store.names.simple('r'), "a part of a record is not there");
  }
}

Result<std::vector<uint64_t>> numbers_from(RedisStore& store, uint64_t first, size_t limit) {
  const std::vector<std::string> counter = {store.names.simple('n')};
  NEARDUP_ASSIGN(const std::vector<std::string> end_text, get_all(store, counter));
  NEARDUP_ASSIGN(const uint64_t next, store.next_number_of(end_text[0]));
  const uint64_t end = std::min(next, kNumberLimit);
  std::vector<uint64_t> numbers;
  uint64_t group = first / kGroupSize;
  for (size_t step = limit / kGroupSize + 2; numbers.size() < limit && group * kGroupSize < end; step *= 2) {
    std::vector<std::string> keys;
    const uint64_t before = group;
    for (; keys.size() < std::min<size_t>(step, 4 * kKeysEach) && group * kGroupSize < end; ++group)
      keys.push_back(store.names.numbered('r', group));
    NEARDUP_ASSIGN(const std::vector<std::string> texts, get_all(store, keys));
    for (size_t i = 0; i < texts.size(); ++i) {
      const auto parsed = parse_group(texts[i], store.layout.homes_bytes());
      if (!parsed) return store.damaged(keys[i], parsed.error().message);
      for (uint64_t slot = 0; slot < kGroupSize && numbers.size() < limit; ++slot) {
        const uint64_t number = (before + i) * kGroupSize + slot;
        if (parsed->is_there[slot] && number >= first) numbers.push_back(number);
      }
    }
  }
  return numbers;
}

}  // namespace neardup::remote::redis
