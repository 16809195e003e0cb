// What short texts of a page say in many languages: "Related articles", "Read more", "Published on", "Subscribe".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup::text {

/// A set of what the beginning of a text says.
enum Phrase : uint32_t {
  kNoPhrase = 0,
  kOthers = 1 << 0,     // "You may also like", "Most read": heads a list of other pages, and nothing else
  kPointer = 1 << 1,    // "Related", "Read more", "See also": may point to another page
  kPublished = 1 << 2,  // "By", "Published", "3 min read": who and when
  kCredit = 1 << 3,     // "Reporting by": who else
};

/// Returns what `text` begins with, letter case and signs before it not heeded. Any bytes.
/// Cost: some hundred ns, for a text of up to kMaxPhraseBytes; longer ones say nothing.
[[nodiscard]] uint32_t phrases_of(std::string_view text);

inline constexpr size_t kMaxPhraseBytes = 320;

/// Returns whether a text of up to kMaxPhraseBytes asks its reader to subscribe to or to follow something.
[[nodiscard]] bool asks_to_follow(std::string_view text);

}  // namespace neardup::text
