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
  const auto records = read_csv(field, '\0');
  const bool opens = field.starts_with('"') && field.ends_with('"');
  const bool is_whole = opens && !records[0].open_quote && !records[0].after_quote;
  return is_whole ? records[0].fields[0] : std::string(field);
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
