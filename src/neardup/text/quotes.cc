#include "neardup/text/quotes.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "neardup/base/trim.h"
#include "neardup/text/ascii.h"

namespace neardup::text {
namespace {

// An introduction of two lines is longer than this only where its first is a name or an address without end.
constexpr size_t kLongestIntroduction = 400;
constexpr size_t kMostBlanks = 2;     // before a sign; code is set in by more
constexpr size_t kMostInitials = 3;   // "JM>"
constexpr size_t kShortestRule = 10;  // of characters in a row: "__________"

constexpr std::string_view kSigns = ">|}";
constexpr size_t kNoSign = std::string_view::npos;

// What says in an introduction that somebody wrote something, as it stands in mails and news of these languages.
// "said" is none: articles set block quotes behind it.
constexpr std::string_view kVerbs[] = {
    "wrote",   "writes",   "Quoth",     "schrieb",  "schrieben",  "schreibt", "geschrieben", "a écrit",  "écrivait",
    "écrivit", "escribió", "escribio",  "escreveu", "ha scritto", "scrisse",  "schreef",     "schreven", "skrev",
    "napisał", "napsal",   "kirjoitti", "пишет",    "писал",      "написал",  "写道",        "寫道",     "書きました"};

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
};

size_t skip_blanks(std::string_view line, size_t at, size_t most) {
  const size_t end = std::min(line.size(), at + most);
  while (at < end && is_blank_byte(line[at])) ++at;
  return at;
}

/// The signs ">" from `at` on, with at most a blank between two of them.
size_t depth_at(std::string_view line, size_t at) {
  size_t depth = 0;
  while (at < line.size() && line[at] == '>') {
    ++depth;
    at = skip_blanks(line, at + 1, 1);
  }
  return depth;
}

Quotation quotation_of(std::string_view line) {
  size_t at = skip_blanks(line, 0, kMostBlanks);
  if (at == line.size()) return {};
  const size_t initials = at;
  while (at < line.size() && at < initials + kMostInitials && is_ascii_capital(line[at])) ++at;
  if (at == line.size()) return {};
  const size_t sign = kSigns.find(line[at]);
  if (sign == kNoSign || (at > initials && sign != 0)) return {};
  return {sign, sign == 0 ? depth_at(line, at) : 0};
}

bool ends_in_colon(std::string_view line) { return line.ends_with(':') || line.ends_with("："); }

/// Whether `verb` stands in `line` at a word's end and beginning; letters of other scripts than Latin need none.
bool holds_word(std::string_view line, std::string_view verb) {
  for (size_t at = line.find(verb); at != std::string_view::npos; at = line.find(verb, at + 1)) {
    if (static_cast<uint8_t>(verb.front()) >= 0xD0) return true;
    if (at == 0 || !is_letter_byte(line[at - 1])) return true;
  }
  return false;
}

/// "12:48", which the dates of mails hold.
bool holds_time(std::string_view line) {
  const auto digit = [&](size_t at) { return line[at] >= '0' && line[at] <= '9'; };
  for (size_t at = line.find(':'); at != std::string_view::npos && at + 2 < line.size(); at = line.find(':', at + 1))
    if (at > 0 && digit(at - 1) && digit(at + 1) && digit(at + 2)) return true;
  return false;
}

/// Whether `line` says that what follows was written by somebody: with a verb, or with a mail's address or time.
bool introduces(std::string_view line) {
  line = without_blanks(line);
  if (!ends_in_colon(line)) return false;
  if (line.size() > kLongestIntroduction) line.remove_prefix(line.size() - kLongestIntroduction);
  if (line.find('@') != std::string_view::npos || holds_time(line)) return true;
  return std::ranges::any_of(kVerbs, [&](std::string_view verb) { return holds_word(line, verb); });
}

/// Whether a line that begins with ">" is one that only mail programs quote: an introduction, or the head of a mail.
bool is_of_a_mail(std::string_view quoted) {
  const size_t begin = quoted.find_first_not_of("> \t");
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

/// Which signs quote in a text.
class Evidence {
 public:
  void see(std::string_view line) {
    const Quotation quotation = quotation_of(line);
    if (quotation.sign == kNoSign) {
      if (!is_empty(line)) last_own_ = line;
      has_signature_ = has_signature_ || is_signature_mark(line);
      last_quoted_ = last_quoted_ && is_empty(line);
      return;
    }
    // Asked where a block of quoted lines begins only, so that each line is looked at once.
    if (!last_quoted_ && introduces(last_own_)) quotes_[quotation.sign] = true;
    if (quotation.sign == 0 && !quotes_[0]) quotes_[0] = is_of_a_mail(line);
    last_quoted_ = true;
    if (quotation.depth == 1) ++num_once_;
    if (quotation.depth == 2) ++num_twice_;
  }

  [[nodiscard]] bool quotes(size_t sign) const {
    if (sign == kNoSign) return false;
    if (sign != 0) return quotes_[sign];
    return quotes_[0] || (num_once_ >= kLeastQuoted && (has_signature_ || num_twice_ >= kLeastQuoted));
  }

  [[nodiscard]] bool any() const { return quotes(0) || quotes(1) || quotes(2); }

 private:
  std::string_view last_own_;
  std::array<bool, kSigns.size()> quotes_ = {};
  size_t num_once_ = 0, num_twice_ = 0;
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

/// Counts the words of one's own, up to as many as are asked for.
class OwnWords {
 public:
  void see(std::string_view line) {
    if (enough() || signature_) return;
    signature_ = begins_signature(line);
    if (signature_) return;
    bool inside = false;
    for (const char c : line) {
      const bool letter = is_letter_byte(c);
      num_words_ += static_cast<size_t>((letter && !inside) || (inside && begins_wide(c)));
      inside = letter;
    }
  }

  [[nodiscard]] bool enough() const { return num_words_ >= kLeastOwnWords; }

 private:
  size_t num_words_ = 0;
  bool signature_ = false;
};

bool may_quote(std::string_view text) {
  return std::ranges::any_of(kSigns, [&](char sign) { return text.find(sign) != std::string_view::npos; });
}

/// Copies what is one's own. An introduction is known only by the quoted line behind it, so what was written of it is
/// taken back.
class Copy {
 public:
  Copy(const Evidence& evidence, std::string& out) : evidence_(evidence), out_(out) {}

  void see(std::string_view line) {
    const std::string_view content = content_of(line);
    if (evidence_.quotes(quotation_of(content).sign)) return leave_out();
    if (!is_empty(content)) {
      own_.see(last_);
      last_ = content;
      last_begin_ = out_.size();
      num_from_last_ = 0;
      last_quoted_ = false;
    }
    ++num_from_last_;
    out_ += line;
  }

  /// Returns how many lines were left out; 0 where too little is one's own.
  size_t finish() {
    own_.see(last_);
    return own_.enough() ? num_left_out_ : 0;
  }

 private:
  void leave_out() {
    ++num_left_out_;
    if (!last_quoted_ && introduces(last_)) {
      out_.resize(last_begin_);
      last_ = {};
      num_left_out_ += num_from_last_;
      num_from_last_ = 0;
    }
    last_quoted_ = true;
  }

  const Evidence& evidence_;
  std::string& out_;
  OwnWords own_;
  std::string_view last_;     // line that was written and is not blank
  size_t last_begin_ = 0;     // of it in the output
  size_t num_from_last_ = 0;  // lines written from it on
  size_t num_left_out_ = 0;
  bool last_quoted_ = false;
};

}  // namespace

size_t leave_out_quotes(std::string_view text, std::string& out) {
  out.clear();
  if (!may_quote(text)) return 0;
  Evidence evidence;
  each_line(text, [&](std::string_view line) { evidence.see(content_of(line)); });
  if (!evidence.any()) return 0;
  Copy copy(evidence, out);
  each_line(text, [&](std::string_view line) { copy.see(line); });
  const size_t num_left_out = copy.finish();
  if (num_left_out == 0) out.clear();
  return num_left_out;
}

}  // namespace neardup::text
