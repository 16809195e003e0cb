// Inner part of IDF dictionaries: the counts as they lie in a file and in memory.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/base/result.h"

namespace neardup::feature {

static_assert(std::endian::native == std::endian::little, "dictionary files are little endian");

/// One token and the number of documents it is in. 12 bytes, so that a vector of them is the body of the file.
struct IdfEntry {
  uint32_t hash_low = 0;
  uint32_t hash_high = 0;
  uint32_t num_documents = 0;
  [[nodiscard]] uint64_t hash() const { return uint64_t{hash_high} << 32 | hash_low; }
};
static_assert(sizeof(IdfEntry) == 12);

/// A dictionary's counts. `entries` ascend by hash.
struct IdfCounts {
  uint64_t num_documents = 0;
  uint64_t num_tokens = 0;  // entries that were left out included
  uint32_t median_df = 0;   // document frequency of the token in the middle; 0 where there are no tokens
  std::vector<IdfEntry> entries;
};

/// Returns the digest that ends the file of `counts` (docs/formats/idf.md).
[[nodiscard]] Hash128 idf_checksum(const IdfCounts& counts);

/// Writes the file. Errors: kIo, kDiskFull.
[[nodiscard]] Status write_idf_file(const IdfCounts& counts, const std::string& path);

/// Reads the file's bytes; `where` names them in messages. Errors: kCorruption.
[[nodiscard]] Result<IdfCounts> parse_idf(std::string_view bytes, const std::string& where);

}  // namespace neardup::feature
