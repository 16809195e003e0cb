#include "neardup/text/quotes.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "neardup/base/hash.h"
#include "neardup/base/trim.h"
#include "neardup/text/ascii.h"
#include "neardup/text/forum_quotes.h"
#include "neardup/text/quote_heads.h"

namespace neardup::text {
namespace {

constexpr size_t kMostBlanks = 2;       // before a sign; code is set in by more
constexpr size_t kMostInitials = 3;     // "JM>"
constexpr size_t kShortestRule = 10;    // of characters in a row: "__________"
constexpr size_t kLongestFooter = 120;  // words behind a signature's mark, or a rule
constexpr size_t kLeastBlock = 3;       // quoted lines that are prose
constexpr size_t kWordsOfProse = 5;     // in each of those, in the mean

constexpr std::string_view kSigns = ">|}";
constexpr std::string_view kReference = "&gt;";  // ">" in texts that were taken out of pages
constexpr size_t kNoSign = std::string_view::npos;

// Heads of a mail that is quoted with them.
constexpr std::string_view kQuoteHeads[] = {"From: ", "-----Original Message-----"};

bool is_blank_byte(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_letter_byte(char c) {
  return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || static_cast<uint8_t>(c) >= 0x80;
}
/// Of characters of three bytes from U+3000 on, which are words by themselves in scripts without spaces.
bool begins_wide(char c) { return static_cast<uint8_t>(c) >= 0xE3 && static_cast<uint8_t>(c) <= 0xED; }

std::string_view without_blanks(std::string_view line) { return trim_blanks(line, " \t\r"); }

/// How a line is quoted.
struct Quotation {
  size_t sign = kNoSign;  // in kSigns
  size_t depth = 0;       // how many signs ">" stand there
  size_t begin = 0;       // of what is quoted, behind the signs
};

size_t skip_blanks(std::string_view line, size_t at, size_t most) {
  const size_t end = std::min(line.size(), at + most);
  while (at < end && is_blank_byte(line[at])) ++at;
  return at;
}

/// How many bytes the sign ">" takes at `at`; 0 where there is none.
size_t sign_size(std::string_view line, size_t at) {
  if (at < line.size() && line[at] == '>') return 1;
  return line.substr(std::min(at, line.size())).starts_with(kReference) ? kReference.size() : 0;
}

/// The signs ">" from `at` on, with at most a blank between two of them.
Quotation quotation_at(std::string_view line, size_t at) {
  Quotation quotation{0, 0, at};
  for (size_t size = sign_size(line, at); size > 0; size = sign_size(line, quotation.begin)) {
    ++quotation.depth;
    quotation.begin = skip_blanks(line, quotation.begin + size, 1);
  }
  return quotation;
}

Quotation quotation_of(std::string_view line) {
  size_t at = skip_blanks(line, 0, kMostBlanks);
  const size_t initials = at;
  while (at < line.size() && at < initials + kMostInitials && is_ascii_capital(line[at])) ++at;
  if (at == line.size()) return {};
  if (sign_size(line, at) > 0) return quotation_at(line, at);
  const size_t sign = kSigns.find(line[at]);
  return sign == kNoSign || at > initials ? Quotation{} : Quotation{sign, 0, at + 1};
}

/// Whether a line that begins with a sign is one that only mail programs quote: an introduction, or the head of a mail.
bool is_of_a_mail(std::string_view quoted) {
  const size_t begin = quoted.find_first_not_of("|}> \t");
  if (begin == std::string_view::npos) return false;
  const std::string_view content = quoted.substr(begin);
  return introduces(content) ||
         std::ranges::any_of(kQuoteHeads, [&](std::string_view head) { return content.starts_with(head); });
}

/// Calls `visit(line with its line feed)` for each line.
template <class Visit>
void each_line(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    visit(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::string_view content_of(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  return line;
}

bool is_empty(std::string_view line) { return std::ranges::all_of(line, is_blank_byte); }

/// RFC 3676, section 4.3: "-- " alone on a line; many leave the blank out.
bool is_signature_mark(std::string_view line) { return line.starts_with("--") && without_blanks(line) == "--"; }

size_t words_of(std::string_view line) {
  size_t num_words = 0;
  bool inside = false;
  for (const char c : line) {
    const bool letter = is_letter_byte(c);
    num_words += static_cast<size_t>((letter && !inside) || (inside && begins_wide(c)));
    inside = letter;
  }
  return num_words;
}

/// Headings, fences and links of Markdown, whose block quotes quote no mail.
bool shows_markdown(std::string_view text) {
  return text.starts_with("# ") ||
         std::ranges::any_of(std::array<std::string_view, 6>{"\n# ", "\n## ", "\n### ", "```", "~~~", "]("},
                             [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; });
}

/// Which signs quote in a text.
class Evidence {
 public:
  explicit Evidence(QuoteSource source) : source_(source) { quotes_[0] = source == QuoteSource::kMarked; }

  void see(std::string_view line) {
    const Quotation quotation = quotation_of(line);
    if (quotation.sign == kNoSign) {
      if (!is_empty(line)) last_own_ = line;
      has_signature_ = has_signature_ || is_signature_mark(line);
      last_quoted_ = last_quoted_ && is_empty(line);
      return;
    }
    // Asked where a block of quoted lines begins only, so that each line is looked at once.
    if (!last_quoted_ && is_introduction(last_own_)) quotes_[quotation.sign] = true;
    if (!quotes_[quotation.sign]) quotes_[quotation.sign] = is_of_a_mail(line);
    last_quoted_ = true;
    if (quotation.depth == 1) ++num_once_, num_words_ += words_of(line);
    if (quotation.depth == 2) ++num_twice_;
  }

  /// To be called behind the last line of `text`: blocks of prose are quoted, too, where it is no Markdown.
  void finish(std::string_view text) {
    const bool prose = num_once_ >= kLeastBlock && num_words_ >= num_once_ * kWordsOfProse;
    if (!quotes(0) && prose && source_ == QuoteSource::kText) quotes_[0] = !shows_markdown(text);
  }

  [[nodiscard]] bool quotes(size_t sign) const {
    if (sign == kNoSign) return false;
    if (sign != 0) return quotes_[sign];
    if (source_ != QuoteSource::kText) return quotes_[0];
    return quotes_[0] || (num_once_ >= kLeastQuoted && (has_signature_ || num_twice_ >= kLeastQuoted));
  }

  [[nodiscard]] bool any() const { return quotes(0) || quotes(1) || quotes(2); }

 private:
  [[nodiscard]] bool is_introduction(std::string_view line) const {
    return source_ == QuoteSource::kText ? introduces(line) : introduces_mail(line);
  }

  QuoteSource source_;
  std::string_view last_own_;
  std::array<bool, kSigns.size()> quotes_ = {};
  size_t num_once_ = 0, num_twice_ = 0;
  size_t num_words_ = 0;  // in lines that are quoted once
  bool last_quoted_ = false;
  bool has_signature_ = false;
};

/// Whether a line stands between a text and its signature, or the footer of a list.
bool begins_signature(std::string_view line) {
  if (is_signature_mark(line)) return true;
  line = without_blanks(line);
  const auto is_rule = [&](char c) { return line.find_first_not_of(c) == std::string_view::npos; };
  return line.size() >= kShortestRule && (is_rule('_') || is_rule('-') || is_rule('='));
}

/// What is one's own of what is left of a text.
struct Own {
  size_t num_words = 0;         // between the head of a mail and the signature
  size_t num_footer_words = 0;  // from it on
  size_t end = 0;               // where it begins
};

Own own_of(std::string_view text) {
  Own own{0, 0, text.size()};
  size_t at = own_head_size(text);
  bool signature = false;
  each_line(text.substr(at), [&](std::string_view line) {
    if (!signature && begins_signature(content_of(line))) signature = true, own.end = at;
    (signature ? own.num_footer_words : own.num_words) += words_of(line);
    at += line.size();
  });
  return own;
}

bool may_quote(std::string_view text) {
  return text.find(kReference) != std::string_view::npos ||
         std::ranges::any_of(kSigns, [&](char sign) { return text.find(sign) != std::string_view::npos; });
}

/// Copies what is one's own. An introduction is known only by the quoted line behind it, so what was written of it is
/// taken back.
class Copy {
 public:
  Copy(const Evidence& evidence, std::string& out, QuoteDigest& digest)
      : evidence_(evidence), out_(out), digest_(digest) {}

  void see(std::string_view line) {
    const std::string_view content = content_of(line);
    const Quotation quotation = quotation_of(content);
    if (evidence_.quotes(quotation.sign)) return leave_out(content.substr(quotation.begin));
    if (!is_empty(content)) {
      before_ = blank_behind_ || last_quoted_ ? Line{} : last_;
      last_ = {content, out_.size(), 0};
      last_quoted_ = false;
    }
    blank_behind_ = is_empty(content);
    ++last_.num_lines;
    ++before_.num_lines;
    out_ += line;
  }

  void leave_out(std::string_view quoted) {
    ++num_left_out_;
    digest_.add(quoted);
    if (!last_quoted_ && introduces(last_.content)) take_back();
    last_quoted_ = true;
  }

  [[nodiscard]] size_t num_left_out() const { return num_left_out_; }

 private:
  struct Line {
    std::string_view content = {};
    size_t begin = 0;      // in the output
    size_t num_lines = 0;  // written from it on
  };

  /// The introduction, which may have begun one line before.
  void take_back() {
    const bool two = introduces_in_two(before_.content, last_.content);
    const Line& first = two ? before_ : last_;
    out_.resize(first.begin);
    num_left_out_ += first.num_lines;
    last_ = before_ = {};
  }

  const Evidence& evidence_;
  std::string& out_;
  QuoteDigest& digest_;
  Line last_;    // that was written and is not blank
  Line before_;  // the one right before that
  size_t num_left_out_ = 0;
  bool last_quoted_ = false;
  bool blank_behind_ = false;  // whether a blank line stands behind the last
};

/// What the passes over a text have left out.
struct LeftOut {
  size_t num_lines = 0;
  bool forwarded = false;
};

LeftOut leave_out_lines(std::string_view text, std::string& out, QuoteDigest& digest, QuoteSource source) {
  QuotedMail mail = source == QuoteSource::kMarked ? find_marked_mail(text) : find_quoted_mail(text);
  if (mail.begin < text.size() && own_of(text.substr(0, mail.begin)).num_words == 0) mail = {};
  const std::string_view before = text.substr(0, std::min(mail.begin, text.size()));
  Evidence evidence(source);
  if (may_quote(before)) {
    each_line(before, [&](std::string_view line) { evidence.see(content_of(line)); });
    evidence.finish(before);
  }
  if (before.size() == text.size() && !evidence.any()) return {};
  Copy copy(evidence, out, digest);
  each_line(before, [&](std::string_view line) { copy.see(line); });
  size_t num_lines = copy.num_left_out();
  each_line(text.substr(before.size()), [&](std::string_view line) { digest.add(line), ++num_lines; });
  return {num_lines, mail.forwarded};
}

/// Ends a short answer by a word for what it quotes, in place of its signature. Returns whether there is room.
bool name_quotes(const Own& own, const QuoteDigest& digest, size_t most, std::string& out) {
  const std::string word = "\n" + digest.word() + "\n";
  if (own.end + word.size() > most) return false;
  out.resize(own.end);
  out.append(word, out.ends_with('\n') ? 1 : 0);
  return true;
}

}  // namespace

size_t leave_out_quotes(std::string_view text, std::string& out, QuoteSource source) {
  QuoteDigest digest;
  LeftOut left_out{leave_out_forum_quotes(text, out, digest)};
  if (left_out.num_lines == 0) left_out = leave_out_lines(text, out, digest, source);
  if (left_out.num_lines == 0) return 0;
  const Own own = own_of(out);
  const bool is_short = own.num_words > 0 && own.num_words < kLeastOwnWords && own.num_footer_words <= kLongestFooter;
  const bool is_long = own.num_words >= kLeastOwnWords && !left_out.forwarded;
  if (is_long || (is_short && name_quotes(own, digest, text.size(), out))) return left_out.num_lines;
  out.clear();
  return 0;
}

}  // namespace neardup::text
