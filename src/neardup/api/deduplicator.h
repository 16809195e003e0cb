// Deduplicator: documents one after the other, each with its verdict at once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "neardup/api/matching.h"

namespace neardup {

/// What became of a document.
struct Arrival {
  enum class Kind : uint8_t { kNew, kExact, kNear, kContained };
  Kind kind = Kind::kNew;
  std::string duplicate_of = {};  // id of the document that it repeats, itself a new one; empty for kNew
  double similarity = 1;          // to that one: what the rule looked at; of kContained the share that it holds
  int distance = 0;               // of signatures in values, of fingerprints in bits
  // Of a Store alone:
  bool is_repeated = false;  // it came before, with the same id and text: this is what it was told then
  bool is_estimate = false;  // the similarity is estimated, as not all is kept of the other one
  [[nodiscard]] bool is_new() const { return kind == Kind::kNew; }
};

/// How much a Deduplicator holds.
struct DeduplicatorFigures {
  uint64_t new_texts = 0;        // that were kNew
  uint64_t different_texts = 0;  // those, and each different text that was neither new nor an exact copy
  uint64_t size_bytes = 0;       // of memory
};

/// Tells of each document whether it is new, an exact copy of one that came before, or nearly the same as one; short
/// texts by their characters, others by their words, as `neardup dedup --keep first` does: the same documents in the
/// same order get the same verdicts, where both weigh words alike.
///
/// That is the one difference. The rule content weighs runs of words by how rare they are in the whole corpus, which
/// nobody knows before its end. So the counts come from an earlier run over texts of that kind
/// (matching.commonness_file); or they are learnt from the texts that came before and share something with the one that
/// comes, so that a form which many fill in is known after some two dozen; or, with "none", all runs weigh the same:
/// what `dedup --commonness none` does. Likewise SimHash
/// recipes that weigh words by IDF take it from matching.idf_file; the default, MinHash, needs none.
///
/// Ids are names: two documents with one id are two documents, as dedup has it. The same id with the same text again
/// gets the verdict that it had, so that what is sent twice counts once. Only new documents are
/// matched against.
///
/// With `contained`, a text of which a longer new one that came before holds this share is kContained, and goes to the
/// longest that does. It is a matter of what came first: a quote that comes before the text that quotes it has been
/// told that it is new, and that text is new, too; `neardup dedup --contained` knows both, and removes the quote. A run
/// of words counts as common (a licence, a footer) from the 17th text on that has it.
///
/// Cost: fingerprinting, and some 5 to 10 us a document: about 100,000 web texts of a few hundred words a second.
/// With SimHash each document is compared with the fingerprints of all new ones, 0.2 ns each.
/// Memory of each new document: about 1.3 KB for its signature and bands (less than 100 bytes with SimHash), 4 bytes
/// for each word, and its id; a short text about 1.3 KB more; of one that is no new text 40 to 60 bytes, exact copies
/// nothing. n-gram sets compared last take at most 64 MB. With `contained` some 3 to 7 bytes more for each word, 10 to
/// 20 for each that a second text has, too, and runs of long texts that were compared last, at most 64 MB. Threads:
/// add() from any number at once. Texts are fingerprinted side by side and decided one after the other: of two
/// duplicates that arrive together exactly one is new. Which one that is depends on which comes first, so who wants the
/// same verdicts each time adds from one thread.
class Deduplicator {
 public:
  /// Where no distance is given, SimHash takes that for a million documents, 13 bits. Errors: kInvalidArgument where
  /// the recipe is not set, or learns from its input, or `contained` (.5 to 1; 0: nobody looks) is out of range or not
  /// for this recipe; kUnsupported for the rule code, which learns what a corpus has in common; those of reading the
  /// files.
  [[nodiscard]] static Result<Deduplicator> create(const Matching& matching = {}, double contained = 0);
  Deduplicator(Deduplicator&&) noexcept;
  Deduplicator& operator=(Deduplicator&&) noexcept;
  ~Deduplicator();

  /// `text` may be any bytes; what is no UTF-8 is repaired. Errors: kUnsupported from 2^31 documents on, and for a
  /// text longer than 1 GiB; kInvalidArgument where this object was moved from.
  [[nodiscard]] Result<Arrival> add(std::string_view id, std::string_view text);
  [[nodiscard]] DeduplicatorFigures figures() const;

 private:
  struct Impl;
  explicit Deduplicator(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup
