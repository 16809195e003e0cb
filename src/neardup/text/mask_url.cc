#include "neardup/text/mask_url.h"

#include <algorithm>

namespace neardup::text {
namespace {

constexpr size_t kMaxEmail = 320;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool is_alphanumeric(char c) { return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9'); }

bool starts_with_folded(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(), [](char a, char b) { return a == lower(b); });
}

size_t scheme_size(std::string_view text) {
  const char first = lower(text.empty() ? ' ' : text[0]);
  if (first != 'h' && first != 'w' && first != 'f') return 0;
  for (const std::string_view scheme : {"https://", "http://", "ftp://", "www."}) {
    if (starts_with_folded(text, scheme)) return scheme.size();
  }
  return 0;
}

bool is_in_url(char c) {
  return c > ' ' && c < '\x7F' && std::string_view("\"<>\\^`{|}").find(c) == std::string_view::npos;
}

bool is_tracking(std::string_view parameter) {
  const std::string_view name = parameter.substr(0, parameter.find('='));
  for (const std::string_view prefix : {"utm_", "mtm_", "pk_", "hsa_", "_hs"}) {
    if (starts_with_folded(name, prefix)) return true;
  }
  for (const std::string_view known :
       {"gclid",  "gbraid",    "wbraid",     "dclid",     "fbclid",     "msclkid",      "yclid",   "twclid",
        "ttclid", "igshid",    "mc_cid",     "mc_eid",    "_ga",        "_gl",          "mkt_tok", "spm",
        "sid",    "sessionid", "session_id", "phpsessid", "jsessionid", "aspsessionid", "cfid",    "cftoken"}) {
    if (name.size() == known.size() && starts_with_folded(name, known)) return true;
  }
  return false;
}

}  // namespace

size_t url_size(std::string_view text) {
  const size_t scheme = scheme_size(text);
  if (scheme == 0 || scheme == text.size() || !is_alphanumeric(text[scheme])) return 0;
  size_t size = scheme;
  while (size < text.size() && is_in_url(text[size])) ++size;
  const bool bracket = text.substr(0, size).find('(') != std::string_view::npos;
  while (std::string_view(".,;:!?'*_~]").find(text[size - 1]) != std::string_view::npos ||
         (text[size - 1] == ')' && !bracket)) {
    --size;
  }
  return size;
}

size_t email_size(std::string_view text) {
  const std::string_view room = text.substr(0, kMaxEmail);
  size_t at = 0;
  while (at < room.size() &&
         (is_alphanumeric(room[at]) || std::string_view("._%+-").find(room[at]) != std::string_view::npos)) {
    ++at;
  }
  if (at == 0 || at >= room.size() || room[at] != '@') return 0;
  size_t end = at + 1;
  size_t last_dot = 0;
  while (end < room.size() && (is_alphanumeric(room[end]) || room[end] == '-' || room[end] == '.')) {
    if (room[end] == '.') last_dot = end;
    ++end;
  }
  if (end == last_dot + 1) {  // the sentence's full stop
    end = last_dot;
    const size_t before = room.substr(0, end).rfind('.');
    last_dot = before == std::string_view::npos || before < at ? 0 : before;
  }
  return last_dot > at + 1 && end > last_dot + 2 ? end : 0;
}

bool append_without_tracking(std::string_view url, std::string& out) {
  bool dropped = false;
  const size_t hash = std::min(url.find('#'), url.size());
  const std::string_view fragment = url.substr(hash);
  const size_t question = std::min(url.substr(0, hash).find('?'), hash);
  const std::string_view path = url.substr(0, question);
  size_t copied = 0;
  for (size_t at = path.find(';'); at != std::string_view::npos;) {
    const size_t end = std::min(path.find_first_of(";/", at + 1), path.size());
    if (is_tracking(path.substr(at + 1, end - at - 1))) {
      out.append(path.substr(copied, at - copied));
      copied = end;
      dropped = true;
    }
    at = path.find(';', end);
  }
  out.append(path.substr(copied));
  char before = '?';
  for (size_t at = question + 1; at < hash;) {
    const size_t end = std::min(url.find('&', at), hash);
    const std::string_view parameter = url.substr(at, end - at);
    at = end + 1;
    if (is_tracking(parameter)) {
      dropped = true;
      continue;
    }
    out.push_back(before);
    out.append(parameter);
    before = '&';
  }
  out.append(fragment);
  return dropped;
}

}  // namespace neardup::text
