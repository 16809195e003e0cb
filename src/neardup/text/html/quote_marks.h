// What attributes say of parts of a page that repeat another mail or post.
#pragma once

#include <cstdint>
#include <string_view>

namespace neardup::text {

/// What is quoted, as mail programs and forums mark it.
enum class QuoteMark : uint8_t {
  kNone,
  kPost,  // a post, by the software of a forum
  kMail,  // a mail, or the line that introduces it
  kHead,  // the head of a mail that stands below an answer, to the end of the page
};

/// Returns what an attribute says of its element: classes and ids ("gmail_quote", "divRplyFwdMsg"), type="cite", and
/// the line that Outlook draws over the head of a mail. `name`: "class", "id", "type" or "style".
[[nodiscard]] QuoteMark quote_mark_of(std::string_view name, std::string_view value);

}  // namespace neardup::text
