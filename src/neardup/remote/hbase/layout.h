// Layout: the rows of a table that is a store. docs/formats/hbase.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/store/settings.h"

namespace neardup::remote::hbase {

/// What the fifth byte of a row says where it is not the number of a table of fingerprints.
enum Flag : uint8_t { kKeyRow = 0xf0, kRecordRow = 0xf1, kLogRow = 0xf2, kMetaRow = 0xf3 };

inline constexpr size_t kPrefixBytes = 5;  // segment and flag: the prefix of a scan, and of the Bloom filter
inline constexpr size_t kMostFlags = 0xc0;

/// A prefix of rows: segment << 8 | flag.
using Prefix = uint64_t;
/// Returns its 5 bytes.
[[nodiscard]] std::string prefix_bytes(Prefix prefix);

/// Threads: any member from many at once.
class Layout {
 public:
  /// The tables of permuted_plan(): `num_tables` is C(b, c) for a choice of c = 1, 2 or 3 out of b = max_distance + c
  /// blocks; without fingerprints there are none, whatever it is. Errors: kInvalidArgument, naming which numbers of
  /// tables there are; kUnsupported where the fingerprints of a document would make more rows than a byte can tell
  /// apart.
  [[nodiscard]] static Result<Layout> make(const store::StoreSettings& settings, uint64_t num_tables);
  /// Returns those numbers, of fewest first.
  [[nodiscard]] static std::vector<uint64_t> tables_to_choose(int max_distance);

  [[nodiscard]] size_t num_tables() const { return tables_.size(); }
  [[nodiscard]] size_t num_places() const { return num_places_; }
  [[nodiscard]] size_t words_each() const { return words_each_; }  // of a fingerprint
  [[nodiscard]] size_t words_of_document() const { return num_places_ * words_each_; }
  [[nodiscard]] int max_distance() const { return max_distance_; }
  /// Bits of a segment that are told by the fingerprint.
  [[nodiscard]] int prefix_bits(size_t table) const { return tables_[table].bits; }

  /// Returns what the rows of a fingerprint begin with in a table.
  [[nodiscard]] Prefix prefix_of(std::span<const uint64_t> fingerprint, size_t place, size_t table) const;
  /// Returns the row of a fingerprint: 4 bytes of segment, the flag, the fingerprint, most significant byte first.
  [[nodiscard]] std::string row_of(std::span<const uint64_t> fingerprint, size_t place, size_t table) const;
  /// Whether a row is one of a fingerprint; then its prefix and words. No other stands under a prefix.
  [[nodiscard]] bool parse_row(std::string_view row, Prefix& prefix, std::span<uint64_t> words) const;
  /// Whether two documents' fingerprints are within max_distance in any place.
  [[nodiscard]] bool meet(std::span<const uint64_t> a, std::span<const uint64_t> b) const;
  [[nodiscard]] bool within(std::span<const uint64_t> a, std::span<const uint64_t> b) const;  // one of each

 private:
  // Bits of a fingerprint that stand together in a segment.
  struct Piece {
    int low = 0, bits = 0;
  };
  struct Table {
    std::vector<Piece> pieces;  // of the segment, from its most significant bit on
    int bits = 0;
  };
  Layout() = default;

  std::vector<Table> tables_;
  size_t num_places_ = 0, words_each_ = 1;
  int max_distance_ = 0;
};

/// Returns the row under which the numbers are that a key leads to, a column for each.
[[nodiscard]] std::string key_row(uint64_t key);
/// Returns the row of the record of a document; 256 documents share one.
[[nodiscard]] std::string record_row(uint64_t number);
inline constexpr uint64_t kRecordsEach = 256;
/// Returns the column of a record in its row, and the number of the document that has it. Requires: one byte.
[[nodiscard]] std::string record_column(uint64_t number);
[[nodiscard]] uint64_t record_number(uint64_t of_same_row, std::string_view column);
/// Returns the row of the log with that position; those of greater ones follow. The last one ends them.
[[nodiscard]] std::string log_row(uint64_t position);
[[nodiscard]] std::string end_of_log();
[[nodiscard]] Result<uint64_t> log_position(std::string_view row);
/// Returns the row of what the store itself is.
[[nodiscard]] std::string meta_row();
/// Returns the row of a part of a file that the store was given. `maker`: a number of whoever wrote it, as two clients
/// that make a store of one name at once write theirs side by side.
[[nodiscard]] std::string file_row(uint64_t maker, uint32_t file, uint32_t part);

/// Numbers of documents as columns: 8 bytes, most significant first.
[[nodiscard]] std::string number_column(uint64_t number);
/// Errors: kCorruption.
[[nodiscard]] Result<uint64_t> parse_number_column(std::string_view column);

}  // namespace neardup::remote::hbase
