#include "neardup/text/html/raised.h"

#include "neardup/base/trim.h"

namespace neardup::text {
namespace {

struct Raised {
  std::string_view plain, raised, lowered;
};

constexpr Raised kRaised[] = {{"0", "⁰", "₀"}, {"1", "¹", "₁"}, {"2", "²", "₂"}, {"3", "³", "₃"}, {"4", "⁴", "₄"},
                              {"5", "⁵", "₅"}, {"6", "⁶", "₆"}, {"7", "⁷", "₇"}, {"8", "⁸", "₈"}, {"9", "⁹", "₉"},
                              {"+", "⁺", "₊"}, {"-", "⁻", "₋"}, {"−", "⁻", "₋"}, {"n", "ⁿ", "ₙ"}};

std::string_view without_page_space(std::string_view text) { return trim_blanks(text, " \t\r\n"); }

const Raised* find_raised(std::string_view text) {
  for (const Raised& row : kRaised)
    if (text.starts_with(row.plain)) return &row;
  return nullptr;
}

}  // namespace

bool is_raised(Tag tag, std::string_view text) {
  if (tag != Tag::kSup && tag != Tag::kSub) return false;
  text = without_page_space(text);
  if (text.empty()) return false;
  while (const Raised* row = find_raised(text)) text.remove_prefix(row->plain.size());
  return text.empty();
}

void append_raised(Tag tag, std::string_view text, std::string& out) {
  text = without_page_space(text);
  while (const Raised* row = find_raised(text)) {
    out += tag == Tag::kSup ? row->raised : row->lowered;
    text.remove_prefix(row->plain.size());
  }
}

}  // namespace neardup::text
