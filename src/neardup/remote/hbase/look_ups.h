// What is looked up in the rows of a table: keys, fingerprints, records, each as an Asker.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/remote/hbase/layout.h"
#include "neardup/remote/hbase/recent_log.h"
#include "neardup/remote/hbase/table.h"
#include "neardup/remote/hbase/table_options.h"
#include "neardup/remote/number_lists.h"

namespace neardup::remote::hbase {

/// Numbers that were found for questions, by the place of the question.
class Hits {
 public:
  void add(size_t question, uint64_t number) { hits_.emplace_back(question, number); }
  /// Returns a list for each of `count` questions: ascending, each number once.
  [[nodiscard]] NumberLists lists(size_t count);

 private:
  std::vector<std::pair<size_t, uint64_t>> hits_;
};

/// The numbers under keys, by getMultiple. The keys must outlive it.
class KeyLookUp : public Asker {
 public:
  KeyLookUp(const Table& table, std::span<const uint64_t> keys);
  void ask(std::vector<Exchange>& exchanges) override;
  [[nodiscard]] Result<bool> take() override;
  /// Adds what entries put under the keys.
  void add(const LogView& view);
  [[nodiscard]] NumberLists lists() { return hits_.lists(keys_.size()); }

 private:
  void add(uint64_t key, uint64_t number);

  const Table& table_;
  std::span<const uint64_t> keys_;
  std::vector<std::pair<uint64_t, size_t>> sorted_;     // key and place of its question
  std::vector<uint64_t> asked_;                         // each once, ascending
  std::vector<std::vector<hbase_wire::TGet>> gets_;     // calls
  std::vector<std::vector<hbase_wire::TResult>> rows_;  // their answers
  Hits hits_;
};

/// Rows that begin with one of some prefixes, page by page.
class PrefixScan {
 public:
  /// Prefixes ascend. `by_filter`: one scan over all by MultiRowRangeFilter; else there is one prefix alone.
  PrefixScan(const Table& table, std::span<const Prefix> prefixes, bool by_filter);
  [[nodiscard]] Exchange exchange(const std::string& table);
  /// The page that came. Whether there may be more is asked behind its last row.
  [[nodiscard]] const std::vector<hbase_wire::TResult>& page() const { return page_; }
  [[nodiscard]] bool next();

 private:
  hbase_wire::TScan scan_;
  std::vector<hbase_wire::TResult> page_;
};

/// Who has a fingerprint within reach in the same place. Cost: a prefix for each fingerprint and table, and all rows
/// that begin with one. The fingerprints must outlive it.
class FingerprintLookUp : public Asker {
 public:
  FingerprintLookUp(const Table& table, const Layout& layout, std::span<const uint64_t> fingerprints,
                    const TableOptions& options);
  void ask(std::vector<Exchange>& exchanges) override;
  [[nodiscard]] Result<bool> take() override;
  void add(const LogView& view);
  [[nodiscard]] NumberLists lists() { return hits_.lists(num_documents_); }

 private:
  [[nodiscard]] Status match(const hbase_wire::TResult& row);

  const Table& table_;
  const Layout& layout_;
  std::span<const uint64_t> fingerprints_;
  size_t num_documents_ = 0;
  std::vector<std::pair<Prefix, size_t>> wanted_;  // and the place of the fingerprint among all; ascending
  std::vector<PrefixScan> scans_;
  Hits hits_;
};

/// Records by number.
class RecordLookUp : public Asker {
 public:
  RecordLookUp(const Table& table, std::span<const uint64_t> numbers);
  void ask(std::vector<Exchange>& exchanges) override;
  [[nodiscard]] Result<bool> take() override;
  /// What entries brought, or took away.
  void add(const LogView& view);
  [[nodiscard]] std::vector<std::string> records() && { return std::move(records_); }

 private:
  void set(uint64_t number, std::string_view record);

  const Table& table_;
  std::vector<std::pair<uint64_t, size_t>> sorted_;  // number and its place
  std::vector<std::vector<hbase_wire::TGet>> gets_;
  std::vector<std::vector<hbase_wire::TResult>> rows_;
  std::vector<std::string> records_;
};

/// Which of the numbers of some rows of records, from `first` on, have one.
class NumberLookUp : public Asker {
 public:
  NumberLookUp(const Table& table, uint64_t first, uint64_t num_rows);
  void ask(std::vector<Exchange>& exchanges) override;
  [[nodiscard]] Result<bool> take() override;
  void add(const LogView& view);
  [[nodiscard]] std::vector<uint64_t> numbers() const;  // ascending

 private:
  const Table& table_;
  uint64_t first_, end_;
  std::vector<hbase_wire::TGet> gets_;
  std::vector<hbase_wire::TResult> rows_;
  std::vector<bool> is_there_;  // from first_ on
};

}  // namespace neardup::remote::hbase
