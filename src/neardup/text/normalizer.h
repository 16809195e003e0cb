// Any bytes -> clean, normalised UTF-8.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace neardup::text {

enum class Normalization {
  kNfkcCasefold,  // Unicode NFKC_Casefold (UAX #44): compatibility forms, case and default ignorable characters folded,
                  // but for numbers that are raised, lowered, circled or fractions: "10⁵" is not "105", "1½" not "11/2"
  kFolded,  // the same, and letters that readers take for one are one (letters.h, references.h, mojibake.h,
            // look_alikes.h)
  kNone,    // only repaired
};

struct NormalizeOptions {
  Normalization normalization = Normalization::kNfkcCasefold;
  bool fold_han = false;       // traditional Chinese characters become simplified ones, character by character
  bool han_in_place = false;   // of fold_han only what changes the number of bytes: fold_han_in_place() does the rest
  bool collapse_space = true;  // each run of white space becomes one U+0020; none at the start and the end
  bool operator==(const NormalizeOptions&) const = default;
};

/// Turns bytes into clean UTF-8. In this order: invalid UTF-8 is repaired (each maximal invalid subpart becomes U+FFFD,
/// Unicode 15 section 3.9, "U+FFFD Substitution of Maximal Subparts"; surrogates, overlong forms and values beyond
/// U+10FFFF are invalid), normalised, Han-folded, white space (Unicode White_Space) collapsed. With kFolded before all
/// this character references are replaced and misread UTF-8 is, and after it mixed words are written in one script.
/// With collapse_space the result is the canonical text whose checksum tells exact duplicates.
/// A character with more than kMaxSegment bytes of combining marks is normalised in pieces: no language has such, and
/// ordering them takes quadratic time.
/// With kFolded what remains of a letter is normalised and folded a second time: where nothing stands any longer
/// between two characters, they may compose. Cost: ASCII at many bytes a cycle, other text some cycles per character;
/// no allocation once buffers have grown; of those for a long text none above 1 MiB is kept. Threads: one object per
/// thread; the tables behind them are shared.
class Normalizer {
 public:
  static constexpr size_t kMaxSegment = 1024;

  explicit Normalizer(const NormalizeOptions& options = {});
  Normalizer(Normalizer&&) noexcept;
  Normalizer& operator=(Normalizer&&) noexcept;
  ~Normalizer();

  /// Replaces `out` by the clean form of `bytes`, which must not lie in `out`.
  void normalize(std::string_view bytes, std::string& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup::text
