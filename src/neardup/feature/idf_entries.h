// Inner part of IDF dictionaries: the counts as they lie in a file and in memory.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/base/hasher.h"
#include "neardup/base/result.h"
#include "neardup/feature/dictionary_file.h"

namespace neardup::feature {

/// One token and the number of documents it is in. 12 bytes, so that a vector of them is the body of the file.
struct IdfEntry {
  uint32_t hash_low = 0;
  uint32_t hash_high = 0;
  uint32_t num_documents = 0;
  [[nodiscard]] uint64_t hash() const { return uint64_t{hash_high} << 32 | hash_low; }
};
static_assert(sizeof(IdfEntry) == 12);

/// What stands before the entries.
struct IdfHead {
  uint64_t num_documents = 0;
  uint64_t num_tokens = 0;  // entries that were left out included
  uint64_t num_entries = 0;
  uint32_t median_df = 0;      // document frequency of the token in the middle; 0 where there are no tokens
  uint32_t min_documents = 1;  // tokens of fewer documents are left out of the entries
  std::string tokens;          // how texts were cut into tokens; empty where nobody said
};

/// A dictionary's counts. `entries` ascend by hash.
struct IdfCounts {
  IdfHead head;
  std::vector<IdfEntry> entries;
};

/// A dictionary's counts where they lie.
struct IdfView {
  IdfHead head;
  std::span<const IdfEntry> entries;
};

/// Counts how many tokens have which document frequency. Memory: 512 KiB and 48 bytes for each frequency above 65,535.
class DfHistogram {
 public:
  void add(uint32_t df);
  [[nodiscard]] uint64_t num_tokens() const { return num_tokens_; }
  /// Returns how many tokens are in at least `min_documents` documents.
  [[nodiscard]] uint64_t num_at_least(uint32_t min_documents) const;
  /// Returns the frequency at index n / 2 of all n in descending order: weights then ascend. 0 where there are none.
  [[nodiscard]] uint32_t median() const;

 private:
  static constexpr uint32_t kSmall = uint32_t{1} << 16;
  std::vector<uint64_t> small_ = std::vector<uint64_t>(kSmall);
  std::map<uint32_t, uint64_t> large_;
  uint64_t num_tokens_ = 0;
};

/// Writes a dictionary file piece by piece. Threads: one at a time.
class IdfWriter {
 public:
  /// Errors: kIo, kDiskFull, kInvalidArgument where head.tokens is longer than kMaxTokensBytes.
  [[nodiscard]] static Result<IdfWriter> create(const std::string& path, const IdfHead& head);
  /// Entries ascend by hash over all calls. Errors: kIo, kDiskFull.
  [[nodiscard]] Status add(std::span<const IdfEntry> entries);
  /// Requires: head.num_entries entries were added. Errors: kIo, kDiskFull.
  [[nodiscard]] Status commit();

 private:
  explicit IdfWriter(AtomicFile file) : file_(std::move(file)) {}
  Status write(std::string_view bytes);

  AtomicFile file_;
  Hasher128 hasher_;
};

/// Returns the digest that ends the file of `counts` (docs/formats/idf.md).
[[nodiscard]] Hash128 idf_checksum(const IdfCounts& counts);

/// Writes the file. Errors: those of IdfWriter.
[[nodiscard]] Status write_idf_file(const IdfCounts& counts, const std::string& path);

/// Checks the file's bytes and returns a view of them; `where` names them in messages. Requires: `bytes` begins at a
/// multiple of four. Errors: kCorruption.
[[nodiscard]] Result<IdfView> view_idf(std::string_view bytes, const std::string& where);

}  // namespace neardup::feature
