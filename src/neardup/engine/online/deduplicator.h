// Documents one after the other: is this one new, a copy, or nearly the same as one that came before?
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "neardup/base/result.h"
#include "neardup/engine/options.h"

namespace neardup::engine {

/// What became of a document.
struct Arrival {
  enum class Kind : uint8_t { kNew, kExact, kNear, kContained };
  Kind kind = Kind::kNew;
  std::string duplicate_of;  // id of the document that it repeats, which is a new one; empty for kNew
  float similarity = 1;      // to that one: what the rule looked at; of kContained the share that it holds
  uint32_t distance = 0;     // of the signatures in values, of the fingerprints in bits
};

struct DeduplicatorFigures {
  uint64_t new_texts = 0;        // documents that were kNew, each id and text once
  uint64_t different_texts = 0;  // those, and the first of each different text that was neither
  uint64_t size_bytes = 0;       // what is held in memory
};

/// Gives each document the fate that dedup() with KeepRule first and stars gives it among those that came before, under
/// the same counts of how common n-grams are (options.commonness_file), and the same IDF (a file, where the recipe asks
/// for one). Without such a file it learns how common they are from what came before (NearbyCounts).
/// Of two equal texts the later is an exact copy, whatever its id; the same id with the same text again gets the fate
/// that it had; with another text it is another document, as dedup() takes it. A removed document
/// is never matched against.
/// With options.contained a text that is neither goes to the longest new one before it that contains it: dedup()
/// without knowing what comes later. A short text that came before the long one that holds it has been told that it is
/// new, and stays; docs/design/contained.md says what else differs. Cost: fingerprinting, and some 10 us for short web
/// texts. Memory: see docs/api/deduplicator.md. Threads: add() from many at once; texts are decided one after the
/// other, in the order in which they come to it.
class Deduplicator {
 public:
  /// Of `options` recipe, family, idf_file, checksum, distance, verify, commonness_file, contained and memory_bytes are
  /// looked at, of which an eighth may hold sets of n-grams that were compared last, and another one runs of long
  /// texts. Where no distance is given, it is that of a million documents. Errors: kInvalidArgument where the recipe
  /// learns from its input, which is not there yet, and those of check_rule() and check_contained(); kUnsupported for
  /// the rule code, which learns what a corpus has in common; those of loading.
  [[nodiscard]] static Result<Deduplicator> create(DedupOptions options);
  Deduplicator(Deduplicator&&) noexcept;
  Deduplicator& operator=(Deduplicator&&) noexcept;
  ~Deduplicator();

  /// Errors: kUnsupported from 2^31 documents on; kMemory. Where it fails nothing of the document counts.
  [[nodiscard]] Result<Arrival> add(std::string_view id, std::string_view text);
  [[nodiscard]] DeduplicatorFigures figures() const;
  /// Returns the recipe by which texts are fingerprinted.
  [[nodiscard]] const recipe::Recipe& recipe() const;

 private:
  class Impl;
  explicit Deduplicator(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup::engine
