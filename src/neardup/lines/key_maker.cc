#include "neardup/lines/key_maker.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <utility>

#include "neardup/text/utf8.h"

namespace neardup::lines {
namespace {

constexpr std::string_view kBlanks = " \t";

std::optional<std::string_view> field_between_blanks(std::string_view line, int field) {
  for (size_t begin = 0;;) {
    begin = line.find_first_not_of(kBlanks, begin);
    if (begin == std::string_view::npos) return std::nullopt;
    const size_t end = line.find_first_of(kBlanks, begin);
    if (--field == 0) return line.substr(begin, end == std::string_view::npos ? end : end - begin);
    if (end == std::string_view::npos) return std::nullopt;
    begin = end;
  }
}

std::optional<std::string_view> field_between(std::string_view line, std::string_view delimiter, int field) {
  while (true) {
    const size_t end = line.find(delimiter);
    if (--field == 0) return line.substr(0, end);
    if (end == std::string_view::npos) return std::nullopt;
    line.remove_prefix(end + delimiter.size());
  }
}

bool is_ignored(UChar32 c, const KeyOptions& options) {
  if (options.ignore_space && u_isUWhiteSpace(c)) return true;
  return options.ignore_punctuation && (U_GET_GC_MASK(c) & (U_GC_P_MASK | U_GC_S_MASK)) != 0;
}

void append_folded_letter(char32_t letter, std::string_view as_written, const KeyOptions& options, std::string& out) {
  const auto c = static_cast<UChar32>(letter);
  if (is_ignored(c, options)) return;
  const UChar32 folded = options.ignore_case ? u_foldCase(c, U_FOLD_CASE_DEFAULT) : c;
  if (folded == c) {
    out += as_written;
    return;
  }
  text::append_utf8(out, static_cast<char32_t>(folded));
}

}  // namespace

struct KeyMaker::Pattern {
  explicit Pattern(const std::string& text, const RE2::Options& how) : regex(text, how) {}
  RE2 regex;
};

KeyMaker::KeyMaker() = default;
KeyMaker::KeyMaker(KeyMaker&&) noexcept = default;
KeyMaker& KeyMaker::operator=(KeyMaker&&) noexcept = default;
KeyMaker::~KeyMaker() = default;

Result<KeyMaker> KeyMaker::create(const KeyOptions& options) {
  if (options.field != 0 && !options.pattern.empty())
    return fail(Code::kInvalidArgument, "a line is compared by a field or by a regular expression, not by both");
  if (options.field < 0) return fail(Code::kInvalidArgument, "fields are numbered from 1");
  if (options.field == 0 && !options.delimiter.empty())
    return fail(Code::kInvalidArgument, "a delimiter stands between fields: say which field counts");
  KeyMaker maker;
  maker.options_ = options;
  maker.folds_ = options.ignore_case || options.ignore_space || options.ignore_punctuation;
  maker.is_whole_line_ = !maker.folds_ && options.field == 0 && options.pattern.empty();
  if (options.pattern.empty()) return maker;
  RE2::Options how;
  how.set_log_errors(false);
  maker.pattern_ = std::make_unique<Pattern>(options.pattern, how);
  if (maker.pattern_->regex.ok()) return maker;
  return fail(Code::kInvalidArgument, fmt::format("\"{}\" is no regular expression of RE2: {}", options.pattern,
                                                  maker.pattern_->regex.error()));
}

std::optional<std::string_view> KeyMaker::part_of(std::string_view line) const {
  if (pattern_ != nullptr) {
    std::array<re2::StringPiece, 2> found;
    const int wanted = pattern_->regex.NumberOfCapturingGroups() > 0 ? 2 : 1;
    const re2::StringPiece text(line.data(), line.size());
    if (!pattern_->regex.Match(text, 0, line.size(), RE2::UNANCHORED, found.data(), wanted)) return std::nullopt;
    const re2::StringPiece& part = found[static_cast<size_t>(wanted - 1)];
    if (part.data() == nullptr) return std::nullopt;  // the group took no part in the match
    return std::string_view(part.data(), part.size());
  }
  if (options_.field == 0) return line;
  if (options_.delimiter.empty()) return field_between_blanks(line, options_.field);
  return field_between(line, options_.delimiter, options_.field);
}

std::optional<std::string_view> KeyMaker::key(std::string_view line, std::string& made) const {
  const std::optional<std::string_view> part = part_of(line);
  if (!part || !folds_) return part;
  made.clear();
  append_folded(*part, options_, made);
  return made;
}

void append_folded(std::string_view text, const KeyOptions& options, std::string& out) {
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    const text::Decoded letter = text::decode(at, end);
    const std::string_view as_written(at, letter.size_bytes);
    at += letter.size_bytes;
    if (letter.valid) {
      append_folded_letter(letter.code_point, as_written, options, out);
    } else {
      out += as_written;
    }
  }
}

}  // namespace neardup::lines
