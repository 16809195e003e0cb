// What the names of an element's classes and its id say about its content.
#pragma once

#include <cstdint>
#include <string_view>

namespace neardup::text {

/// A set of hints; each word of a name gives some.
enum Hint : uint32_t {
  kNoHint = 0,
  kContent = 1 << 0,       // "content", "post", "story": may hold the text
  kKeep = 1 << 1,          // "article", "body", "main": never thrown away by its name alone
  kBoilerplate = 1 << 2,   // "sidebar", "footer", "related": thrown away by its name
  kSuspect = 1 << 3,       // "media", "meta", "widget": counts against an element
  kShare = 1 << 4,         // "share", "social"
  kComments = 1 << 5,      // "comments", "disqus"
  kByline = 1 << 6,        // "byline", "author"
  kHiddenName = 1 << 7,    // "hidden", "sr-only"
  kNotice = 1 << 8,        // "cookie", "gdpr", "paywall": laid over the page
  kText = 1 << 9,          // with kKeep or kContent in one name: "article-body", "entry-content", "story text"
  kSubject = 1 << 10,      // what an article is called
  kCaptionName = 1 << 11,  // "caption", "credit", "gallery"
  kConsent = 1 << 12,      // with kNotice: "cookie", "consent", "gdpr", but not "modal"
  kSideBar = 1 << 13,      // a name that begins with it: "aside-content", but not "with-sidebar"
  kQuoted = 1 << 14,       // a mail or post that is quoted (quote_marks.h)
  kQuotedHead = 1 << 15,   // the head of a mail below an answer
};

/// Returns the hints of a class or id attribute: its words are cut at everything that is no letter and before capitals.
/// Cost: a look into a small table per word; only the first 64 words are looked at.
[[nodiscard]] uint32_t hints_of_name(std::string_view attribute);

/// Returns whether the hints name the body of an article: a subject ("article", "story") with a part ("body", "text").
[[nodiscard]] constexpr bool names_article_body(uint32_t hints) {
  return (hints & kText) != 0 && (hints & kSubject) != 0 && (hints & (kBoilerplate | kComments | kShare)) == 0;
}

}  // namespace neardup::text
