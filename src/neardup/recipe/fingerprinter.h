// The whole words tower in one call: bytes of a text -> its fingerprints, checksum and token sequence.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/base/result.h"
#include "neardup/feature/idf.h"
#include "neardup/fingerprint/signature.h"
#include "neardup/fingerprint/value.h"
#include "neardup/recipe/explain.h"
#include "neardup/recipe/spec.h"

namespace neardup::recipe {

/// What fingerprinting a text gives. Buffers are reused from call to call.
struct TextFingerprint {
  /// recipe.num_fingerprints() of them: one per entry of recipe.fingerprints, in that order, where the family is
  /// kSimHash. 0 and meaningless where has_features is false.
  std::vector<fingerprint::Fingerprint> fingerprints;
  /// recipe.num_signature_values() of them: the MinHash signature, where the family is kMinHash. 0 and meaningless
  /// where has_features is false.
  std::vector<fingerprint::SignatureValue> signature;
  /// Of the normalised text (letters folded, white space runs made one space, trimmed), by recipe.checksum; equal
  /// checksum = exact duplicate. Of a page it is of its title and all that it shows, too, what stands around its main
  /// text included.
  /// Where the text is not `whole`, of the bytes as they came as well.
  Hash128 checksum;
  /// Size of the normalised text.
  uint64_t size_bytes = 0;
  /// The low 32 bits of each token's hash, in order of the text, phrases not joined: what verification compares. With
  /// recipe.mark_numbers token::marked_hash() of each, with the signs beside it (token_signs.h), and behind the title
  /// or heading that the text begins with token::kHeadingEnd, or kListHeadingEnd (text::Extracted::is_list), which also
  /// stands before a list without a title; of source code always token::marked_code_hash().
  std::vector<uint32_t> tokens;
  /// short_text_features() where the text has features and has_fewer_words() than recipe.short_tokens.
  std::vector<uint32_t> short_text;
  /// False where the tokens do not stand for all of the text: text::Extracted::complete, or longer than 4 GiB.
  bool whole = true;
  bool cut = false;  // text::Extracted::cut, or longer than 4 GiB
  /// False where the text is not `whole`, has no tokens, or fewer than recipe.min_tokens: it can be an equal text only.
  bool has_features = false;
};

/// Returns the most memory that fingerprinting, or counting the tokens of, a text of `text_bytes` takes, its
/// TextFingerprint included, for texts of one-letter words, which take most; usual ones take a third. (A few letters
/// that normalisation writes out as whole words take more still.) `tree_bytes` are those of a page's tree.
[[nodiscard]] uint64_t working_bytes(const Recipe& recipe, uint64_t text_bytes, uint64_t tree_bytes,
                                     bool spares_memory);

/// Returns the most memory that the tree of `text` takes where the recipe reads it as a page, else 0.
[[nodiscard]] uint64_t page_tree_bytes(const Recipe& recipe, std::string_view text);

/// Computes fingerprints under one recipe. Threads: one object per thread (it owns scratch memory); the Idf is shared.
class Fingerprinter {
 public:
  /// `idf` may be null where no fingerprint of the recipe uses IDF weights.
  /// Errors: kInvalidArgument where the recipe is not valid or needs an IDF or phrases that are not given; kMismatch
  /// where the IDF says that it counts other tokens than the recipe's.
  [[nodiscard]] static Result<Fingerprinter> create(const Recipe& recipe, std::shared_ptr<const feature::Idf> idf);
  Fingerprinter(Fingerprinter&&) noexcept;
  Fingerprinter& operator=(Fingerprinter&&) noexcept;
  ~Fingerprinter();

  /// Fills `text_fingerprint` for `text` (any bytes; invalid UTF-8 is repaired with U+FFFD). No allocation once buffers
  /// have grown. Tokens behind the first 4 GiB of the normalised text are not looked at.
  void fingerprint(std::string_view text, TextFingerprint& text_fingerprint);

  /// From now on texts take less memory and more time; fingerprints stay the same. For single long texts: a new object
  /// that is destroyed after one gives everything back.
  void spare_memory();
  /// Of a page only so much is read from now on that its tree takes no more than `page_memory_bytes`.
  void limit_pages(uint64_t page_memory_bytes);

  /// Tokenises `text` and counts its distinct tokens as one document in `builder`: the first pass that learns an IDF.
  void count_tokens(std::string_view text, feature::IdfBuilder& builder);

  /// Returns the hashes of the tokens of `text` as features are made of them, phrases joined. Valid until the next
  /// call.
  [[nodiscard]] std::span<const uint64_t> token_hashes(std::string_view text);

  /// Returns the tokens of `text`, those that are left out too. Slow.
  [[nodiscard]] CutText cut(std::string_view text);

  /// Returns how the fingerprints of `text` come about; they are those of fingerprint(). Slow.
  [[nodiscard]] Explanation explain(std::string_view text);

 private:
  struct Impl;
  explicit Fingerprinter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup::recipe
