#include "neardup/sif/fold_code.h"

#include <algorithm>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "neardup/base/white_space.h"
#include "neardup/corpus/find/detect.h"
#include "neardup/sif/languages.h"

namespace neardup::sif {
namespace {

constexpr char kIdentifier = 'v';

std::vector<std::string_view> words_between_blanks(std::string_view list) {
  std::vector<std::string_view> words;
  while (!list.empty()) {
    const size_t end = std::min(list.find(' '), list.size());
    words.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

// A language, ready to be asked.
struct KnownLanguage {
  explicit KnownLanguage(const Language& language)
      : is(language), line_marks(words_between_blanks(language.line_marks)) {
    const auto blocks = words_between_blanks(language.block_marks), words = words_between_blanks(language.keywords);
    if (blocks.size() == 2) block_begin = blocks[0], block_end = blocks[1];
    keywords.insert(words.begin(), words.end());
  }
  Language is;
  std::vector<std::string_view> line_marks;
  std::string_view block_begin, block_end;
  std::unordered_set<std::string_view> keywords;
};

const std::vector<KnownLanguage>& known_languages() {
  static const std::vector<KnownLanguage> known(languages().begin(), languages().end());
  return known;
}

// From endings to the numbers of languages.
const std::unordered_map<std::string_view, uint32_t>& endings() {
  static const auto all = [] {
    std::unordered_map<std::string_view, uint32_t> numbers;
    uint32_t number = 0;
    for (const Language& language : languages()) {
      ++number;
      for (const std::string_view ending : words_between_blanks(language.endings)) numbers.emplace(ending, number);
    }
    return numbers;
  }();
  return all;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (lower(c) >= 'a' && lower(c) <= 'z') || c == '_' || static_cast<uint8_t>(c) >= 0x80; }

class CodeFolder {
 public:
  CodeFolder(std::string_view source, const KnownLanguage& language, std::string& out, std::vector<Origin>* origins)
      : source_(source), language_(language), out_(out), origins_(origins) {}

  void run() {
    for (size_t at = 0; at < source_.size();) at = step(at);
  }

 private:
  // What was put last: a sign, a value (a literal, a number, a word), or a word that a value follows.
  enum class Last { kSign, kValue, kTaker };

  // Takes what begins at `at`; returns its end.
  size_t step(size_t at) {
    const char c = source_[at];
    if (is_white_space(c)) return at + 1;
    if (const size_t end = regex_end(at); end != at) return copy(at, end);
    if (const size_t end = comment_end(at); end != at) return end;
    if (const size_t end = raw_end(at); end != at) return copy(at, end);
    if (const size_t end = literal_end(at); end != at) return is_statement(at, end) ? end : copy(at, end);
    if (is_digit(c)) return copy(at, number_end(at));
    if (is_word(c)) return word(at);
    return sign(at);
  }

  size_t sign(size_t at) {
    last_ = Last::kSign;
    put(source_[at], at, at + 1);
    return at + 1;
  }

  bool is_word(char c) const {
    return is_letter(c) || is_digit(c) || language_.is.word_signs.find(c) != std::string_view::npos;
  }
  bool starts(size_t at, std::string_view mark) const { return source_.substr(at).starts_with(mark); }
  size_t line_end(size_t at) const { return std::min(source_.find('\n', at), source_.size()); }

  size_t word(size_t at) {
    size_t end = at + 1;
    while (end < source_.size() && is_word(source_[end])) ++end;
    std::string_view word = source_.substr(at, end - at);
    if (language_.is.any_case) {
      lower_.assign(word);
      std::ranges::transform(lower_, lower_.begin(), lower);
      word = lower_;
    }
    last_ = takes_value(word) ? Last::kTaker : Last::kValue;
    if (!language_.keywords.contains(word)) {
      put(kIdentifier, at, end);
    } else {
      for (size_t i = 0; i < word.size(); ++i) put(word[i], at + i, at + i + 1);
    }
    return end;
  }

  static bool takes_value(std::string_view word) {
    constexpr std::string_view kTakers[] = {"return", "typeof",     "case", "throw", "delete", "void",
                                            "in",     "instanceof", "else", "do",    "yield",  "await"};
    return std::ranges::find(kTakers, word) != std::end(kTakers);
  }

  size_t number_end(size_t at) const {
    while (at < source_.size() && (is_letter(source_[at]) || is_digit(source_[at]) ||
                                   (source_[at] == '.' && at + 1 < source_.size() && is_digit(source_[at + 1]))))
      ++at;
    return at;
  }

  size_t comment_end(size_t at) {
    if (!language_.block_begin.empty() && !no_block_end_ && starts(at, language_.block_begin)) {
      const size_t end = source_.find(language_.block_end, at + language_.block_begin.size());
      no_block_end_ = end == std::string_view::npos;
      if (!no_block_end_) return end + language_.block_end.size();
    }
    for (const std::string_view mark : language_.line_marks)
      if (starts(at, mark) && may_begin_comment(at)) return line_end(at);
    return at;
  }

  bool may_begin_comment(size_t at) const {
    if (!language_.is.marks_follow_blanks || at == 0) return true;
    return is_white_space(source_[at - 1]) || source_[at - 1] == ';';
  }

  // A literal that is not closed is none.
  size_t literal_end(size_t at) {
    const char quote = source_[at];
    if (quote == '`' && language_.is.backtick == Backtick::kString) return closed(at, "`", no_backtick_);
    if (quote == '`' && language_.is.backtick == Backtick::kTemplate) return template_end(at);
    if (quote == '\'' && language_.is.apostrophe == Apostrophe::kSign) return at;
    if (quote == '\'' && language_.is.apostrophe == Apostrophe::kCharacter) return character_end(at);
    if (quote != '"' && quote != '\'') return at;
    if (language_.is.has_triple_quotes) {
      const std::string_view three = quote == '"' ? "\"\"\"" : "'''";
      const size_t end = starts(at, three) ? closed(at, three, quote == '"' ? no_double_ : no_single_) : at;
      if (end != at) return end;
    }
    return quoted_end(at);
  }

  size_t closed(size_t at, std::string_view mark, bool& is_never_closed) const {
    const size_t end = is_never_closed ? std::string_view::npos : source_.find(mark, at + mark.size());
    is_never_closed = end == std::string_view::npos;
    return is_never_closed ? at : end + mark.size();
  }

  // To the next backtick that no backslash is before, over lines.
  size_t template_end(size_t at) {
    if (no_backtick_) return at;
    for (size_t i = at + 1; i < source_.size(); ++i) {
      if (source_[i] == '`') return i + 1;
      if (source_[i] == '\\') ++i;
    }
    no_backtick_ = true;
    return at;
  }

  // To the next slash on the line that no backslash is before and that stands in no class [...].
  size_t regex_end(size_t at) {
    if (!language_.is.has_regex || source_[at] != '/' || at < no_regex_before_ || !may_begin_regex(at)) return at;
    size_t class_begin = 0, i = at + 1;  // 0: not in one
    for (; i < source_.size() && source_[i] != '\n'; ++i) {
      if (source_[i] == '/' && class_begin == 0) return i + 1;
      if (source_[i] == '[' && i < no_class_end_before_) return at;
      if (source_[i] == '[' && class_begin == 0) class_begin = i;
      if (source_[i] == ']') class_begin = 0;
      if (source_[i] == '\\') ++i;
    }
    (class_begin == 0 ? no_regex_before_ : no_class_end_before_) = std::min(i, source_.size());
    return at;
  }

  // Where a value may stand a slash does not divide. "//" and "/*" are comments everywhere.
  bool may_begin_regex(size_t at) const {
    if (starts(at, "//") || starts(at, "/*")) return false;
    if (last_ != Last::kSign) return last_ == Last::kTaker;
    constexpr std::string_view kBefore = "(,=:[!&|?{};+-*%~^>";  // not "<": "</p>" is a mark
    return out_.empty() ||
           (kBefore.find(out_.back()) != std::string_view::npos && !out_.ends_with("++") && !out_.ends_with("--"));
  }

  // Of a raw string that begins here, prefix and all.
  size_t raw_end(size_t at) {
    const std::string_view word = raw_prefix(at);
    if (word.empty()) return at;
    return language_.is.raw_string == RawString::kDelimited ? delimited_end(at, at + word.size())
                                                            : hashed_end(at, at + word.size());
  }

  std::string_view raw_prefix(size_t at) const {
    constexpr std::string_view kDelimitedPrefixes[] = {"R", "LR", "uR", "UR", "u8R"},
                               kHashedPrefixes[] = {"r", "br", "cr"};
    std::span<const std::string_view> prefixes;
    if (language_.is.raw_string == RawString::kDelimited) prefixes = kDelimitedPrefixes;
    if (language_.is.raw_string == RawString::kHashed) prefixes = kHashedPrefixes;
    for (const std::string_view prefix : prefixes) {
      if (!starts(at, prefix) || at + prefix.size() >= source_.size()) continue;
      const char next = source_[at + prefix.size()];
      if (next == '"' || (next == '#' && language_.is.raw_string == RawString::kHashed)) return prefix;
    }
    return {};
  }

  // R"x( to )x". `quote`: where that stands.
  size_t delimited_end(size_t at, size_t quote) {
    constexpr size_t kMostDelimiter = 16;
    const size_t open = source_.find_first_of("( )\\\t\n\"", quote + 1);
    if (open == std::string_view::npos || source_[open] != '(' || open - quote - 1 > kMostDelimiter) return at;
    return raw_closed(at, ")" + std::string(source_.substr(quote + 1, open - quote - 1)) + "\"", open + 1);
  }

  // r##" to "##. `hashes`: where those stand, if there are any.
  size_t hashed_end(size_t at, size_t hashes) {
    constexpr size_t kMostHashes = 255;
    const size_t quote = source_.substr(hashes, kMostHashes + 1).find_first_not_of('#');
    if (quote == std::string_view::npos || source_[hashes + quote] != '"') return at;
    return raw_closed(at, "\"" + std::string(quote, '#'), hashes + quote + 1);
  }

  // What is never closed is looked for once for each mark.
  size_t raw_closed(size_t at, const std::string& mark, size_t from) {
    constexpr size_t kMostTries = 16;
    if (never_closed_.size() == kMostTries || never_closed_.contains(mark)) return at;
    const size_t end = source_.find(mark, from);
    if (end != std::string_view::npos) return end + mark.size();
    never_closed_.insert(mark);
    return at;
  }

  // To the next quote on the line. Where a line has none, its later quotes have none either.
  size_t quoted_end(size_t at) {
    const char quote = source_[at];
    size_t& none_before = none_before_[quote == '"' ? 1 : 0];
    if (at < none_before) return at;
    size_t i = at + 1;
    for (; i < source_.size() && source_[i] != '\n'; ++i) {
      if (source_[i] == quote) return i + 1;
      if (source_[i] == '\\') ++i;
    }
    none_before = std::min(i, source_.size());
    return at;
  }

  // 'x', '\n', or one character of up to four bytes.
  size_t character_end(size_t at) const {
    const size_t most = std::min(source_.size(), at + (starts(at, "'\\") ? 12 : 6));
    for (size_t i = at + (starts(at, "'\\") ? 3 : 2); i < most && source_[i] != '\n'; ++i) {
      if (source_[i] != '\'') continue;
      const bool is_one = i == at + 2 || source_[at + 1] == '\\' || static_cast<uint8_t>(source_[at + 1]) >= 0xc0;
      return is_one ? i + 1 : at;
    }
    return at;
  }

  // A string in three quotes that begins a line, and that nothing takes.
  bool is_statement(size_t begin, size_t end) const {
    if (!language_.is.has_docstrings || end - begin < 6 || source_[begin + 1] != source_[begin] ||
        source_[begin + 2] != source_[begin])
      return false;
    constexpr std::string_view kTakers = "=([{,+%\\>\"'";
    if (!out_.empty() && kTakers.find(out_.back()) != std::string_view::npos) return false;
    while (begin > 0 && (source_[begin - 1] == ' ' || source_[begin - 1] == '\t')) --begin;
    return begin == 0 || source_[begin - 1] == '\n' || source_[begin - 1] == '\r';
  }

  // A literal or a number.
  size_t copy(size_t begin, size_t end) {
    last_ = Last::kValue;
    for (size_t i = begin; i < end; ++i) put(source_[i], i, i + 1);
    return end;
  }

  void put(char byte, size_t begin, size_t end) {
    out_ += byte;
    if (origins_ != nullptr) origins_->push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
  }

  std::string_view source_;
  const KnownLanguage& language_;
  std::string& out_;
  std::vector<Origin>* origins_;
  std::string lower_;
  Last last_ = Last::kSign;
  size_t no_regex_before_ = 0, no_class_end_before_ = 0;  // to the end of a line
  std::unordered_set<std::string> never_closed_;          // ends of raw strings
  bool no_block_end_ = false, no_backtick_ = false, no_double_ = false, no_single_ = false;
  size_t none_before_[2] = {0, 0};
};

}  // namespace

uint32_t language_of(Fold fold, std::string_view path) {
  if (fold != Fold::kCode) return 0;
  const std::string ending = corpus::ending_of(std::string(path));
  if (ending.empty()) return 0;
  const auto found = endings().find(std::string_view(ending).substr(1));
  return found == endings().end() ? 0 : found->second;
}

void fold_code(std::string_view source, uint32_t language, std::string& out, std::vector<Origin>* origins) {
  out.clear();
  if (origins != nullptr) origins->clear();
  CodeFolder(source, known_languages()[language - 1], out, origins).run();
}

}  // namespace neardup::sif
