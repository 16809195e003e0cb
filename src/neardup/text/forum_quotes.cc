#include "neardup/text/forum_quotes.h"

#include <algorithm>

namespace neardup::text {
namespace {

constexpr size_t kLongestMark = 200;  // "[quote=...]"
constexpr std::string_view kOpens = "[quote", kCloses = "[/quote]";

/// Whether `text` begins with `mark`, in whatever case.
bool begins_with(std::string_view text, std::string_view mark) {
  const auto same = [](char a, char b) { return a == b || (a >= 'A' && a <= 'Z' && (a | 0x20) == b); };
  return text.size() >= mark.size() &&
         std::equal(mark.begin(), mark.end(), text.begin(), [&](char b, char a) { return same(a, b); });
}

/// How many bytes the mark takes that `text` begins with, one that opens or closes a quotation; 0 for none.
size_t mark_size(std::string_view text, bool& opens) {
  opens = false;
  if (begins_with(text, kCloses)) return kCloses.size();
  opens = begins_with(text, kOpens) && text.size() > kOpens.size();
  if (!opens || std::string_view("]= ").find(text[kOpens.size()]) == std::string_view::npos) return 0;
  const size_t end = text.substr(0, kLongestMark).find_first_of("]\n");
  return end == std::string_view::npos || text[end] == '\n' ? 0 : end + 1;
}

bool closes_any(std::string_view text) {
  for (size_t at = text.find("[/"); at != std::string_view::npos; at = text.find("[/", at + 1))
    if (begins_with(text.substr(at), kCloses)) return true;
  return false;
}

}  // namespace

size_t leave_out_forum_quotes(std::string_view text, std::string& out, QuoteDigest& digest) {
  out.clear();
  if (!closes_any(text)) return 0;
  size_t depth = 0, num_line_ends = 0;
  QuoteDigest with_quotes = digest;
  const auto take = [&](std::string_view piece) {
    if (depth == 0) return void(out += piece);
    with_quotes.add(piece);
    num_line_ends += static_cast<size_t>(std::ranges::count(piece, '\n'));
  };
  for (size_t at = 0; at < text.size();) {
    const size_t next = std::min(text.find('[', at), text.size());
    take(text.substr(at, next - at));
    bool opens = false;
    const size_t size = mark_size(text.substr(next), opens);
    const bool is_over = size > 0 && !opens && depth == 0;
    if (is_over) return out.clear(), 0;
    if (size == 0) take(text.substr(next, 1));
    if (size > 0) depth += opens ? size_t{1} : ~size_t{0};
    at = next + std::max<size_t>(size, 1);
  }
  if (depth > 0) return out.clear(), 0;
  digest = with_quotes;
  return num_line_ends + 1;
}

}  // namespace neardup::text
