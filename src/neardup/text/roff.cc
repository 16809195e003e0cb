#include "neardup/text/roff.h"

#include <algorithm>
#include <cstdint>

#include "neardup/base/trim.h"
#include "neardup/text/roff_escapes.h"
#include "neardup/text/roff_macros.h"
#include "neardup/text/text_lines.h"

namespace neardup::text {
namespace {

constexpr size_t kDeepestCondition = 64;
constexpr size_t kBehindWord = 2;  // bytes that may be added behind a word: a blank and the end of the line

// What a page that is not named begins with; comments beside.
constexpr std::string_view kFirstMacros[] = {"SH", "Sh", "SS", "PP", "de", "ds", "ig", "mso", "lf"};
constexpr size_t kLongestName = 3;  // bytes of the macro or request that a page begins with
// What names a page, and what must stand in one that is not, each at a line's beginning.
constexpr std::string_view kPageNames[] = {"\n.TH ", "\n.Dt "};
constexpr std::string_view kPageMarks[] = {"\n.SH", "\n.Sh ", "\n.SS ", "\n.PP\n", "\n.LP\n"};

bool is_control(std::string_view line) { return !line.empty() && (line.front() == '.' || line.front() == '\''); }

/// Takes the name of a macro or request from a control line, of which its words are left.
std::string_view take_macro(std::string_view& line) {
  line.remove_prefix(1);
  line = trim_blanks(line);
  size_t end = std::min(line.find_first_of(" \t"), line.size());
  if (line.starts_with("\\\"") || line.starts_with("\\#")) end = 2;
  end = std::min(end, std::max<size_t>(line.find('\\', 1), 1));
  const std::string_view name = line.substr(0, end);
  line.remove_prefix(name.size());
  line = trim_blanks(line);
  if (line.starts_with("\\\"")) line = {};
  if (const size_t comment = line.find(" \\\""); comment != std::string_view::npos) line = line.substr(0, comment);
  return name;
}

bool is_comment(std::string_view line) {
  return is_control(line) && roff_macro_of(take_macro(line)) == RoffMacro::kComment;
}

bool is_macro_byte(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/// Whether a line is a request or the call of a macro with a short name, as all of the macros for manual pages are.
/// Text may begin with "'Tis" or ".. _label:".
bool is_short_call(std::string_view line) {
  const bool dotted = line.starts_with('.');
  if (!is_control(line) || line.size() < 2) return false;
  if (dotted && line[1] == '\\') return true;
  const std::string_view name = take_macro(line);
  if (!dotted) return std::ranges::find(kFirstMacros, name) != std::end(kFirstMacros);
  return !name.empty() && name.size() <= kLongestName && std::ranges::all_of(name, is_macro_byte);
}

bool only_includes(std::string_view text) {
  bool any = false;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    if (trim_blanks(line).empty() || is_comment(line)) continue;
    if (!is_control(line) || take_macro(line) != "so") return false;
    any = true;
  }
  return any;
}

/// Takes a word of a macro: up to a blank, or between quotes, where two stand for one.
std::string_view take_word(std::string_view& line) {
  line = trim_blanks(line);
  if (!line.starts_with('"')) {
    size_t end = 0;
    while (end < line.size() && line[end] != ' ' && line[end] != '\t') end += line[end] == '\\' ? 2 : 1;
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(word.size());
    return word;
  }
  size_t end = line.find('"', 1);
  while (end + 1 < line.size() && end != std::string_view::npos && line[end + 1] == '"') end = line.find('"', end + 2);
  const std::string_view word = line.substr(1, end == std::string_view::npos ? end : end - 1);
  line.remove_prefix(std::min(end == std::string_view::npos ? end : end + 1, line.size()));
  return word;
}

/// How many more blocks a line opens than it closes.
int blocks_of(std::string_view line) {
  int open = 0;
  for (size_t at = line.find('\\'); at != std::string_view::npos && at + 1 < line.size(); at = line.find('\\', at + 2))
    open += line[at + 1] == '{' ? 1 : line[at + 1] == '}' ? -1 : 0;
  return open;
}

/// Takes the condition of .if and .ie, and returns whether it holds for a terminal. Comparisons do not, as if nothing
/// was set; that the program is groff does.
bool take_condition(std::string_view& line) {
  const bool negated = line.starts_with('!');
  if (negated) line.remove_prefix(1);
  const bool is_name = line.starts_with('n') || line.starts_with('t') || line.starts_with('o') || line.starts_with('e');
  const bool holds = line.starts_with('n') || line.starts_with('o') || line.starts_with("\\n(.g");
  size_t end = is_name ? 1 : std::min(line.find_first_of(" \t"), line.size());
  if (const size_t block = line.find("\\{"); block < end) end = block;
  if (line.starts_with('\'') && line.find('\'', 1) != std::string_view::npos) {
    const size_t last = line.find('\'', line.find('\'', 1) + 1);
    end = std::min(last == std::string_view::npos ? last : last + 1, line.size());
  }
  line.remove_prefix(end);
  line = trim_blanks(line);
  return holds != negated;
}

/// Reads a text line by line.
class RoffReader {
 public:
  RoffReader(std::string_view text, std::string& out) : text_(text), rest_(text), out_(out) {}

  void read() {
    while (!rest_.empty()) take(take_line(rest_));
  }

 private:
  enum class Table : uint8_t { kNone, kOptions, kRows };

