// The slowest obvious reader of CSV: one byte after the other.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace plain {

/// A record; `end` is where its line end stands, or the end of the bytes.
struct CsvRecord {
  size_t begin = 0, end = 0;
  bool has_line_end = false;
  bool open_quote = false;   // the first thing wrong is a quote that does not end
  bool after_quote = false;  // the first thing wrong stands behind a closing quote
  std::vector<std::string> fields;
};

inline std::vector<CsvRecord> read_csv(std::string_view bytes, char separator) {
  enum class In { kFieldStart, kPlain, kQuoted, kQuoteSeen } in = In::kFieldStart;
  std::vector<CsvRecord> records;
  CsvRecord record;
  std::string field;
  const auto end_record = [&](size_t end, bool has_line_end) {
    record.end = end;
    record.has_line_end = has_line_end;
    record.fields.push_back(field);
    records.push_back(record);
    record = {};
    record.begin = end + 1;
    field.clear();
    in = In::kFieldStart;
  };
  for (size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    if (in == In::kQuoted) {
      if (c != '"') field += c;
      if (c == '"') in = In::kQuoteSeen;
      continue;
    }
    if (in == In::kQuoteSeen && c == '"') {
      field += c;
      in = In::kQuoted;
      continue;
    }
    if (in == In::kFieldStart && c == '"') {
      in = In::kQuoted;
      continue;
    }
    const bool is_return = c == '\r' && (i + 1 == bytes.size() || bytes[i + 1] == '\n');
    if (c == '\n') {
      end_record(i, true);
    } else if (c == separator) {
      record.fields.push_back(field);
      field.clear();
      in = In::kFieldStart;
    } else if (is_return) {
      in = In::kPlain;
    } else {
      if (in == In::kQuoteSeen && !record.open_quote) record.after_quote = true;
      field += c;
      in = In::kPlain;
    }
  }
  if (in == In::kQuoted && !record.after_quote) record.open_quote = true;
  if (record.begin < bytes.size()) end_record(bytes.size(), false);
  return records;
}

/// How a table is written that is not as RFC 4180 has it.
struct CsvRules {
  char separator = ',';
  bool has_quotes = true;      // else they are characters
  bool escapes_all = false;    // a backslash escapes whatever follows
  bool escapes_quote = false;  // in quotes, one of these
  bool skips_spaces = false;
};

inline char escaped(char c) {
  constexpr std::string_view kTyped = "tnrbfv0Z";
  const size_t at = kTyped.find(c);
  return at == std::string_view::npos ? c : "\t\n\r\b\f\v\0\x1A"[at];
}

/// The record that begins at `at`.
inline CsvRecord next_record(std::string_view bytes, size_t at, const CsvRules& rules) {
  CsvRecord record;
  record.begin = at;
  const auto is = [&](size_t i, char c) { return i < bytes.size() && bytes[i] == c; };
  const auto ends = [&](size_t i) { return i == bytes.size() || bytes[i] == '\n'; };
  for (;; ++at) {
    std::string field;
    while (rules.skips_spaces && is(at, ' ')) ++at;
    const size_t begin = at;
    const bool is_quoted = rules.has_quotes && is(at, '"');
    for (at += is_quoted ? 1 : 0; is_quoted; ++at) {
      const bool is_escape = is(at, '\\') && at + 1 < bytes.size() &&
                             (rules.escapes_all || (rules.escapes_quote && (is(at + 1, '"') || is(at + 1, '\\'))));
      if (at == bytes.size() || (!is_escape && is(at, '"') && !is(at + 1, '"'))) break;
      if (is_escape && rules.escapes_all) field += escaped(bytes[at + 1]);
      if (!is_escape || !rules.escapes_all) field += is_escape ? bytes[at + 1] : bytes[at];
      if (is_escape || is(at, '"')) ++at;
    }
    const bool is_open = is_quoted && at == bytes.size();
    if (is_open && !record.after_quote) record.open_quote = true;
    if (is_quoted && !is_open) ++at;
    for (; !ends(at) && !is(at, rules.separator); ++at) {
      if (is(at, '\r') && ends(at + 1)) continue;
      const bool is_cut = is(at + 1, '\r') && ends(at + 2);
      const bool is_escape = rules.escapes_all && is(at, '\\') && at + 1 < bytes.size();
      if (is_quoted && !record.open_quote) record.after_quote = true;
      field += is_escape && !is_cut ? escaped(bytes[at + 1]) : bytes[at];
      if (is_escape) ++at;
    }
    const bool is_null = rules.escapes_all && !is_quoted &&
                         (bytes.substr(begin, at - begin) == "\\N" || bytes.substr(begin, at - begin) == "\\N\r");
    record.fields.push_back(is_null ? "" : field);
    if (!is(at, rules.separator)) break;
  }
  record.end = at;
  record.has_line_end = at < bytes.size();
  return record;
}

inline std::vector<CsvRecord> read_dialect_csv(std::string_view bytes, const CsvRules& rules) {
  std::vector<CsvRecord> records;
  for (size_t at = 0; at < bytes.size(); at = records.back().end + 1) records.push_back(next_record(bytes, at, rules));
  return records;
}

inline std::vector<std::string_view> cut(std::string_view bytes, char at) {
  std::vector<std::string_view> pieces;
  for (size_t begin = 0;;) {
    const size_t end = bytes.find(at, begin);
    pieces.push_back(bytes.substr(begin, end - begin));
    if (end == std::string_view::npos) return pieces;
    begin = end + 1;
  }
}

/// What a field stands for whose quotes are characters but where they hold it whole.
inline std::string whole_field(std::string_view field) {
  if (field.size() < 2 || field.front() != '"' || field.back() != '"') return std::string(field);
  const std::string_view inside = field.substr(1, field.size() - 2);
  std::string text;
  for (size_t i = 0; i < inside.size(); ++i) {
    text += inside[i];
    if (inside[i] == '"' && (++i == inside.size() || inside[i] != '"')) return std::string(field);
  }
  return text;
}

/// The same where a quote opens a field only if it closes, below a header row of `num_columns`: a line that has as many
/// is a record, and so is one that no quotes join with others to a record of as many.
inline std::vector<CsvRecord> read_whole_csv(std::string_view bytes, char separator, size_t num_columns) {
  std::vector<CsvRecord> records;
  for (size_t begin = 0; begin < bytes.size(); begin = records.back().end + 1) {
    CsvRecord quoted = read_csv(bytes.substr(begin), separator)[0];
    const auto lines = cut(bytes.substr(begin, quoted.end), '\n');
    const auto is_row = [&](std::string_view line) { return cut(line, separator).size() == num_columns; };
    bool is_right = !quoted.open_quote && !quoted.after_quote && quoted.fields.size() == num_columns;
    for (size_t i = 1; i + 1 < lines.size(); ++i) is_right = is_right && !is_row(lines[i]);
    if (is_row(lines.front()) && is_row(lines.back())) is_right = false;
    CsvRecord record = quoted;
    record.begin = begin;
    record.open_quote = record.after_quote = false;
    record.end = begin + quoted.end;
    if (!is_right) {
      record.end = std::min(bytes.find('\n', begin), bytes.size());
      record.has_line_end = record.end < bytes.size();
      std::string_view line = bytes.substr(begin, record.end - begin);
      if (line.ends_with('\r')) line.remove_suffix(1);
      record.fields.clear();
      for (const std::string_view field : cut(line, separator)) record.fields.push_back(whole_field(field));
    }
    records.push_back(record);
  }
  return records;
}

}  // namespace plain
