#include "neardup/corpus/formats/warc_header.h"

#include <algorithm>
#include <charconv>

#include "neardup/base/trim.h"
#include "neardup/corpus/formats/warc_window.h"

namespace neardup::corpus {
namespace {

constexpr std::string_view kHeaderSpace = " \t\r";
constexpr std::string_view kDraftMark = "WARC/0.1";
constexpr size_t kNoHeaderEnd = std::string_view::npos;

std::string_view trimmed(std::string_view text) { return trim_blanks(text, kHeaderSpace); }

char small_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

std::optional<uint64_t> number_of(std::string_view digits) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty()) return std::nullopt;
  return value;
}

/// "WARC/1.0" and "WARC/1.1"; 0.17 and 0.18, drafts of it, are made alike.
bool is_version_line(std::string_view line) {
  const std::string_view version = trimmed(line);
  if (version == "WARC/0.17" || version == "WARC/0.18") return true;
  return version.size() == kWarcMark.size() + 1 && version.starts_with(kWarcMark) && version.back() >= '0' &&
         version.back() <= '9';
}

/// Names and mail are no pages; what a web server sent has an HTTP header, or, of the oldest, none.
WarcHeader header_of_arc(const ArcLine& line) {
  const bool is_web = same_name(line.uri.substr(0, 5), "http:") || same_name(line.uri.substr(0, 6), "https:");
  return {.size = line.size,
          .fields = HeaderFields(line),
          .type = line.uri.starts_with(kArcMark) ? "warcinfo"
                  : is_web                       ? "response"
                                                 : "resource",
          .content_length = line.length,
          .is_arc = true};
}

std::optional<HttpHeader> read_one_http_header(std::string_view block) {
  if (!block.starts_with("HTTP/")) return std::nullopt;
  HttpHeader header;
  header.size = header_size(block);
  header.is_too_long = header.size == kNoHeaderEnd;
  header.size = std::min(header.size, block.size());
  std::string_view lines = block.substr(0, std::min(header.size, kMaxWarcHeaderBytes));
  std::string_view status = take_header_line(lines);
  status.remove_prefix(std::min(status.find(' '), status.size()));
  status = trimmed(status);
  const auto code = number_of(status.substr(0, std::min<size_t>(status.find(' '), 3)));
  header.status = static_cast<int>(code.value_or(0));
  header.fields = HeaderFields(lines);
  return header;
}

}  // namespace

bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return small_letter(x) == small_letter(y); });
}

std::string_view take_header_line(std::string_view& lines) {
  const size_t end = lines.find('\n');
  std::string_view line = lines.substr(0, end);
  lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
  while (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view header_name(std::string_view line) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || line.starts_with(' ') || line.starts_with('\t')) return {};
  const std::string_view name = trim_blanks(line.substr(0, colon));
  const bool is_name = std::ranges::none_of(name, [](char c) { return c == '\t' || is_header_control(c); });
  return is_name ? name : std::string_view();
}

bool HeaderFields::next(std::string_view& lines, std::string_view& name, std::string_view& value) {
  while (!lines.empty()) {
    const std::string_view line = take_header_line(lines);
    name = header_name(line);
    if (name.empty()) continue;
    value = trim_blanks(line.substr(line.find(':') + 1));
    return true;
  }
  return false;
}

std::string_view HeaderFields::find(std::string_view wanted) const {
  std::string_view lines = lines_, name, value;
  while (next(lines, name, value))
    if (same_name(name, wanted)) return value;
  if (arc_)
    for (const auto& [arc_name, arc_value] : arc_fields())
      if (same_name(arc_name, wanted)) return arc_value;
  return {};
}

std::array<std::pair<std::string_view, std::string_view>, 4> HeaderFields::arc_fields() const {
  return {std::pair{"WARC-Target-URI", arc_->uri}, std::pair{"WARC-IP-Address", arc_->ip},
          std::pair{"WARC-Date", arc_->date}, std::pair{"Content-Type", arc_->type}};
}

bool begins_warc(std::string_view bytes) { return bytes.starts_with(kWarcMark) || bytes.starts_with(kDraftMark); }

bool begins_crawl(std::string_view bytes) {
  const bool is_draft = bytes.starts_with("WARC/0.17") || bytes.starts_with("WARC/0.18");
  return bytes.starts_with(kWarcMark) || is_draft || bytes.starts_with(kArcMark);
}

size_t header_size(std::string_view bytes) {
  bytes = bytes.substr(0, kMaxWarcHeaderBytes);
  for (size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n', end + 1)) {
    const std::string_view rest = bytes.substr(end + 1, 2);
    if (rest.starts_with('\n')) return end + 2;
    if (rest == "\r\n") return end + 3;
    if (bytes.substr(end + 1, 3) == "\r\r\n") return end + 4;
    if (begins_warc(bytes.substr(end + 1))) return kNoHeaderEnd;  // the next one begins
  }
  return kNoHeaderEnd;
}

std::optional<WarcHeader> read_warc_header(std::string_view bytes, std::string_view& problem) {
  WarcHeader header;
  if (const auto arc = begins_warc(bytes) ? std::nullopt : read_arc_line(bytes)) return header_of_arc(*arc);
  header.size = header_size(bytes);
  if (header.size == kNoHeaderEnd) {
    problem = "has a header without an end";
    return std::nullopt;
  }
  std::string_view lines = bytes.substr(0, header.size);
  if (!is_version_line(take_header_line(lines))) {
    problem = "has no version line such as WARC/1.0";
    return std::nullopt;
  }
  header.fields = HeaderFields(lines);
  header.type = header.fields.find("WARC-Type");
  const auto length = number_of(header.fields.find("Content-Length"));
  constexpr uint64_t kMostLength = uint64_t{1} << 60;
  if (header.type.empty() || !length || *length > kMostLength) {
    problem = length && *length <= kMostLength ? "has no WARC-Type" : "has no Content-Length that is a number";
    return std::nullopt;
  }
  header.content_length = *length;
  return header;
}

std::optional<HttpHeader> read_http_header(std::string_view block) {
  auto header = read_one_http_header(block);
  size_t before = 0;
  while (header && header->status / 100 == 1) {
    auto next = read_one_http_header(block.substr(before + header->size));
    if (!next) break;
    before += header->size;
    header = next;
  }
  if (!header) return header;
  header->size += before;
  header->is_too_long = header->is_too_long && block.size() >= kMaxWarcHeaderBytes;
  return header;
}

std::string_view media_type(std::string_view content_type) {
  return trimmed(content_type.substr(0, content_type.find_first_of(";,")));
}

std::string_view charset_of(std::string_view content_type) {
  size_t semicolon = content_type.find(';');
  while (semicolon != std::string_view::npos) {
    const size_t next = content_type.find(';', semicolon + 1);
    const std::string_view parameter = trimmed(content_type.substr(semicolon + 1, next - semicolon - 1));
    semicolon = next;
    const size_t equals = parameter.find('=');
    if (equals == std::string_view::npos || !same_name(trimmed(parameter.substr(0, equals)), "charset")) continue;
    std::string_view value = trimmed(parameter.substr(equals + 1));
    while (!value.empty() && (value.front() == '"' || value.front() == '\'')) value.remove_prefix(1);
    while (!value.empty() && (value.back() == '"' || value.back() == '\'')) value.remove_suffix(1);
    return value;
  }
  return {};
}

std::string_view without_brackets(std::string_view value) {
  return value.size() >= 2 && value.front() == '<' && value.back() == '>' ? value.substr(1, value.size() - 2) : value;
}

}  // namespace neardup::corpus