  void take(std::string_view line) {
    if (skipped_blocks_ > 0) {
      skipped_blocks_ = std::max(0, skipped_blocks_ + blocks_of(line));
    } else if (is_control(line)) {
      std::string_view words = line;
      const std::string_view name = take_macro(words);
      take_control(name, words);
    } else if (table_ != Table::kNone) {
      take_row(line);
    } else {
      show(line);
      end_line();
    }
  }

  void take_control(std::string_view name, std::string_view words) {
    if (table_ != Table::kNone && name == "T&") return void(table_ = Table::kOptions);
    switch (roff_macro_of(name)) {
      case RoffMacro::kNothing:
      case RoffMacro::kComment:
        break;
      case RoffMacro::kWords:
        show_words(words, " ");
        break;
      case RoffMacro::kJoined:
        show_words(words, "");
        break;
      case RoffMacro::kFirstWord:
        show_first(words, 1);
        break;
      case RoffMacro::kTitle:
        is_mdoc_ = name == "Dt";
        show_first(words, 2);
        break;
      case RoffMacro::kDefinition:
        skip_definition(name, words);
        break;
      case RoffMacro::kString: {
        const std::string_view defined = take_word(words);
        strings_.define(defined, trim_blanks(words));
        break;
      }
      case RoffMacro::kIf:
        take_branch(take_condition(words), words);
        break;
      case RoffMacro::kIfElse:
        take_if_else(words);
        break;
      case RoffMacro::kElse:
        take_else(words);
        break;
      case RoffMacro::kTable:
        table_ = Table::kOptions;
        break;
      case RoffMacro::kTableEnd:
        table_ = Table::kNone;
        break;
    }
  }

  void take_if_else(std::string_view words) {
    const bool holds = take_condition(words);
    if (elses_.size() >= kDeepestCondition) elses_.erase(0, 1);  // one without .el, most likely
    elses_ += holds ? '0' : '1';
    take_branch(holds, words);
  }

  void take_else(std::string_view words) {
    if (elses_.empty()) return;
    const bool holds = elses_.back() == '1';
    elses_.pop_back();
    take_branch(holds, words);
  }

  void take_branch(bool holds, std::string_view words) {
    if (!holds) return void(skipped_blocks_ = std::max(0, blocks_of(words)));
    if (words.starts_with("\\{")) words.remove_prefix(2);
    words = trim_blanks(words);
    if (words.empty() || words == "\\" || depth_ >= kDeepestCondition) return;
    ++depth_;
    take(words);
    --depth_;
  }

  /// The lines up to ".." or the macro that is named as the end.
  void skip_definition(std::string_view name, std::string_view words) {
    if (name != "ig") take_word(words);
    const std::string_view named = take_word(words);
    const std::string_view end = named.empty() ? std::string_view(".") : named;
    while (!rest_.empty()) {
      std::string_view line = take_line(rest_);
      if (is_control(line) && take_macro(line) == end) return;
    }
  }

  /// The lines of a table up to one that ends in a period say how it is laid out.
  void take_row(std::string_view line) {
    if (table_ == Table::kOptions) {
      if (trim_blanks(line).ends_with('.')) table_ = Table::kRows;
      return;
    }
    if (line == "_" || line == "=") return;
    if (line.starts_with("T}")) line.remove_prefix(2);
    if (line.ends_with("T{")) line.remove_suffix(2);
    show(line);
    end_line();
  }

  /// Strings may take the place of what was not shown so far, so what comes behind always has room.
  void show(std::string_view source) {
    if (source.empty()) return;
    const auto end = static_cast<size_t>(source.data() + source.size() - text_.data());
    append_shown(source, strings_, end - std::min(end, kBehindWord), out_);
  }

  void end_line() {
    if (!out_.empty() && out_.back() != '\n' && out_.size() < text_.size()) out_ += '\n';
  }

  void show_first(std::string_view words, int count) {
    for (; count > 0 && !words.empty(); --count) show_word(take_word(words), " ");
    end_line();
  }

  void show_words(std::string_view words, std::string_view between) {
    while (!words.empty()) {
      const std::string_view word = take_word(words);
      words = trim_blanks(words);
      if (is_mdoc_ && is_mdoc_macro(word)) continue;
      show_word(word, words.empty() ? "" : between);
    }
    end_line();
  }

  void show_word(std::string_view word, std::string_view behind) {
    show(word);
    if (out_.size() < text_.size()) out_ += behind;
  }

  std::string_view text_;
  std::string_view rest_;
  std::string& out_;
  RoffStrings strings_;
  std::string elses_;  // of each .ie that is open whether its .el is shown
  int skipped_blocks_ = 0;
  size_t depth_ = 0;
  Table table_ = Table::kNone;
  bool is_mdoc_ = false;
};

}  // namespace

bool looks_like_roff(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  const bool comment = text.starts_with("\\\"") || is_comment(text.substr(0, text.find('\n')));
  if (!comment && !is_control(text)) return false;
  const auto stands = [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; };
  if (text.starts_with(".TH ") || text.starts_with(".Dd ")) return true;
  std::string_view rest = text;
  std::string_view line = take_line(rest);
  if ((comment || is_short_call(line)) && std::ranges::any_of(kPageNames, stands)) return true;
  if (!comment && std::ranges::find(kFirstMacros, take_macro(line)) == std::end(kFirstMacros))
    return only_includes(text);
  return std::ranges::any_of(kPageMarks, stands) || only_includes(text);
}

void read_roff(std::string_view text, std::string& out) {
  out.clear();
  RoffReader(text, out).read();
}

}  // namespace neardup::text
