// What an answer repeats of the mail, news article or post that it answers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace neardup::text {

/// Replaces `out` by `text` (UTF-8; invalid sequences are copied) without its quoted lines and without the lines that
/// introduce them, and returns how many lines were left out. Where it returns 0, nothing is left out and `out` is
/// empty.
///
/// A quoted line begins with ">" (also "> >", ">|", or behind up to three capitals: "JM>"), "|" or "}". Such lines are
/// found elsewhere too: in Markdown, tables, sessions of a shell, code. So they count only where the text shows that it
/// is an answer, for each sign apart: the line before some of them introduces a quotation, that is, it ends in a colon
/// and holds a word like "wrote" ("schrieb", "a écrit", "escribió", "写道"), a mail address or a time of day. For ">"
/// it is enough, too, that such an introduction or the head of a mail ("From: ") is quoted; or that kLeastQuoted lines
/// or more are quoted once and as many twice, or the text has a signature ("-- ", RFC 3676) beside the first. And only
/// where what remains has kLeastOwnWords words before the signature or the footer of a list ("_____"): shorter answers
/// are told apart by what they answer.
/// `text` must not lie in `out`. Cost: a search for each sign in texts that have none, else one or two passes over the
/// lines; no allocation once `out` has grown. Memory: that of `out`, at most as much as `text`.
size_t leave_out_quotes(std::string_view text, std::string& out);

inline constexpr size_t kLeastOwnWords = 16;
inline constexpr size_t kLeastQuoted = 2;

}  // namespace neardup::text
