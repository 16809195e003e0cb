// Which recipe made a file of fingerprints, in words.
#pragma once

#include <string>
#include <string_view>

#include "neardup/base/result.h"

namespace neardup::recipe {

/// Returns "grams (0123456789ab)" where a named recipe makes fingerprints or signatures of that id, "0123456789ab"
/// where none does: that of a file, or of weights learnt from an input.
[[nodiscard]] std::string recipe_words(std::string_view id);

/// Where fingerprints stand ("'a.tsv'", "line 7") and the id of their recipe.
struct FingerprintOrigin {
  std::string_view place;
  std::string_view recipe_id;
};

/// Returns the Error (kMismatch) that fingerprints of two recipes cannot be compared, naming both, and the cure.
[[nodiscard]] tl::unexpected<Error> recipes_differ(const FingerprintOrigin& a, const FingerprintOrigin& b);

}  // namespace neardup::recipe
