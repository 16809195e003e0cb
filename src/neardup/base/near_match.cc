#include "neardup/base/near_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace neardup {
namespace {

/// Returns the only word that begins with `typed`, else "".
std::string only_continuation(std::string_view typed, std::span<const std::string> words) {
  std::string found;
  for (const std::string& word : words) {
    if (typed.empty() || !word.starts_with(typed)) continue;
    if (!found.empty()) return {};
    found = word;
  }
  return found;
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  const size_t width = b.size() + 1;
  std::array<std::vector<int>, 3> rows;  // row i of the table is rows[i % 3]
  for (auto& row : rows) row.assign(width, 0);
  for (size_t j = 0; j < width; ++j) rows[0][j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    std::vector<int>& row = rows[i % 3];
    const std::vector<int>& above = rows[(i + 2) % 3];
    const std::vector<int>& two_above = rows[(i + 1) % 3];
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j < width; ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return rows[a.size() % 3][b.size()];
}

std::string near_match(std::string_view typed, std::span<const std::string> words) {
  if (std::string found = only_continuation(typed, words); !found.empty()) return found;
  std::string best;
  int best_distance = std::max(1, static_cast<int>(typed.size()) / 3) + 1;
  for (const std::string& word : words) {
    if (const int distance = edit_distance(typed, word); distance < best_distance) {
      best = word;
      best_distance = distance;
    }
  }
  return best;
}

std::string expected_one_of(const std::vector<std::string>& words, const std::string& found) {
  std::string list;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) list += i + 1 == words.size() ? " or " : ", ";
    list += words[i];
  }
  if (found.empty()) return fmt::format("expected {}, found nothing", list);
  const std::string near = near_match(found, words);
  return fmt::format("expected {}, found \"{}\"{}", list, found,
                     near.empty() ? "" : fmt::format("; did you mean {}?", near));
}

}  // namespace neardup
