#include "neardup/corpus/find/object_lines.h"

#include <algorithm>
#include <string>

#include "neardup/corpus/formats/lines.h"

namespace neardup::corpus {
namespace {

constexpr size_t kMostDepth = 1024;  // as simdjson reads
constexpr std::string_view kBlanks = " \t\r";

enum class Scanned { kWhole, kOther, kCut };
enum class Awaited { kValue, kValueOrEnd, kKey, kKeyOrEnd, kColon, kCommaOrEnd };

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.';
}

/// The objects of one line, one after the other.
class ObjectScanner {
 public:
  explicit ObjectScanner(std::string_view line) : line_(line) { skip_blanks(); }

  /// Takes the next object.
  Scanned take() {
    if (!is_at('{')) return Scanned::kOther;
    do {
      const Scanned scanned = step();
      if (scanned != Scanned::kWhole) return scanned;
      skip_blanks();
    } while (!open_.empty() && !at_end());
    return open_.empty() ? Scanned::kWhole : Scanned::kCut;
  }
  [[nodiscard]] bool at_end() const { return at_ == line_.size(); }
  [[nodiscard]] bool has_member() const { return has_member_; }

 private:
  [[nodiscard]] bool is_at(char c) const { return !at_end() && line_[at_] == c; }
  void skip_blanks() { at_ = std::min(line_.find_first_not_of(kBlanks, at_), line_.size()); }
  [[nodiscard]] bool awaits_value() const { return awaited_ == Awaited::kValue || awaited_ == Awaited::kValueOrEnd; }

  /// Takes a string, a word, or one of the signs between them. kWhole: it may stand here.
  Scanned step() {
    const char c = line_[at_];
    if (c == '"') return take_string();
    if (is_word(c)) return take_word();
    ++at_;
    if (c == '{' || c == '[') return enter(c);
    if (c == '}' || c == ']') return leave(c == '}' ? '{' : '[');
    if (c == ':' && awaited_ == Awaited::kColon) return now(Awaited::kValue);
    if (c == ',' && awaited_ == Awaited::kCommaOrEnd) return now(open_.back() == '{' ? Awaited::kKey : Awaited::kValue);
    return Scanned::kOther;
  }

  Scanned now(Awaited awaited) {
    awaited_ = awaited;
    return Scanned::kWhole;
  }

  Scanned take_string() {
    const bool is_key = awaited_ == Awaited::kKey || awaited_ == Awaited::kKeyOrEnd;
    if (!is_key && !awaits_value()) return Scanned::kOther;
    has_member_ = true;
    for (++at_; !at_end() && line_[at_] != '"'; ++at_)
      if (line_[at_] == '\\' && at_ + 1 < line_.size()) ++at_;
    if (at_end()) return Scanned::kCut;
    ++at_;
    return now(is_key ? Awaited::kColon : Awaited::kCommaOrEnd);
  }

  Scanned take_word() {
    if (!awaits_value()) return Scanned::kOther;
    while (!at_end() && is_word(line_[at_])) ++at_;
    return now(Awaited::kCommaOrEnd);
  }

  Scanned enter(char bracket) {
    const bool is_outermost = open_.empty() && bracket == '{';
    if ((!is_outermost && !awaits_value()) || open_.size() == kMostDepth) return Scanned::kOther;
    open_.push_back(bracket);
    return now(bracket == '{' ? Awaited::kKeyOrEnd : Awaited::kValueOrEnd);
  }

  Scanned leave(char bracket) {
    const Awaited may_be_empty = bracket == '{' ? Awaited::kKeyOrEnd : Awaited::kValueOrEnd;
    if (open_.back() != bracket || (awaited_ != may_be_empty && awaited_ != Awaited::kCommaOrEnd))
      return Scanned::kOther;
    open_.pop_back();
    return now(Awaited::kCommaOrEnd);
  }

  std::string_view line_;
  size_t at_ = 0;
  std::string open_;  // the brackets that are open
  Awaited awaited_ = Awaited::kValue;
  bool has_member_ = false;
};

Scanned scan_line(std::string_view line, bool& has_member) {
  ObjectScanner scanner(line);
  do {
    const Scanned scanned = scanner.take();
    if (scanned != Scanned::kWhole) return scanned;
    has_member = has_member || scanner.has_member();
  } while (!scanner.at_end());
  return Scanned::kWhole;
}

}  // namespace

ObjectLines look_for_object_lines(std::string_view head, bool is_all, size_t most_lines) {
  ObjectLines found;
  std::string_view rest = without_byte_order_mark(head);
  while (found.num_whole < most_lines) {
    const size_t begin = rest.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return found;
    rest.remove_prefix(begin);
    const size_t end = rest.find('\n');
    const bool has_end = end != std::string_view::npos || is_all;
    bool has_member = false;
    const Scanned scanned = scan_line(rest.substr(0, end), has_member);
    // What goes on may be a number that is cut, or another object.
    found.is_other = scanned == Scanned::kOther || (scanned == Scanned::kCut && has_end);
    found.is_cut = scanned != Scanned::kOther && !has_end;
    if (found.is_other || found.is_cut) return found;
    ++found.num_whole;
    found.has_member = found.has_member || has_member;
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return found;
}

}  // namespace neardup::corpus
