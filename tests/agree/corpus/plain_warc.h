// The slowest obvious reader of WARC: the whole file in memory, one byte after the other.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::corpus::plain {

/// A record, or bytes that are none.
struct WarcItem {
  std::string reason;        // as in Rejection; empty for a record
  bool is_document = false;  // a conversion of text that is not empty
  std::string bytes;         // of header and block
  bool operator==(const WarcItem&) const = default;
};

inline std::string small(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

inline std::string trim(std::string text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.erase(text.begin());
  while (!text.empty() && is_space(text.back())) text.pop_back();
  return text;
}

/// Takes one "NAME: VALUE"; a name with a control character is none.
inline void read_field(std::string line, std::map<std::string, std::string>& fields) {
  while (!line.empty() && line.back() == '\r') line.pop_back();
  const size_t colon = line.find(':');
  if (colon == std::string::npos || line[0] == ' ' || line[0] == '\t') return;
  const auto blanks_off = [](std::string text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.erase(text.begin());
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.pop_back();
    return text;
  };
  const std::string name = blanks_off(line.substr(0, colon));
  for (const char c : name)
    if ((c >= 0 && c < ' ') || c == 127) return;
  fields.emplace(small(name), blanks_off(line.substr(colon + 1)));
}

inline bool begins_record(std::string_view bytes, size_t at) {
  return bytes.substr(at).starts_with("WARC/1.") || bytes.substr(at).starts_with("WARC/0.1");
}

struct PlainHeader {
  size_t size = 0;
  std::map<std::string, std::string> fields;  // the first of each name
};

/// The header at `at`; nothing where it is wrong.
inline std::optional<PlainHeader> plain_header(std::string_view bytes, size_t at) {
  PlainHeader header;
  for (size_t line_number = 0, begin = at;; ++line_number) {
    size_t end = begin;
    while (end < bytes.size() && bytes[end] != '\n') ++end;
    if (end == bytes.size()) return std::nullopt;
    std::string line(bytes.substr(begin, end - begin));
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line_number > 0 && (line.empty() || line == "\r")) {
      header.size = end + 1 - at;
      return header;
    }
    if (line_number > 0 && begins_record(bytes, begin)) return std::nullopt;
    if (line_number == 0) {
      const std::string version = trim(line);
      const bool is_draft = version == "WARC/0.17" || version == "WARC/0.18";
      const bool is_one = version.size() == 8 && version[5] == '1' && version[7] >= '0' && version[7] <= '9';
      if (!is_draft && !is_one) return std::nullopt;
    } else {
      read_field(line, header.fields);
    }
    begin = end + 1;
  }
}

inline std::optional<uint64_t> plain_length(const PlainHeader& header) {
  const auto found = header.fields.find("content-length");
  if (found == header.fields.end() || found->second.empty() || found->second.size() > 18) return std::nullopt;
  uint64_t value = 0;
  for (const char c : found->second) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<uint64_t>(c - '0');
  }
  return value;
}

/// Whether a record may end at `end`: behind it come an empty line, the next record or nothing.
inline bool may_end(std::string_view bytes, size_t end) {
  if (end == bytes.size()) return true;
  const std::string_view after = bytes.substr(end);
  if (after.starts_with("\r\n\r\n") || after.starts_with("\n\n") || after.starts_with("\r\r\n\r\r\n")) return true;
  size_t i = 0;
  while (i < 4 && i < after.size() && (after[i] == '\r' || after[i] == '\n')) ++i;
  return i == after.size() || begins_record(after, i);
}

inline bool is_document(const PlainHeader& header, uint64_t length) {
  const auto type = header.fields.find("content-type");
  const std::string says =
      type == header.fields.end() ? "" : small(type->second.substr(0, type->second.find_first_of(";,")));
  return small(header.fields.at("warc-type")) == "conversion" && length > 0 &&
         (trim(says).empty() || says.starts_with("text/"));
}

/// What a file holds that is not compressed.
inline std::vector<WarcItem> read_warc(std::string_view bytes) {
  std::vector<WarcItem> items;
  bool is_lost = false;
  for (size_t at = 0; at < bytes.size();) {
    if (bytes[at] == '\r' || bytes[at] == '\n') {
      ++at;
      continue;
    }
    size_t from = 1;
    std::string reason = "invalid_warc";
    if (begins_record(bytes, at)) {
      is_lost = false;
      const auto header = plain_header(bytes, at);
      const auto length = header ? plain_length(*header) : std::nullopt;
      if (header && length && header->fields.contains("warc-type") && !header->fields.at("warc-type").empty()) {
        from = header->size;
        if (*length > bytes.size() - at - header->size) {
          reason = "truncated";
        } else if (may_end(bytes, at + header->size + *length)) {
          const size_t size = header->size + *length;
          items.push_back({"", is_document(*header, *length), std::string(bytes.substr(at, size))});
          at += size;
          continue;
        }
      }
    }
    if (!is_lost) items.push_back({reason, false, ""});
    is_lost = true;
    size_t next = at + from;
    while (next < bytes.size() && !(begins_record(bytes, next) && bytes[next - 1] == '\n')) ++next;
    at = next;
  }
  return items;
}

}  // namespace neardup::corpus::plain
