// What normalisation makes of each code point by itself, and how it acts on its neighbours.
#pragma once

#include <unicode/normalizer2.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "neardup/text/normalizer.h"
#include "neardup/text/pages.h"

namespace neardup::text {

/// How the normaliser treats a code point. A segment begins at a code point that never acts on what is before it
/// ("starts") and reaches to the next such one; segments are normalised one by one.
enum class Kind : uint8_t {
  kSame,      // starts, unchanged
  kSameTail,  // starts, unchanged, but a mark after it may have to move before its own: "é" and cedilla
  kMapped,    // starts, becomes one other code point, with or without such a tail
  kSpace,     // starts, white space before or after mapping
  kString,    // starts, becomes several code points
  kIgnored,   // disappears, wherever it stands
  kMark,      // unchanged where no mark of a higher combining class stands before it
  kMaybe,     // unchanged where the code point before it does not compose with it
  kSlow,      // the segment goes to ICU
};

struct MappingPage {
  std::array<Kind, 256> kind;
  // kMapped, kSpace: the new code point. kString: offset << 8 | size in `pool`. kMark: combining class.
  std::array<uint32_t, 256> value;
  std::string pool;

  [[nodiscard]] std::string_view string(uint32_t value_) const {
    return std::string_view(pool).substr(value_ >> 8, value_ & 0xFF);
  }
};

/// Which Han characters are folded.
enum class HanFold { kNone, kResized, kAll };
HanFold han_fold_of(const NormalizeOptions& options);

/// Returns `c`, folded where `which` holds for it.
char32_t fold_han(char32_t c, HanFold which);

struct BuildMapping {
  Normalization normalization;
  HanFold han;
  std::unique_ptr<MappingPage> operator()(char32_t first) const;
};

using Mapping = Pages<MappingPage, BuildMapping>;

/// Returns the table for these options, one for the whole program.
Mapping& shared_mapping(const NormalizeOptions& options);

/// Returns ICU's NFKC_Casefold, but for numbers that are raised, lowered, circled or fractions, and other characters of
/// the block Superscripts and Subscripts, which stay as they are.
const icu::Normalizer2& nfkc_casefold();

/// Returns whether `c` has the property White_Space.
bool is_white_space(char32_t c);

}  // namespace neardup::text
