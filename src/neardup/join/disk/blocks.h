// Files of records in blocks that carry their own checksums: what an external join leaves on disk between its steps.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "neardup/base/bytes.h"
#include "neardup/base/disk/file.h"
#include "neardup/base/hash.h"

namespace neardup::join {

/// A block: its checksum, its number of records, the records as they stand in memory. All but the last one of a file
/// hold kBlockRecords. A file of this kind belongs to one machine: it is no format for exchange. `seed`: of the
/// checksums, another one in each file, so that no block and no file is taken for another.
inline constexpr size_t kBlockRecords = 512;
struct BlockHeader {
  uint64_t checksum;
  uint64_t count;
};

[[nodiscard]] inline uint64_t block_checksum(std::string_view records, uint64_t seed, uint64_t first, uint64_t count) {
  return hash64(records, hash64(bytes_of(std::array{seed, first, count})));
}

/// Returns the seed of a file of the join that `seed` stands for: it depends on the file's name, not on its folder's.
[[nodiscard]] inline uint64_t seed_of_file(std::string_view path, uint64_t seed) {
  return hash64(path.substr(path.rfind('/') + 1), seed);
}

/// Collects records into blocks for a File with append() or write(). Threads: one.
template <class Record>
class BlockWriter {
  static_assert(std::has_unique_object_representations_v<Record>, "padding would have no fixed bytes");

 public:
  explicit BlockWriter(uint64_t seed = 0) : seed_(seed) {}
  /// Adds one record; a full block goes to `write(bytes) -> Status`.
  template <class Write>
  Status add(const Record& record, const Write& write) {
    records_.push_back(record);
    ++count_;
    return records_.size() == kBlockRecords ? flush(write) : Status();
  }
  /// Writes what is left. The last call.
  template <class Write>
  Status flush(const Write& write) {
    if (records_.empty()) return {};
    const std::string_view bytes = bytes_of(records_);
    const uint64_t size = records_.size();
    const BlockHeader header{block_checksum(bytes, seed_, count_ - size, size), size};
    NEARDUP_TRY(write(bytes_of_one(header)));
    NEARDUP_TRY(write(bytes));
    records_.clear();
    return {};
  }
  [[nodiscard]] uint64_t count() const { return count_; }

 private:
  uint64_t seed_;
  std::vector<Record> records_;
  uint64_t count_ = 0;
};

/// Reads the records of such a file. Threads: one.
template <class Record>
class BlockReader {
 public:
  /// Expects `count` records in `path`. Errors: kNotFound, kIo.
  [[nodiscard]] static Result<BlockReader> open(const std::string& path, uint64_t count, uint64_t seed = 0) {
    NEARDUP_ASSIGN(ReadFile file, ReadFile::open(path));
    return BlockReader(std::move(file), count, seed);
  }

  /// Goes to the block that holds record `index`. Requires: index is a multiple of kBlockRecords.
  void seek(uint64_t index) { next_ = index; }
  /// Returns the next block; empty at the end. Valid until the next call. Errors: kIo, kCorruption.
  [[nodiscard]] Result<std::span<const Record>> next() {
    constexpr uint64_t kWhole = sizeof(BlockHeader) + kBlockRecords * sizeof(Record);
    // All blocks but the last are whole, so where one begins needs no table.
    const uint64_t offset = next_ / kBlockRecords * kWhole;
    const auto count = static_cast<size_t>(std::min<uint64_t>(kBlockRecords, count_ - std::min(count_, next_)));
    records_.resize(count);
    if (count == 0) return std::span<const Record>();
    BlockHeader header{};
    NEARDUP_TRY(file_.read_exact_at(offset, writable_bytes_of(std::span(&header, 1))));
    const std::span<char> bytes = writable_bytes_of(std::span(records_));
    NEARDUP_TRY(file_.read_exact_at(offset + sizeof header, bytes));
    if (header.count != count || header.checksum != block_checksum({bytes.data(), bytes.size()}, seed_, next_, count)) {
      return fail(Code::kCorruption,
                  fmt::format("'{}' is damaged at byte {}: its checksum does not fit; remove the work "
                              "folder and start again",
                              file_.path(), offset));
    }
    next_ += count;
    return std::span<const Record>(records_);
  }
  [[nodiscard]] uint64_t size() const { return count_; }

 private:
  BlockReader(ReadFile file, uint64_t count, uint64_t seed) : file_(std::move(file)), count_(count), seed_(seed) {}
  ReadFile file_;
  uint64_t count_;
  uint64_t seed_;
  uint64_t next_ = 0;
  std::vector<Record> records_;
};

}  // namespace neardup::join
