// What a store keeps of a document, and its form in a log.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/base/result.h"

namespace neardup::store {

enum class Kind : uint8_t { kNew, kExact, kNear, kContained };

/// What became of a document when it came.
struct Fate {
  Kind kind = Kind::kNew;
  uint64_t kept = 0;     // number of the document that it repeats; of kNew nothing
  float similarity = 1;  // to that one
  uint32_t distance = 0;
  bool is_estimate = false;  // the similarity
  bool is_truncated =
      false;  // of kNew and kContained: there were more candidates than are compared: one of these may be near
  bool operator==(const Fate&) const = default;
};

/// A document: views, into what its owner says. What stands for its text (fingerprints, keys, body) is there of kNew;
/// keys and body also of kNear where it is remembered (Lesson), which has a body; passages also of kContained.
struct Record {
  uint64_t number = 0;  // never given twice
  std::string_view id;  // any bytes
  Hash128 checksum;
  uint64_t size_bytes = 0;  // of the text
  int64_t time = 0;         // seconds since 1970-01-01
  std::string_view within;  // category: only documents of the same one are compared
  std::string_view tag;     // of the crawl that brought it
  Fate fate = {};
  std::span<const uint64_t> fingerprints;  // of 64 bits; those of 128 as two words, the lower one first
  std::span<const uint64_t> keys;          // hashes of bands; documents that share one are candidates
  /// Of one that comes, not stored: of those that have one of its keys the first so many are its candidates, and where
  /// so many have it, it is not found by that key. 0: all are.
  uint32_t most_sharing = 0;
  std::span<const uint64_t> passages;  // hashes of pieces, ascending, each once: who has some may contain others
  std::string_view body;               // what comparing takes
};

/// Leaves out what is not stored of a document with its fate.
void leave_out_needless(Record& record);

/// Appends the bytes of `record`. Format: docs/formats/log.md.
void append_record(std::string& bytes, const Record& record);

/// Owns what a Record views that is not aligned in its bytes. Threads: one at a time.
class RecordReader {
 public:
  /// Reads what append_record() wrote: the same record. It is valid until the next call, and as long as `bytes`.
  /// Errors: kCorruption, without the name of the file.
  [[nodiscard]] Result<Record> read(std::string_view bytes);

 private:
  std::vector<uint64_t> words_;  // fingerprints, keys and passages
};

}  // namespace neardup::store
