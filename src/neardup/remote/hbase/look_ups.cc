#include "neardup/remote/hbase/look_ups.h"

#include <algorithm>

#include "neardup/remote/hbase/range_filter.h"

namespace neardup::remote::hbase {
namespace {

using hbase_wire::TGet;
using hbase_wire::TResult;

constexpr size_t kGetsEach = 1000;      // of one call
constexpr size_t kRecordsAtOnce = 128;  // records of one call: they may be large
constexpr size_t kPrefixesEach = 1000;
constexpr int kRowsEach = 10'000;

// The first of the pairs that begin with `key`, where there are any. `pairs` ascend.
template <typename Key>
auto first_of(const std::vector<std::pair<Key, size_t>>& pairs, const Key& key) {
  return std::ranges::lower_bound(pairs, key, {}, &std::pair<Key, size_t>::first);
}

// Cuts questions into calls and gives each an answer.
std::vector<std::vector<TGet>> in_calls(std::vector<TGet> gets, size_t each) {
  std::vector<std::vector<TGet>> calls;
  for (size_t begin = 0; begin < gets.size(); begin += each)
    calls.emplace_back(
        std::make_move_iterator(gets.begin() + static_cast<ptrdiff_t>(begin)),
        std::make_move_iterator(gets.begin() + static_cast<ptrdiff_t>(std::min(begin + each, gets.size()))));
  return calls;
}

// The region in which a prefix stood when the table was made: it may have been split since.
uint64_t region_of(Prefix prefix, uint64_t regions) { return (((prefix >> 32) + 1) * regions - 1) / 256; }

// Returns how many of the prefixes, which ascend, one scan takes. It ends with a region: those of the others go on
// beside it, and no region is sent ranges of another.
size_t scan_size(std::span<const Prefix> prefixes, const TableOptions& options) {
  if (options.by_prefix) return 1;
  const size_t most = std::min(kPrefixesEach, prefixes.size());
  const uint64_t region = region_of(prefixes[0], options.regions);
  size_t size = 1;
  while (size < most && region_of(prefixes[size], options.regions) == region) ++size;
  return size;
}

}  // namespace

NumberLists Hits::lists(size_t count) {
  std::ranges::sort(hits_);
  hits_.erase(std::unique(hits_.begin(), hits_.end()), hits_.end());
  NumberLists lists;
  auto hit = hits_.begin();
  for (size_t question = 0; question < count; ++question) {
    for (; hit != hits_.end() && hit->first == question; ++hit) lists.add(hit->second);
    lists.end_list();
  }
  return lists;
}

KeyLookUp::KeyLookUp(const Table& table, std::span<const uint64_t> keys) : table_(table), keys_(keys) {
  for (size_t i = 0; i < keys.size(); ++i) sorted_.emplace_back(keys[i], i);
  std::ranges::sort(sorted_);
  std::vector<TGet> gets;
  for (const auto& [key, place] : sorted_) {
    if (!asked_.empty() && asked_.back() == key) continue;
    asked_.push_back(key);
    gets.emplace_back().row = key_row(key);
  }
  gets_ = in_calls(std::move(gets), kGetsEach);
  rows_.resize(gets_.size());
}

void KeyLookUp::ask(std::vector<Exchange>& exchanges) {
  for (size_t i = 0; i < gets_.size(); ++i) exchanges.push_back(get_rows(table_.name, gets_[i], rows_[i]));
}

void KeyLookUp::add(uint64_t key, uint64_t number) {
  for (auto it = first_of(sorted_, key); it != sorted_.end() && it->first == key; ++it) hits_.add(it->second, number);
}

Result<bool> KeyLookUp::take() {
  size_t asked = 0;
  for (size_t i = 0; i < gets_.size(); ++i) {
    if (rows_[i].size() != gets_[i].size()) return too_few_rows();
    for (const TResult& row : rows_[i]) {
      for (const auto& cell : row.columnValues) {
        NEARDUP_ASSIGN(const uint64_t number, parse_number_column(cell.qualifier));
        add(asked_[asked], number);
      }
      ++asked;
    }
  }
  return false;
}

void KeyLookUp::add(const LogView& view) {
  for (const auto& recent : view.unapplied) {
    if (!view.is_live(recent->entry)) continue;
    for (const LogDocument& document : recent->entry.added)
      for (const uint64_t key : document.keys) add(key, document.number);
    for (const Posting& posting : recent->entry.postings) add(posting.key, posting.number);
  }
}

PrefixScan::PrefixScan(const Table& table, std::span<const Prefix> prefixes, bool by_filter) {
  scan_.__set_startRow(prefix_bytes(prefixes.front()));
  scan_.__set_stopRow(prefix_bytes(prefixes.back() + 1));
  scan_.__set_columns({column_of(table.families.documents)});
  scan_.__set_caching(kRowsEach);
  if (by_filter) scan_.__set_filterBytes(range_filter(prefixes));
}

Exchange PrefixScan::exchange(const std::string& table) { return scan_rows(table, scan_, kRowsEach, page_); }

bool PrefixScan::next() {
  if (page_.size() < size_t{kRowsEach}) return false;
  scan_.__set_startRow(page_.back().row + '\0');
  return true;
}

FingerprintLookUp::FingerprintLookUp(const Table& table, const Layout& layout, std::span<const uint64_t> fingerprints,
                                     const TableOptions& options)
    : table_(table), layout_(layout), fingerprints_(fingerprints) {
  const size_t words = layout.words_each(), places = layout.num_places();
  if (places == 0) return;
  num_documents_ = fingerprints.size() / layout.words_of_document();
  for (size_t i = 0; i < fingerprints.size() / words; ++i)
    for (size_t of = 0; of < layout.num_tables(); ++of)
      wanted_.emplace_back(layout.prefix_of(fingerprints.subspan(i * words, words), i % places, of), i);
  std::ranges::sort(wanted_);
  std::vector<Prefix> prefixes;
  for (const auto& [prefix, place] : wanted_)
    if (prefixes.empty() || prefixes.back() != prefix) prefixes.push_back(prefix);
  for (std::span<const Prefix> rest = prefixes; !rest.empty();) {
    const std::span<const Prefix> some = rest.first(scan_size(rest, options));
    scans_.emplace_back(table, some, !options.by_prefix);
    rest = rest.subspan(some.size());
  }
}

void FingerprintLookUp::ask(std::vector<Exchange>& exchanges) {
  for (PrefixScan& scan : scans_) exchanges.push_back(scan.exchange(table_.name));
}

Result<bool> FingerprintLookUp::take() {
  for (const PrefixScan& scan : scans_)
    for (const TResult& row : scan.page()) NEARDUP_TRY(match(row));
  std::erase_if(scans_, [](PrefixScan& scan) { return !scan.next(); });
  return !scans_.empty();
}

Status FingerprintLookUp::match(const TResult& row) {
  const size_t words = layout_.words_each();
  Prefix prefix = 0;
  uint64_t stored[2] = {};
  const std::span<uint64_t> fingerprint(stored, words);
  if (!layout_.parse_row(row.row, prefix, fingerprint))
    return fail(Code::kCorruption, "a row of a fingerprint has another form than a store gives it");
  for (auto it = first_of(wanted_, prefix); it != wanted_.end() && it->first == prefix; ++it) {
    if (!layout_.within(fingerprints_.subspan(it->second * words, words), fingerprint)) continue;
    for (const auto& cell : row.columnValues) {
      NEARDUP_ASSIGN(const uint64_t number, parse_number_column(cell.qualifier));
      hits_.add(it->second / layout_.num_places(), number);
    }
  }
  return {};
}

void FingerprintLookUp::add(const LogView& view) {
  const size_t words = layout_.words_of_document();
  for (const auto& recent : view.unapplied) {
    if (!view.is_live(recent->entry)) continue;
    for (const LogDocument& document : recent->entry.added)
      for (size_t i = 0; i < num_documents_; ++i)
        if (layout_.meet(fingerprints_.subspan(i * words, words), document.fingerprints)) hits_.add(i, document.number);
  }
}

RecordLookUp::RecordLookUp(const Table& table, std::span<const uint64_t> numbers)
    : table_(table), records_(numbers.size()) {
  for (size_t i = 0; i < numbers.size(); ++i) sorted_.emplace_back(numbers[i], i);
  std::ranges::sort(sorted_);
  size_t num_records = 0;
  for (size_t i = 0; i < sorted_.size(); ++i) {
    const uint64_t number = sorted_[i].first;
    if (i > 0 && sorted_[i - 1].first == number) continue;
    if (num_records++ % kRecordsAtOnce == 0) gets_.emplace_back();
    std::vector<TGet>& gets = gets_.back();
    if (gets.empty() || record_row(number) != gets.back().row) gets.emplace_back().row = record_row(number);
    gets.back().columns.push_back(column_of(table_.families.documents, record_column(number)));
    gets.back().__isset.columns = true;
  }
  rows_.resize(gets_.size());
}

void RecordLookUp::ask(std::vector<Exchange>& exchanges) {
  for (size_t i = 0; i < gets_.size(); ++i) exchanges.push_back(get_rows(table_.name, gets_[i], rows_[i]));
}

void RecordLookUp::set(uint64_t number, std::string_view record) {
  for (auto it = first_of(sorted_, number); it != sorted_.end() && it->first == number; ++it)
    records_[it->second] = record;
}

// The rows come in the order of the numbers.
Result<bool> RecordLookUp::take() {
  size_t next = 0;
  for (size_t i = 0; i < gets_.size(); ++i) {
    if (rows_[i].size() != gets_[i].size()) return too_few_rows();
    for (size_t row = 0; row < rows_[i].size(); ++row) {
      while (record_row(sorted_[next].first) != gets_[i][row].row) ++next;
      for (const auto& cell : rows_[i][row].columnValues) {
        if (cell.qualifier.size() != 1) return fail(Code::kCorruption, "a record has a column that no store wrote");
        set(record_number(sorted_[next].first, cell.qualifier), cell.value);
      }
    }
  }
  return false;
}

void RecordLookUp::add(const LogView& view) {
  for (const auto& recent : view.unapplied) {
    for (const LogDocument& document : recent->entry.gone) set(document.number, {});
    if (!view.is_live(recent->entry)) continue;
    for (const LogDocument& document : recent->entry.added) set(document.number, document.record);
  }
}

NumberLookUp::NumberLookUp(const Table& table, uint64_t first, uint64_t num_rows)
    : table_(table), first_(first), end_((first / kRecordsEach + num_rows) * kRecordsEach) {
  for (uint64_t number = first; number < end_; number = (number / kRecordsEach + 1) * kRecordsEach) {
    gets_.emplace_back().row = record_row(number);
    gets_.back().__set_filterString("KeyOnlyFilter()");
  }
  is_there_.resize(end_ - first_);
}

void NumberLookUp::ask(std::vector<Exchange>& exchanges) { exchanges.push_back(get_rows(table_.name, gets_, rows_)); }

Result<bool> NumberLookUp::take() {
  if (rows_.size() != gets_.size()) return too_few_rows();
  uint64_t of_row = first_ / kRecordsEach * kRecordsEach;
  for (const TResult& row : rows_) {
    for (const auto& cell : row.columnValues) {
      if (cell.qualifier.size() != 1) return fail(Code::kCorruption, "a record has a column that no store wrote");
      const uint64_t number = record_number(of_row, cell.qualifier);
      if (number >= first_) is_there_[number - first_] = true;
    }
    of_row += kRecordsEach;
  }
  return false;
}

void NumberLookUp::add(const LogView& view) {
  const auto set = [&](const std::vector<LogDocument>& documents, bool is_there) {
    for (const LogDocument& document : documents)
      if (document.number >= first_ && document.number < end_) is_there_[document.number - first_] = is_there;
  };
  for (const auto& recent : view.unapplied) {
    set(recent->entry.gone, false);
    if (view.is_live(recent->entry)) set(recent->entry.added, true);
  }
}

std::vector<uint64_t> NumberLookUp::numbers() const {
  std::vector<uint64_t> numbers;
  for (size_t i = 0; i < is_there_.size(); ++i)
    if (is_there_[i]) numbers.push_back(first_ + i);
  return numbers;
}

}  // namespace neardup::remote::hbase
