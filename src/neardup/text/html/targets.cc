#include "neardup/text/html/targets.h"

#include <algorithm>
#include <cstddef>

#include "neardup/base/white_space.h"
#include "neardup/text/html/render.h"

namespace neardup::text {
namespace {

constexpr size_t kLookedAtOfTag = 1024;  // of a tag

bool is_tag_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

bool equals(std::string_view name, std::string_view small_letters) {
  return std::equal(name.begin(), name.end(), small_letters.begin(), small_letters.end(),
                    [](char a, char b) { return (a | 0x20) == b; });
}

/// Takes away and returns the letters that `text` begins with.
std::string_view take_name(std::string_view& text) {
  const auto* const end = std::find_if_not(text.begin(), text.end(), is_tag_letter);
  const std::string_view name = text.substr(0, static_cast<size_t>(end - text.begin()));
  text.remove_prefix(name.size());
  return name;
}

void skip_space(std::string_view& text) {
  while (!text.empty() && is_white_space(text.front())) text.remove_prefix(1);
}

/// Takes away and returns the value of an attribute, whose name was taken; empty where it has none.
std::string_view take_value(std::string_view& text) {
  skip_space(text);
  if (!text.starts_with('=')) return {};
  text.remove_prefix(1);
  skip_space(text);
  const char quote = text.empty() ? ' ' : text.front();
  const bool is_quoted = quote == '"' || quote == '\'';
  if (is_quoted) text.remove_prefix(1);
  const size_t size = std::min(is_quoted ? text.find(quote) : text.find_first_of(" \t\n\r\f>"), text.size());
  const std::string_view value = text.substr(0, size);
  text.remove_prefix(std::min(text.size(), size + (is_quoted ? 1 : 0)));
  return value;
}

/// Whether it says nothing of what lies elsewhere: places in the page, data and actions; parts of a mail.
bool points_into_page(std::string_view value) {
  constexpr std::string_view kInner[] = {"#", "javascript:", "data:", "cid:", "about:"};
  return std::ranges::any_of(kInner, [value](std::string_view inner) { return value.starts_with(inner); });
}

void append_line(std::string_view value, std::string& out) {
  append_collapsed(value, out);
  if (out.ends_with(' ')) out.pop_back();
  if (!out.empty() && out.back() != '\n') out.push_back('\n');
}

/// Takes away the attributes that `attributes` begins with, up to the end of their tag.
void take_targets(std::string_view& attributes, std::string& out) {
  while (!attributes.empty() && attributes.front() != '>') {
    const std::string_view name = take_name(attributes);
    if (name.empty()) {
      attributes.remove_prefix(1);
      continue;
    }
    const std::string_view value = take_value(attributes);
    const bool is_target = equals(name, "href") || equals(name, "src") || equals(name, "alt");
    if (is_target && !points_into_page(value)) append_line(value, out);
  }
}

}  // namespace

bool read_targets(std::string_view html, std::string& out) {
  out.clear();
  for (size_t at = html.find('<'); at != std::string_view::npos; at = html.find('<', at + 1)) {
    std::string_view tag = html.substr(at + 1, kLookedAtOfTag);
    if (tag.starts_with("!--")) {
      at = std::min(html.find("-->", at), html.size() - 1);
      continue;
    }
    const std::string_view name = take_name(tag);
    if (equals(name, "script")) return false;
    if (equals(name, "a") || equals(name, "img") || equals(name, "area")) {
      const size_t size = tag.size();
      take_targets(tag, out);
      at += name.size() + size - tag.size();
    }
  }
  return true;
}

}  // namespace neardup::text
