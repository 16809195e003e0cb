#include "neardup/corpus/formats/csv_whole.h"

#include <algorithm>

namespace neardup::corpus {
namespace {

constexpr size_t kNoPlace = std::string_view::npos;

/// Reads a record as RFC 4180 has it, for as long as that may be right.
class QuotedReading {
 public:
  enum class Verdict : uint8_t { kRight, kWrong, kUnknown };

  QuotedReading(std::string_view bytes, char separator, size_t num_columns, CsvRest rest)
      : bytes_(bytes), separator_(separator), num_columns_(num_columns), rest_(rest) {}

  Verdict run() {
    for (size_t columns = 1;; ++columns, ++at_) {
      const bool opens = at_ < bytes_.size() && bytes_[at_] == '"';
      if (opens && !skip_quoted()) return verdict_;
      if (!opens) skip_plain();
      if (at_ < bytes_.size() && bytes_[at_] == separator_) continue;
      if (at_ == bytes_.size() && !is_all()) return at_end_of_bytes();
      return columns == num_columns_ && !is_two_rows() ? Verdict::kRight : Verdict::kWrong;
    }
  }

  /// Where the record ends. Requires: run() said kRight.
  [[nodiscard]] size_t end() const { return at_; }
  /// Whether the line that begins at `begin` and ends at `end` has the right number of columns as it stands.
  [[nodiscard]] bool is_row(size_t begin, size_t end) const {
    const auto line = bytes_.substr(begin, end - begin);
    return static_cast<size_t>(std::ranges::count(line, separator_)) + 1 == num_columns_;
  }

 private:
  [[nodiscard]] bool is_all() const { return rest_ == CsvRest::kNone || rest_ == CsvRest::kLineEnd; }
  [[nodiscard]] Verdict at_end_of_bytes() const {
    return rest_ == CsvRest::kUnknown ? Verdict::kUnknown : Verdict::kWrong;
  }

  /// The first line and the last one are records where both have all columns: the quotes that seem to join them are
  /// those of two texts.
  [[nodiscard]] bool is_two_rows() const {
    return last_line_ > 0 && is_row(0, first_line_end_) && is_row(last_line_, at_);
  }

  void skip_plain() {
    while (at_ < bytes_.size() && bytes_[at_] != separator_ && bytes_[at_] != '\n') ++at_;
  }

  bool stop(Verdict verdict) {
    verdict_ = verdict;
    return false;
  }

  /// Goes behind the closing quote of the field that opens here; false where there is none, or the field cannot be one.
  bool skip_quoted() {
    for (size_t from = at_ + 1;;) {
      const size_t quote = bytes_.find('"', from);
      if (takes_row(from, std::min(quote, bytes_.size()))) return stop(Verdict::kWrong);
      if (quote == kNoPlace || (quote + 1 == bytes_.size() && !is_all())) return stop(at_end_of_bytes());
      at_ = quote + 1;
      if (at_ == bytes_.size() || bytes_[at_] != '"') break;
      from = quote + 2;
    }
    return skip_line_end();
  }

  /// Behind a closing quote: \r is part of a line end there.
  bool skip_line_end() {
    if (at_ < bytes_.size() && bytes_[at_] == '\r') ++at_;
    const bool has_return = bytes_[at_ - 1] == '\r';
    if (at_ == bytes_.size())
      return rest_ == CsvRest::kNone || (rest_ == CsvRest::kLineEnd && !has_return) || stop(at_end_of_bytes());
    return bytes_[at_] == '\n' || (bytes_[at_] == separator_ && !has_return) || stop(Verdict::kWrong);
  }

  /// Whether a line that ends in [from, end), inside quotes, is a record and not the first one.
  bool takes_row(size_t from, size_t end) {
    const std::string_view inside = bytes_.substr(0, end);
    for (size_t line_end = inside.find('\n', from); line_end != kNoPlace; line_end = inside.find('\n', line_end + 1)) {
      if (last_line_ > 0 && is_row(last_line_, line_end)) return true;
      if (last_line_ == 0) first_line_end_ = line_end;
      last_line_ = line_end + 1;
    }
    return false;
  }

  const std::string_view bytes_;
  const char separator_;
  const size_t num_columns_;
  const CsvRest rest_;
  size_t at_ = 0;
  size_t first_line_end_ = 0;
  size_t last_line_ = 0;  // where the last line begins; 0: it is the first
  Verdict verdict_ = Verdict::kUnknown;
};

}  // namespace

std::optional<WholeRecord> find_whole_record(std::string_view bytes, char separator, size_t num_columns, CsvRest rest) {
  if (num_columns == 0) return WholeRecord{std::min(bytes.find('\n'), bytes.size()), false};
  QuotedReading quoted(bytes, separator, num_columns, rest);
  const QuotedReading::Verdict verdict = quoted.run();
  if (verdict == QuotedReading::Verdict::kUnknown) return std::nullopt;
  const size_t line_end = std::min(bytes.find('\n'), bytes.size());
  const bool is_line =
      verdict == QuotedReading::Verdict::kWrong || (quoted.end() == line_end && quoted.is_row(0, line_end));
  return is_line ? WholeRecord{line_end, false} : WholeRecord{quoted.end(), true};
}

bool is_quoted_whole(std::string_view field) {
  if (field.size() < 2 || field.front() != '"' || field.back() != '"') return false;
  const std::string_view inside = field.substr(1, field.size() - 2);
  for (size_t quote = inside.find('"'); quote != kNoPlace; quote = inside.find('"', quote + 2))
    if (!inside.substr(quote).starts_with("\"\"")) return false;
  return true;
}

}  // namespace neardup::corpus
