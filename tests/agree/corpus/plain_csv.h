// The slowest obvious reader of CSV: one byte after the other.
#pragma once

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

}  // namespace plain
