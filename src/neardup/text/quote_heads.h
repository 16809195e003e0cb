// What stands before a quotation in mails, news and posts.
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup::text {

/// Returns whether `line` says that what follows was written by somebody: it ends in a colon and holds a word like
/// "wrote" in one of some 30 languages, a mail address or a time of day. "Said" is no such word: articles set block
/// quotes behind it.
[[nodiscard]] bool introduces(std::string_view line);

/// Returns whether `line` ends in a colon and holds such a word.
[[nodiscard]] bool says_wrote(std::string_view line);

/// Returns whether `line` is an introduction as mail programs write it: it holds a word like "wrote" and two at least
/// of an address in angle brackets, a time and a date, or all three of these and no word.
[[nodiscard]] bool introduces_mail(std::string_view line);

/// Returns whether the introduction that ends in `line` begins in the line `before` that, which is no sentence: `line`
/// holds a word like "wrote" and `before` an address, a time or a year, or `line` an address or time and `before` the
/// word.
[[nodiscard]] bool introduces_in_two(std::string_view before, std::string_view line);

/// Returns whether the first line of `text` is a rule that says that a mail is passed on: "---------- Forwarded
/// message".
[[nodiscard]] bool begins_forward(std::string_view text);

/// Where a mail stands below an answer without a sign before its lines: from `begin` on to the end of the text.
struct QuotedMail {
  size_t begin = std::string_view::npos;
  bool forwarded = false;  // passed on: not to be found elsewhere
};

/// Returns how many bytes the head of a mail takes that `text` begins with, its empty line included; 0 where it begins
/// with none. A head names sender and subject; "From ann@..." of a mailbox may stand before it.
[[nodiscard]] size_t own_head_size(std::string_view text);

/// Returns whether `text` begins with a line of the head of a mail: "From:", "Date:", "Subject:".
[[nodiscard]] bool begins_head(std::string_view text);

/// Returns the first such mail in `text`, which is not at its beginning. Where `text` begins with a head of its own it
/// stands below that, and not behind a rule without words, as the mails of a digest do. It begins with its own head,
/// behind a blank line or a rule with words ("-----Original Message-----"): a line for the sender (From, Von, De,
/// 发件人, ...) and within eight lines one for the subject, or with the only line of the text that introduces with both
/// a verb and an address or time, is not set in, and holds two at least of an address in angle brackets, a time and a
/// date. Looked for only in texts with an address ("@") or a rule. Cost: a look at both ends of each line of those.
[[nodiscard]] QuotedMail find_quoted_mail(std::string_view text);

/// The same where an empty line stands before heads of mails alone: looked for in any text. Their
/// lines may stand in any order.
[[nodiscard]] QuotedMail find_marked_mail(std::string_view text);

}  // namespace neardup::text
