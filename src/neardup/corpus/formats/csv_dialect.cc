#include "neardup/corpus/formats/csv_dialect.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

namespace neardup::corpus {
namespace {

template <class Value>
using DialectWord = std::pair<std::string_view, Value>;

constexpr std::array<DialectWord<char>, 4> kSeparatorWords = {
    {{"comma", ','}, {"tab", '\t'}, {"semicolon", ';'}, {"pipe", '|'}}};
constexpr std::array<DialectWord<CsvQuotes>, 4> kQuoteWords = {
    {{"auto", CsvQuotes::kAuto}, {"none", CsvQuotes::kNone}, {"csv", CsvQuotes::kDouble}, {"tsv", CsvQuotes::kWhole}}};
constexpr std::array<DialectWord<CsvEscape>, 3> kEscapeWords = {
    {{"none", CsvEscape::kNone}, {"backslash", CsvEscape::kAll}, {"quote", CsvEscape::kQuote}}};
constexpr std::array<DialectWord<bool>, 2> kSpaceWords = {{{"keep", false}, {"skip", true}}};

auto refuse_dialect(const std::string& why) {
  return fail(Code::kInvalidArgument, why +
                                          "; a table is described by separator=, quotes=, escape= and spaces=, such as "
                                          "separator=semicolon,quotes=none,escape=backslash,spaces=skip");
}

template <class Value, size_t N>
Status take_one_of(std::string_view name, std::string_view typed, const std::array<DialectWord<Value>, N>& words,
                   Value& out) {
  const auto* const found = std::ranges::find(words, typed, &DialectWord<Value>::first);
  if (found != words.end()) return out = found->second, Status{};
  std::string list;
  for (const auto& [word, value] : words) list.append(list.empty() ? "" : ", ").append(word);
  return refuse_dialect(std::string(name) + " is one of " + list + ", found '" + std::string(typed) + "'");
}

Status take_separator(std::string_view typed, CsvDialect& dialect) {
  const bool is_one_byte = typed.size() == 1 && static_cast<uint8_t>(typed[0]) < 0x80;
  if (!is_one_byte && typed != "\\t") {
    if (std::ranges::find(kSeparatorWords, typed, &DialectWord<char>::first) != kSeparatorWords.end())
      return take_one_of("separator=", typed, kSeparatorWords, dialect.separator);
    return refuse_dialect("separator= is one byte of ASCII, or comma, tab, semicolon or pipe, found '" +
                          std::string(typed) + "'");
  }
  dialect.separator = is_one_byte ? typed[0] : '\t';
  const char c = dialect.separator;
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  if (!is_letter && std::string_view("\"\\\r\n \0", 6).find(c) == std::string_view::npos) return {};
  return refuse_dialect("separator= is no letter, digit, quote, backslash, space or line end");
}

Status take_setting(std::string_view setting, CsvDialect& dialect) {
  const size_t equals = std::min(setting.find('='), setting.size());
  const std::string_view name = setting.substr(0, equals);
  const std::string_view value = setting.substr(std::min(equals + 1, setting.size()));
  if (name == "separator") return take_separator(value, dialect);
  if (name == "quotes") return take_one_of("quotes=", value, kQuoteWords, dialect.quotes);
  if (name == "escape") return take_one_of("escape=", value, kEscapeWords, dialect.escape);
  if (name == "spaces") return take_one_of("spaces=", value, kSpaceWords, dialect.skips_spaces);
  return refuse_dialect("there is no setting '" + std::string(setting) + "'");
}

Status check_dialect(const CsvDialect& dialect) {
  const bool is_double = dialect.quotes == CsvQuotes::kDouble || dialect.quotes == CsvQuotes::kAuto;
  if (dialect.escape == CsvEscape::kQuote && !is_double)
    return refuse_dialect("escape=quote is of quoted fields: leave out quotes=, or say quotes=csv");
  if (dialect.is_walked() && dialect.quotes == CsvQuotes::kWhole)
    return refuse_dialect("quotes=tsv goes with no escape= or spaces=: say quotes=csv or quotes=none");
  return {};
}

template <class Value, size_t N>
void append_word(std::string& words, std::string_view name, Value value, Value usual,
                 const std::array<DialectWord<Value>, N>& table) {
  if (value == usual) return;
  const auto* const found = std::ranges::find(table, value, &DialectWord<Value>::second);
  words.append(words.empty() ? "" : ",").append(name);
  if constexpr (std::is_same_v<Value, char>) {
    if (found == table.end()) words += value;
  }
  if (found != table.end()) words += found->first;
}

}  // namespace

Result<CsvDialect> parse_dialect(std::string_view typed) {
  CsvDialect dialect;
  std::string seen;
  while (!typed.empty()) {
    const size_t end = std::min(typed.find(','), typed.size());
    const std::string_view setting = typed.substr(0, end);
    const std::string name = "," + std::string(setting.substr(0, setting.find('='))) + ",";
    if (seen.find(name) != std::string::npos)
      return refuse_dialect("'" + name.substr(1, name.size() - 2) + "=' stands there twice");
    seen += name;
    NEARDUP_TRY(take_setting(setting, dialect));
    typed.remove_prefix(std::min(end + 1, typed.size()));
  }
  NEARDUP_TRY(check_dialect(dialect));
  return dialect;
}

std::string dialect_words(const CsvDialect& dialect) {
  const CsvDialect usual;
  std::string words;
  append_word(words, "separator=", dialect.separator, usual.separator, kSeparatorWords);
  append_word(words, "quotes=", dialect.quotes, usual.quotes, kQuoteWords);
  append_word(words, "escape=", dialect.escape, usual.escape, kEscapeWords);
  append_word(words, "spaces=", dialect.skips_spaces, usual.skips_spaces, kSpaceWords);
  return words;
}

}  // namespace neardup::corpus
