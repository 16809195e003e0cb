// What an answer repeats of the mail, news article or post that it answers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace neardup::text {

/// Where a text comes from, which says what its lines of signs are.
enum class QuoteSource {
  kText,    // plain text
  kPage,    // the text of a page, which has no empty lines
  kMarked,  // the same, with its quotes marked: HtmlOptions::mark_quotes
};

/// Replaces `out` by what a text (UTF-8; invalid sequences are copied) says itself, without what it quotes and without
/// the lines that introduce that, and returns how many lines were left out. Where it returns 0, nothing is left out and
/// `out` is empty. Left out are:
/// - Posts between "[quote]" and "[/quote]" (forum_quotes.h); where there are any, nothing else.
/// - The mail below an answer, from its head to the end of the text (quote_heads.h).
/// - Quoted lines. They begin with ">" (also "&gt;", "> >", ">|", or behind up to three capitals: "JM>"), "|" or "}".
///   Such lines are found elsewhere too: in Markdown, tables, sessions of a shell, code. So they count only where the
///   text shows that it is an answer, for each sign apart: the line before some of them introduces a quotation, or such
///   an introduction or the head of a mail ("From: ") is quoted itself. For ">" it is enough, too, that kLeastQuoted
///   lines or more are quoted once and as many twice, or the text has a signature ("-- ", RFC 3676) beside the first;
///   or that three lines or more are prose, and the text is no Markdown.
/// An answer of less than kLeastOwnWords words before its signature or the footer of a list ("_____") is left without
/// that, and with a word that stands for what it quotes, as "I agree" says another thing below another mail. Nothing is
/// left out where not one word is the text's own, or a mail is passed on below as many.
/// Of pages lines are quoted that were marked so, or that an introduction of a mail program stands before
/// (introduces_mail()), and mails below a rule; the other signs above mean nothing there.
/// `text` must not lie in `out`. Cost: a search for each sign in texts that have none, else
/// one or two passes over the lines; no allocation once `out` has grown, but for short answers. Memory: that of `out`,
/// at most as much as `text`.
size_t leave_out_quotes(std::string_view text, std::string& out, QuoteSource source = QuoteSource::kText);

inline constexpr size_t kLeastOwnWords = 16;
inline constexpr size_t kLeastQuoted = 2;

}  // namespace neardup::text
