#include "neardup/corpus/field_names.h"

#include <algorithm>
#include <vector>

#include "neardup/corpus/find/detect.h"
#include "neardup/corpus/formats/csv_header.h"
#include "neardup/corpus/formats/parquet_file.h"
#include "neardup/corpus/formats/warc_header.h"

namespace neardup::corpus {
namespace {

constexpr size_t kLookedAtBytes = size_t{1} << 16;
constexpr size_t kMostNames = 8;
constexpr size_t kMostNameBytes = 40;

/// Returns where the string that opens at `begin` closes, or the size of `json`.
size_t string_end(std::string_view json, size_t begin) {
  size_t i = begin + 1;
  while (i < json.size() && json[i] != '"') i += json[i] == '\\' ? 2 : 1;
  return std::min(i, json.size());
}

/// Returns the first names, at most one more than are shown.
std::vector<std::string_view> field_names(std::string_view json) {
  std::vector<std::string_view> names;
  int depth = 0;
  bool is_name = false;  // the next string at depth 1
  for (size_t i = 0; i < json.size() && names.size() <= kMostNames; ++i) {
    const char c = json[i];
    if (c == '{' || c == '[') is_name = ++depth == 1;
    if (c == '}' || c == ']') --depth;
    if (c == ',') is_name = depth == 1;
    if (c == ':') is_name = false;
    if (c != '"') continue;
    const size_t end = string_end(json, i);
    if (is_name && depth == 1 && end < json.size()) names.push_back(json.substr(i + 1, end - i - 1));
    i = end;
  }
  return names;
}

/// Of the first record that is no warcinfo.
std::string warc_field_names(std::string_view bytes) {
  std::string_view problem;
  auto header = read_warc_header(bytes, problem);
  while (header && same_name(header->type, "warcinfo") && header->content_length < bytes.size() - header->size) {
    bytes.remove_prefix(header->size + static_cast<size_t>(header->content_length));
    bytes.remove_prefix(std::min(bytes.find_first_not_of("\r\n"), bytes.size()));
    header = read_warc_header(bytes, problem);
  }
  std::string list;
  if (header)
    header->fields.for_each([&](std::string_view name, std::string_view) {
      list += (list.empty() ? "'" : ", '") + std::string(name.substr(0, kMostNameBytes)) + "'";
    });
  return list.empty() ? "no fields" : list;
}

std::string parquet_column_names(const Input& input) {
  const auto file = ParquetFile::open_any(input, {});
  return file && !(*file)->refusal() ? (*file)->table().column_names() : "no fields";
}

}  // namespace

std::string list_field_names(std::string_view object) {
  const auto names = field_names(object.substr(0, kLookedAtBytes));
  std::string list;
  for (size_t i = 0; i < names.size() && i < kMostNames; ++i)
    list += (i == 0 ? "'" : ", '") + std::string(names[i].substr(0, kMostNameBytes)) + "'";
  if (names.size() > kMostNames) list += ", ...";
  return list.empty() ? "no fields" : list;
}

std::string first_field_names(const Input& input, const CsvDialect& table) {
  if (input.format == Format::kParquet) return parquet_column_names(input);
  const std::string head = peek(input, kLookedAtBytes).value_or(std::string());
  const std::string_view bytes = head;
  if (input.format == Format::kCsv) return csv_column_names(bytes, dialect_of(',', table));
  if (input.format == Format::kTsv) return csv_column_names(bytes, dialect_of('\t', table));
  if (input.format == Format::kWarc) return warc_field_names(bytes);
  const size_t begin = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
  return list_field_names(bytes.substr(begin, bytes.find('\n', begin) - begin));
}

}  // namespace neardup::corpus
