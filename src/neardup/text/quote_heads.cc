#include "neardup/text/quote_heads.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "neardup/base/trim.h"

namespace neardup::text {
namespace {

// An introduction of two lines is longer than this only where its first is a name or an address without end.
constexpr size_t kLongestIntroduction = 400;
constexpr size_t kLongestHeadName = 32;  // bytes of "From", with blanks and stars around
constexpr int kMostHeadLines = 8;
constexpr size_t kNowhere = std::string_view::npos;
constexpr std::string_view kWideColon = "：";

// What says in an introduction that somebody wrote something, as it stands in mails and news of these languages.
constexpr std::string_view kVerbs[] = {
    "wrote",     "writes",  "Quoth",    "schrieb",      "schrieben", "schreibt",   "geschrieben", "a écrit",
    "écrivait",  "écrivit", "escribió", "escribio",     "escreveu",  "ha scritto", "scrisse",     "schreef",
    "schreven",  "skrev",   "napisał",  "napsal",       "napísal",   "kirjoitti",  "kirjutas",    "va escriure",
    "a scris",   "írta",    "yazdı",    "đã viết",      "menulis",   "je napisa",  "je napisal",  "rakstīja",
    "rašė",      "έγραψε",  "пишет",    "пише",         "писал",     "написал",    "написав",     "написа",
    "כתב",       "كتب",     "نوشت",     "كتابة ما يلي", "写道",      "寫道",       "書きました",  "のメール",
    "님이 작성", "님이 씀", "เขียน",     "ने लिखा"};

// Names of the lines for sender and subject in heads of mails.
constexpr std::string_view kSenders[] = {"From",   "Von",       "De",     "Da",     "Van",    "Från",   "Fra",
                                         "Od",     "Lähettäjä", "От",     "Від",    "发件人", "寄件者", "寄件人",
                                         "差出人", "보낸 사람", "Kimden", "Feladó", "Από",    "Saatja"};
constexpr std::string_view kSubjects[] = {"Subject",   "Betreff", "Objet", "Asunto",   "Assunto", "Oggetto",
                                          "Onderwerp", "Ämne",    "Emne",  "Temat",    "Předmět", "Predmet",
                                          "Aihe",      "Тема",    "主题",  "主旨",     "件名",    "제목",
                                          "Konu",      "Tárgy",   "Θέμα",  "Assumpte", "Subiect", "Teema"};
constexpr std::string_view kDates[] = {"Date",       "Sent",    "Datum",     "Gesendet", "Envoyé", "Fecha",   "Enviado",
                                       "Data",       "Inviato", "Verzonden", "Skickat",  "Sendt",  "Wysłano", "Дата",
                                       "Отправлено", "日期",    "发送时间",  "送信日時", "날짜"};
// One of these is in a text with a mail below: most texts are done with when they were looked for.
constexpr std::string_view kMailMarks[] = {"@", "---", "___"};
// What a rule of a mail that was passed on says.
constexpr std::string_view kForwards[] = {"orward",    "FWD",       "eitergeleitet", "ransféré",    "ransmis",
                                          "eenviad",   "ncaminhad", "noltrat",       "oorgestuurd", "idarebefordra",
                                          "ideresend", "rzekazan",  "ересыла",       "ересланн",    "转发",
                                          "轉寄",      "転送",      "전달"};

bool is_name_byte(char c) {
  return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || static_cast<uint8_t>(c) >= 0x80;
}
bool is_digit_byte(char c) { return c >= '0' && c <= '9'; }

std::string_view without_margin(std::string_view line) { return trim_blanks(line, " \t\r"); }
bool ends_in_colon(std::string_view line) { return line.ends_with(':') || line.ends_with(kWideColon); }

/// Whether `verb` stands in `line` at a word's beginning; letters of other scripts than Latin need none.
bool holds_word(std::string_view line, std::string_view verb) {
  for (size_t at = line.find(verb); at != kNowhere; at = line.find(verb, at + 1)) {
    if (static_cast<uint8_t>(verb.front()) >= 0xD0) return true;
    if (at == 0 || !is_name_byte(line[at - 1])) return true;
  }
  return false;
}

/// "12:48", which the dates of mails hold.
bool holds_time(std::string_view line) {
  for (size_t at = line.find(':'); at != kNowhere && at + 2 < line.size(); at = line.find(':', at + 1))
    if (at > 0 && is_digit_byte(line[at - 1]) && is_digit_byte(line[at + 1]) && is_digit_byte(line[at + 2]))
      return true;
  return false;
}

bool holds_year(std::string_view line) {
  for (const std::string_view century : {"19", "20"})
    for (size_t at = line.find(century); at != kNowhere && at + 3 < line.size(); at = line.find(century, at + 1))
      if (is_digit_byte(line[at + 2]) && is_digit_byte(line[at + 3])) return true;
  return false;
}

bool is_date_sign(char c) { return c == '.' || c == '/' || c == '-'; }

/// "03.05.02", "5/3/02", or a year.
bool holds_date(std::string_view line) {
  size_t num_signs = 0;  // each between digits, with no more than two of these between two signs
  for (size_t at = 1, last = 0; at + 1 < line.size(); ++at) {
    if (!is_date_sign(line[at]) || !is_digit_byte(line[at - 1]) || !is_digit_byte(line[at + 1])) continue;
    num_signs = num_signs > 0 && at - last <= 3 ? num_signs + 1 : 1;
    if (num_signs == 2) return true;
    last = at;
  }
  return holds_year(line);
}

/// "<ann@example.org>"
bool holds_address(std::string_view line) {
  for (size_t open = line.find('<'); open != kNowhere; open = line.find('<', open + 1)) {
    const std::string_view inside = line.substr(open + 1, line.find_first_of("<> \t\r\n", open + 1) - open - 1);
    const size_t at = inside.find('@'), close = open + 1 + inside.size();
    if (close < line.size() && line[close] == '>' && at != kNowhere && inside.find('.', at) != kNowhere) return true;
  }
  return false;
}

/// How many of an address, a time and a date an introduction holds. Those of mail programs hold two at least: a
/// sentence of an article may name one.
int num_data(std::string_view introduction) {
  return static_cast<int>(holds_address(introduction)) + static_cast<int>(holds_time(introduction)) +
         static_cast<int>(holds_date(introduction));
}
constexpr int kAllData = 3;
bool is_of_a_program(std::string_view introduction) { return num_data(introduction) >= kAllData - 1; }

bool is_dated(std::string_view line) { return line.find('@') != kNowhere || holds_time(line); }

bool holds_verb(std::string_view line) {
  return std::ranges::any_of(kVerbs, [&](std::string_view verb) { return holds_word(line, verb); });
}

/// Without the marks of direction that Hebrew and Arabic introductions end with: U+200E, U+200F, U+202A..U+202E.
std::string_view without_directions(std::string_view line) {
  while (line.size() >= 3 && line[line.size() - 3] == '\xE2' && line[line.size() - 2] == '\x80') {
    const auto last = static_cast<uint8_t>(line.back());
    if (last != 0x8E && last != 0x8F && (last < 0xAA || last > 0xAE)) break;
    line.remove_suffix(3);
  }
  return line;
}

std::string_view end_of(std::string_view line) {
  line = without_directions(without_margin(line));
  if (line.size() > kLongestIntroduction) line.remove_prefix(line.size() - kLongestIntroduction);
  return line;
}

std::string_view line_at(std::string_view text, size_t begin) {
  return begin >= text.size() ? std::string_view() : text.substr(begin, text.find('\n', begin) - begin);
}

/// Where the line behind that at `begin` begins; the text's end.
size_t next_line(std::string_view text, size_t begin) {
  return std::min(std::min(text.find('\n', begin), text.size()) + 1, text.size());
}

/// The name before the first colon of a line: "From" of "*From:* a".
std::string_view head_name(std::string_view line) {
  size_t end = line.substr(0, kLongestHeadName).find(':');
  if (end == kNowhere && !line.empty() && static_cast<uint8_t>(line.front()) >= 0xE0)
    end = line.substr(0, kLongestHeadName).find(kWideColon);
  return end == kNowhere ? std::string_view() : trim_blanks(line.substr(0, end), " \t*");
}

template <size_t kSize>
bool is_one_of(const std::string_view (&names)[kSize], std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

/// A line of signs with words between them: "-----Original Message-----".
bool is_worded_rule(std::string_view line) {
  line = without_margin(line);
  const bool framed = line.starts_with("--") && (line.ends_with("--") || line.ends_with("->"));
  return framed && std::ranges::any_of(line, is_name_byte);
}

/// "------------------------------", between the mails of a digest.
bool is_plain_rule(std::string_view line) {
  line = without_margin(line);
  return line.size() >= 10 && line.find_first_not_of("-=*") == kNowhere;
}

bool says_forward(std::string_view line) {
  return std::ranges::any_of(kForwards, [&](std::string_view word) { return line.find(word) != kNowhere; });
}

bool is_underline(std::string_view line) {
  line = without_margin(line);
  return line.size() >= 10 && line.find_first_not_of('_') == kNowhere;
}

/// The bytes that lines for the sender begin with.
constexpr std::array<bool, 256> make_sender_bytes() {
  std::array<bool, 256> bytes = {};
  bytes['*'] = true;
  for (const std::string_view name : kSenders) bytes[static_cast<uint8_t>(name.front())] = true;
  return bytes;
}
constexpr std::array<bool, 256> kSenderBytes = make_sender_bytes();

/// Finds heads of mails, line by line.
class HeadSearch {
 public:
  explicit HeadSearch(std::string_view text, bool is_marked = false) : text_(text), is_marked_(is_marked) {}

  QuotedMail find() {
    own_head_ = own_head_size(text_);
    for (size_t begin = own_head_; begin < text_.size() && found_.begin == kNowhere;) {
      const size_t end = std::min(text_.find('\n', begin), text_.size());
      const std::string_view line = text_.substr(begin, end - begin);
      if (!line.empty()) see(line, begin);
      before_ = begin;
      if (!line.empty() && line != "\r") last_ = begin;
      begin = end + 1;
    }
    if (num_introductions_ == 1 && introduction_ < found_.begin) found_ = {introduction_, false};
    return found_;
  }

 private:
  void see(std::string_view line, size_t begin) {
    if (kSenderBytes[static_cast<uint8_t>(line.front())]) see_head(line, begin);
    size_t end = line.size();
    for (int i = 0; i < 2 && end > 1 && (line[end - 1] == '\r' || line[end - 1] == ' '); ++i) --end;
    if (line[end - 1] == ':' || line[end - 1] == kWideColon.back()) see_introduction(line, begin);
  }

  void see_head(std::string_view line, size_t begin) {
    if (!is_one_of(kSenders, head_name(line))) return;
    if (is_marked_) begin = first_of_head(begin);
    if (!names_subject(begin)) return;
    const size_t rule = rule_before(begin);
    if (rule == kNowhere) return;
    found_ = {rule, rule != begin && says_forward(line_at(text_, rule))};
  }

  /// Where the first of the lines of a head begins that stand before this one.
  [[nodiscard]] size_t first_of_head(size_t begin) const {
    for (int i = 0; i < kMostHeadLines && begin > 1; ++i) {
      const size_t feed = text_.rfind('\n', begin - 2);
      const size_t before = feed == kNowhere ? 0 : feed + 1;
      if (!begins_head(line_at(text_, before))) break;
      begin = before;
    }
    return begin;
  }

  /// Whether this line or one of the next is that of the subject. Lines that are too long go on in the next.
  [[nodiscard]] bool names_subject(size_t begin) const {
    if (is_one_of(kSubjects, head_name(line_at(text_, begin)))) return true;
    for (int i = 0; i < kMostHeadLines; ++i) {
      begin = next_line(text_, begin);
      const std::string_view line = line_at(text_, begin);
      if (without_margin(line).empty()) return false;
      if (is_one_of(kSubjects, head_name(line))) return true;
    }
    return false;
  }

  /// Where the rule before a head begins, or the head where a blank line is before it; kNowhere where it is none.
  [[nodiscard]] size_t rule_before(size_t begin) const {
    if (begin == 0 || last_ == kNowhere) return begin;
    if (is_marked_ && begin > 1 && text_[begin - 2] == '\n') return begin;
    const std::string_view line = line_at(text_, last_);
    if (own_head_ > 0 && is_plain_rule(line)) return kNowhere;
    if (is_worded_rule(line) || is_underline(line)) return last_;
    return before_ == last_ ? kNowhere : begin;
  }

  void see_introduction(std::string_view whole, size_t begin) {
    const std::string_view line = end_of(whole);
    if (!ends_in_colon(line) || line.starts_with('>')) return;
    const std::string_view before = before_ == kNowhere ? std::string_view() : line_at(text_, before_);
    const bool one = is_dated(line) && (holds_verb(line) || num_data(line) == kAllData);
    const bool two = !one && (is_dated(line) || is_dated(before)) && introduces_in_two(before, line);
    if ((!one && !two) || is_set_in(one ? whole : before) || quotes_below(begin)) return;
    ++num_introductions_;
    const size_t first = one ? begin : before_;
    introduction_ = is_of_a_program(end_of(text_.substr(first, begin + whole.size() - first))) ? first : kNowhere;
  }

  /// Whether a line is a part of a paragraph that is set in: documents are laid out so, mails are not.
  static bool is_set_in(std::string_view line) { return line.starts_with("   ") || line.starts_with('\t'); }

  [[nodiscard]] bool quotes_below(size_t begin) const {
    begin = next_line(text_, begin);
    while (begin < text_.size() && without_margin(line_at(text_, begin)).empty()) begin = next_line(text_, begin);
    return without_margin(line_at(text_, begin)).find_first_of(">|}") < 4;
  }

  std::string_view text_;
  bool is_marked_;
  size_t own_head_ = 0;
  QuotedMail found_;
  size_t before_ = kNowhere;  // where the line before begins
  size_t last_ = kNowhere;    // where the last line before that is not blank begins
  size_t introduction_ = kNowhere;
  size_t num_introductions_ = 0;
};

}  // namespace

bool introduces(std::string_view line) {
  line = end_of(line);
  return ends_in_colon(line) && (is_dated(line) || holds_verb(line));
}

bool says_wrote(std::string_view line) {
  line = end_of(line);
  return ends_in_colon(line) && holds_verb(line);
}

bool introduces_mail(std::string_view line) {
  line = end_of(line);
  if (!ends_in_colon(line)) return false;
  return holds_verb(line) ? is_of_a_program(line) : num_data(line) == kAllData;
}

bool introduces_in_two(std::string_view before, std::string_view line) {
  before = end_of(before);
  line = end_of(line);
  if (before.empty() || before.ends_with('.') || before.ends_with(':') || before.starts_with('>')) return false;
  const bool verb = holds_verb(line), dated = is_dated(line);
  if (verb == dated) return false;
  return verb ? is_dated(before) || holds_year(before) : holds_verb(before);
}

size_t own_head_size(std::string_view text) {
  bool has_sender = false, has_subject = false;
  size_t begin = text.starts_with("From ") ? next_line(text, 0) : 0;
  for (; begin < text.size(); begin = next_line(text, begin)) {
    const std::string_view line = line_at(text, begin);
    if (without_margin(line).empty()) return has_sender && has_subject ? next_line(text, begin) : 0;
    if (line.front() == ' ' || line.front() == '\t') continue;  // goes on
    const std::string_view name = head_name(line);
    if (name.empty() || line.starts_with('*')) return 0;
    has_sender = has_sender || is_one_of(kSenders, name);
    has_subject = has_subject || is_one_of(kSubjects, name);
  }
  return 0;
}

bool begins_forward(std::string_view text) {
  const std::string_view line = line_at(text, 0);
  return line.starts_with("--") && says_forward(line);
}

QuotedMail find_quoted_mail(std::string_view text) {
  const auto holds = [&](std::string_view mark) { return text.find(mark) != kNowhere; };
  return std::ranges::any_of(kMailMarks, holds) ? HeadSearch(text).find() : QuotedMail{};
}

QuotedMail find_marked_mail(std::string_view text) { return HeadSearch(text, true).find(); }

bool begins_head(std::string_view text) {
  const std::string_view name = head_name(line_at(text, 0));
  return is_one_of(kSenders, name) || is_one_of(kSubjects, name) || is_one_of(kDates, name);
}

}  // namespace neardup::text
