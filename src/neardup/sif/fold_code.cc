#include "neardup/sif/fold_code.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

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
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

class CodeFolder {
 public:
  CodeFolder(std::string_view source, const KnownLanguage& language, std::string& out, std::vector<Origin>* origins)
      : source_(source), language_(language), out_(out), origins_(origins) {}

  void run() {
    for (size_t at = 0; at < source_.size();) at = step(at);
  }

 private:
  // Takes what begins at `at`; returns its end.
  size_t step(size_t at) {
    const char c = source_[at];
    if (is_space(c)) return at + 1;
    if (const size_t end = comment_end(at); end != at) return end;
    if (const size_t end = literal_end(at); end != at) return is_statement(at, end) ? end : copy(at, end);
    if (is_digit(c)) return copy(at, number_end(at));
    if (is_word(c)) return word(at);
    return copy(at, at + 1);
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
    if (!language_.keywords.contains(word)) {
      put(kIdentifier, at, end);
    } else {
      for (size_t i = 0; i < word.size(); ++i) put(word[i], at + i, at + i + 1);
    }
    return end;
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
    return is_space(source_[at - 1]) || source_[at - 1] == ';';
  }

  // A literal that is not closed is none.
  size_t literal_end(size_t at) {
    const char quote = source_[at];
    if (quote == '`' && language_.is.has_backticks) return closed(at, "`", no_backtick_);
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
    for (size_t i = at + 2; i < most && source_[i] != '\n'; ++i) {
      if (source_[i] != '\'') continue;
      const bool is_one = i == at + 2 || source_[at + 1] == '\\' || static_cast<uint8_t>(source_[at + 1]) >= 0xc0;
      return is_one ? i + 1 : at;
    }
    return at;
  }

  // A string in three quotes that begins a line, and that nothing takes.
  bool is_statement(size_t begin, size_t end) const {
    if (!language_.is.has_triple_quotes || end - begin < 6 || source_[begin + 1] != source_[begin] ||
        source_[begin + 2] != source_[begin])
      return false;
    constexpr std::string_view kTakers = "=([{,+%\\";
    if (!out_.empty() && kTakers.find(out_.back()) != std::string_view::npos) return false;
    while (begin > 0 && (source_[begin - 1] == ' ' || source_[begin - 1] == '\t')) --begin;
    return begin == 0 || source_[begin - 1] == '\n' || source_[begin - 1] == '\r';
  }

  size_t copy(size_t begin, size_t end) {
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
  bool no_block_end_ = false, no_backtick_ = false, no_double_ = false, no_single_ = false;
  size_t none_before_[2] = {0, 0};
};

}  // namespace

uint32_t language_of(Fold fold, std::string_view path) {
  const size_t dot = path.rfind('.');
  if (fold == Fold::kNone || dot == std::string_view::npos) return 0;
  std::string ending(path.substr(dot + 1));
  std::ranges::transform(ending, ending.begin(), lower);
  const auto found = endings().find(ending);
  return found == endings().end() ? 0 : found->second;
}

void fold_code(std::string_view source, uint32_t language, std::string& out, std::vector<Origin>* origins) {
  out.clear();
  if (origins != nullptr) origins->clear();
  CodeFolder(source, known_languages()[language - 1], out, origins).run();
}

}  // namespace neardup::sif
