// Dictionaries and IDF files of jieba: lines of fields.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "neardup/text/utf8.h"
#include "neardup/token/jieba_lines.h"
#include "neardup/token/jieba_model.h"

namespace neardup::token {

std::string_view strip(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\r\v\f";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

bool LineReader::next() {
  if (rest_.empty()) return false;
  const size_t end = std::min(rest_.find('\n'), rest_.size());
  line_ = strip(rest_.substr(0, end));
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++number_;
  if (number_ == 1 && line_.starts_with("\xEF\xBB\xBF")) line_ = strip(line_.substr(3));
  return true;
}

tl::unexpected<Error> LineReader::wrong(std::string_view why) const {
  return fail(Code::kInvalidArgument, fmt::format("'{}' line {}: {}; found '{}'", where_, number_, why,
                                                  line_.substr(0, std::min<size_t>(line_.size(), 80))));
}

Status LineReader::check_word(std::string_view word) const {
  if (word.empty()) return wrong("a word is missing");
  if (word.size() > kMaxWordBytes) return wrong(fmt::format("a word is longer than {} bytes", kMaxWordBytes));
  for (const char *at = word.data(), *end = at + word.size(); at < end;) {
    const text::Decoded c = text::decode(at, end);
    if (!c.valid) return wrong("the word is not valid UTF-8; save the file as UTF-8");
    at += c.size_bytes;
  }
  return {};
}

Result<uint64_t> LineReader::frequency(std::string_view field) const {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size() || value > kMaxTotal) {
    return wrong(fmt::format("the frequency must be a whole number from 0 to {}", kMaxTotal));
  }
  return value;
}

Status LineReader::add_to_total(uint64_t& total, uint64_t frequency) const {
  total += frequency;
  return total <= kMaxTotal ? Status() : wrong(fmt::format("the sum of all frequencies exceeds {}", kMaxTotal));
}

Status parse_words(std::string_view text, const std::string& where, WordCounts& out) {
  for (LineReader lines(text, where); lines.next();) {
    const std::string_view line = lines.line();
    if (line.empty()) continue;
    const size_t space = line.find(' ');
    if (space == std::string_view::npos) return lines.wrong("expected a word, a space and a frequency");
    const std::string_view rest = line.substr(space + 1);
    NEARDUP_TRY(lines.check_word(line.substr(0, space)));
    NEARDUP_ASSIGN(const uint64_t frequency, lines.frequency(rest.substr(0, rest.find(' '))));
    out.frequencies[line.substr(0, space)] = frequency;
    NEARDUP_TRY(lines.add_to_total(out.total, frequency));
  }
  return {};
}

Result<std::vector<IdfWord>> parse_idf_words(std::string_view text, const std::string& where) {
  std::unordered_map<std::string_view, double> words;
  for (LineReader lines(text, where); lines.next();) {
    const std::string_view line = lines.line();
    if (line.empty()) continue;
    const size_t space = std::min(line.find(' '), line.size());
    NEARDUP_TRY(lines.check_word(line.substr(0, space)));
    const std::string_view number = line.substr(std::min(space + 1, line.size()));
    double idf = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), idf);
    if (error != std::errc() || end != number.data() + number.size() || !std::isfinite(idf) || idf <= 0) {
      return lines.wrong("expected a word, a space and a number above 0");
    }
    words[line.substr(0, space)] = idf;
  }
  std::vector<IdfWord> sorted;
  sorted.reserve(words.size());
  for (const auto& [word, idf] : words) sorted.push_back({word, idf});
  std::sort(sorted.begin(), sorted.end(), [](const IdfWord& a, const IdfWord& b) { return a.word < b.word; });
  return sorted;
}

}  // namespace neardup::token
