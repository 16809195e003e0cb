#include "neardup/corpus/find/glob.h"

namespace neardup::corpus {
namespace {

/// Matches `c` against the set at the front of `pattern` ("[a-z]..."), and moves `pattern` behind it. Without its "]"
/// the bracket is an ordinary character.
bool match_set(std::string_view& pattern, char c) {
  size_t i = 1;
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  const size_t first = i;
  bool is_in = false;
  for (; i < pattern.size() && (pattern[i] != ']' || i == first); ++i) {
    const auto low = static_cast<unsigned char>(pattern[i]);
    auto high = low;
    if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
      high = static_cast<unsigned char>(pattern[i + 2]);
      i += 2;
    }
    const auto byte = static_cast<unsigned char>(c);
    is_in = is_in || (low <= byte && byte <= high);
  }
  if (i >= pattern.size()) {
    pattern.remove_prefix(1);
    return c == '[';
  }
  pattern.remove_prefix(i + 1);
  return is_in != negated && c != '/';
}

/// Matches one character of `pattern`, which is not at a "*", and moves it forwards.
bool match_one(std::string_view& pattern, char c) {
  if (pattern.empty()) return false;
  if (pattern[0] == '[') return match_set(pattern, c);
  const char wanted = pattern[0];
  pattern.remove_prefix(1);
  return wanted == '?' ? c != '/' : wanted == c;
}

/// A place to go back to: the pattern behind a star, and what the star has not taken yet. Going back to the last star
/// of each of the two kinds is enough: an earlier star of the same kind can gain nothing more.
struct Star {
  bool is_set = false;
  std::string_view pattern = {};
  size_t position = 0;
};

bool match_whole(std::string_view pattern, std::string_view path) {
  Star star;         // "*": does not take a slash
  Star double_star;  // "**"
  size_t i = 0;
  while (i < path.size() || !pattern.empty()) {
    if (pattern.starts_with("**")) {
      pattern.remove_prefix(2);
      // "**/" also stands for no folder at all; else it takes whole folders.
      double_star = {true, pattern, i};
      star.is_set = false;
      if (pattern.starts_with('/') && (i == 0 || path[i - 1] == '/')) pattern.remove_prefix(1);
      continue;
    }
    if (pattern.starts_with('*')) {
      pattern.remove_prefix(1);
      star = {true, pattern, i};
      continue;
    }
    if (i < path.size() && match_one(pattern, path[i])) {
      ++i;
      continue;
    }
    if (star.is_set && star.position < path.size() && path[star.position] != '/') {
      i = ++star.position;
      pattern = star.pattern;
    } else if (double_star.is_set && double_star.position < path.size()) {
      i = ++double_star.position;
      pattern = double_star.pattern;
      star.is_set = false;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

bool matches_glob(std::string_view pattern, std::string_view path) {
  if (pattern.find('/') == std::string_view::npos) path = path.substr(path.rfind('/') + 1);
  return match_whole(pattern, path);
}

bool is_glob(std::string_view text) { return text.find_first_of("*?[") != std::string_view::npos; }

bool takes_folder(std::string_view pattern, std::string_view path) {
  for (const std::string_view end : {"/", "/*", "/**"})
    if (pattern.ends_with(end) && matches_glob(pattern.substr(0, pattern.size() - end.size()), path)) return true;
  return matches_glob(pattern, path);
}

}  // namespace neardup::corpus
