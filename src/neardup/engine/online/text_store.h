// TextStore: texts and pages come one after the other, each is told at once whether it repeats one that came before,
// and stays: the words tower over a store::Store.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/base/result.h"
#include "neardup/engine/match/decision.h"
#include "neardup/engine/online/matcher.h"
#include "neardup/engine/online/records_kept.h"
#include "neardup/engine/online/text_judge.h"
#include "neardup/engine/online/text_record.h"
#include "neardup/engine/options.h"
#include "neardup/fingerprint/signature.h"
#include "neardup/fingerprint/value.h"
#include "neardup/store/document_store.h"
#include "neardup/store/embedded_store.h"

namespace neardup::engine {

/// What a store of texts is, fixed when it is made.
struct TextStoreSettings {
  // recipe, family, idf_file, checksum, distance, verify, commonness_file and contained are looked at
  DedupOptions matching = {};
  RecordsKept records = RecordsKept::kTokens;
  bool keep_texts = false;  // as they came, to be shown again
};

/// A document that comes: a text, or what was made of one elsewhere under the store's recipe.
struct ArrivingText {
  std::string_view id = {};    // not empty; any bytes
  std::string_view text = {};  // any bytes; what is no UTF-8 is repaired
  bool is_html = false;        // its main text counts, whatever the recipe says of pages
  // Where there is no text: one of the two, by the recipe's family. Compared by these alone, whatever is kept.
  std::span<const fingerprint::Fingerprint> fingerprints = {};  // Recipe::num_fingerprints() of them
  std::span<const fingerprint::SignatureValue> signature = {};  // Recipe::num_signature_values() of them
  std::string_view within = {};                                 // category: only documents of the same one are compared
  std::string_view tag = {};                                    // of the crawl that brings it
  int64_t time = 0;                                             // seconds since 1970-01-01; 0: now
};

/// What was kept of a text that came.
struct StoredText {
  std::string text;      // as it came; empty: nothing was kept
  bool is_html = false;  // as in its ArrivingText
};

/// What became of a document, or would.
struct TextVerdict {
  store::Kind kind = store::Kind::kNew;
  std::string duplicate_of = {};  // id of the document that it repeats, which is a new one; empty for kNew
  float similarity = 1;           // to that one: what the rule looked at; of kContained the share that it holds
  uint32_t distance = 0;          // of signatures in values, of fingerprints in bits; of kContained nothing
  bool is_estimate = false;       // similarity is estimated: tokens of one of the two are not there
  bool is_repeated = false;       // it came before with the same text: the verdict is that of then
  bool is_truncated = false;      // store::Fate::is_truncated
};

/// A document as a store takes it: fingerprinted. Views id, category and tag of the ArrivingText that it was made of.
class MadeRecord {
 public:
  /// Valid as long as this object stays where it is.
  [[nodiscard]] store::Record view() const;
  /// Gives it another id, which must outlive it.
  void rename(std::string_view id) { head_.id = id; }

 private:
  friend class TextStore;
  std::string body_;
  std::vector<uint64_t> fingerprints_, keys_, passages_;
  store::Record head_;  // without these
};

/// Gives the verdicts of `dedup --keep first` on the same documents in the same order, where both weigh words by the
/// same counts (Deduplicator says which); but for an id that comes again with another text, which takes the place of
/// the one before.
/// Threads: any member from any number at once. Texts are fingerprinted by the caller's thread.
class TextStore {
 public:
  /// Makes a store in a folder that is empty or not there, or on a server by its URI (store_place.h). What the recipe
  /// and the rule know beforehand (IDF, commonness, phrases, dictionary) is copied into it. Errors: as make_matcher(),
  /// check_contained() and create_store_at(); kInvalidArgument where it is to tell who is contained and keeps no
  /// tokens.
  [[nodiscard]] static Result<std::unique_ptr<TextStore>> create(const std::string& place,
                                                                 const TextStoreSettings& settings,
                                                                 const store::StoreOptions& options = {});
  /// Errors: as open_store_at(); kInvalidArgument where the store is not one of texts.
  [[nodiscard]] static Result<std::unique_ptr<TextStore>> open(const std::string& place,
                                                               const store::StoreOptions& options = {});
  ~TextStore();

  /// What is asked without texts: erase, tags, statistics, snapshot, ...
  [[nodiscard]] store::Store& store();
  [[nodiscard]] const store::Store& store() const;
  [[nodiscard]] const recipe::Recipe& recipe() const;
  /// Returns what it compares by.
  [[nodiscard]] const Matcher& matcher() const;
  /// Returns the 12 digits that stand for it.
  [[nodiscard]] const std::string& recipe_id() const;
  [[nodiscard]] const TextStoreSettings& settings() const;

  /// From now on the trees of pages that are read at one time take no more than `bytes`, by the most that a page may
  /// take (text::page_tree_bytes()); large ones wait for each other, and a page whose tree could take more is refused.
  /// What is not refused becomes what it became before. Requires: nothing else is called meanwhile.
  void limit_page_memory(uint64_t bytes);

  /// Fingerprints a document, for calls that take records: by the thread that has time for it, for the one that
  /// decides. Errors: kInvalidArgument naming the document that has no id, neither text nor values of the recipe, or is
  /// a page beyond limit_page_memory().
  [[nodiscard]] Result<MadeRecord> make(const ArrivingText& arriving) const;
  /// The same of what was made of a text elsewhere under the store's recipe: `head` says all else. `text` is kept where
  /// the store keeps texts; it is not looked at.
  [[nodiscard]] MadeRecord make(const PairSide& side, const store::Record& head, const KeptText& text = {}) const;
  /// store::Store::check_and_insert() and query().
  [[nodiscard]] Result<std::vector<TextVerdict>> check_and_insert(std::span<const MadeRecord> records);
  [[nodiscard]] Result<store::StoredNeighbours> query(const MadeRecord& record, size_t limit) const;

  /// store::Store::check_and_insert() of texts: atomic, durable when it returns; verdicts in the order of `arriving`.
  /// Errors: those, and of make().
  [[nodiscard]] Result<std::vector<TextVerdict>> check_and_insert(std::span<const ArrivingText> arriving);
  /// What would become of each if it came alone; nothing changes.
  [[nodiscard]] Result<std::vector<TextVerdict>> check(std::span<const ArrivingText> arriving) const;
  /// Stores all, whatever they repeat.
  [[nodiscard]] Status put(std::span<const ArrivingText> arriving);
  /// Returns the stored documents that are equal or similar to one: store::Store::query(). Its id may be empty.
  [[nodiscard]] Result<store::StoredNeighbours> query(const ArrivingText& document, size_t limit) const;
  /// Returns the text of a stored record, where texts are kept. Errors: kCorruption.
  [[nodiscard]] static Result<StoredText> text_of(const store::Record& record);
  /// Returns what was compared since it was opened, by calls that take documents or ask for them.
  [[nodiscard]] Comparisons comparisons() const;

 private:
  class Impl;
  [[nodiscard]] Result<std::vector<MadeRecord>> make_all(std::span<const ArrivingText> arriving) const;
  /// Makes the rest of a record that has a head.
  void keep(const PairSide& side, RecordsKept records, const KeptText& text, MadeRecord& made) const;
  explicit TextStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup::engine
