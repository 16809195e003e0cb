#include "neardup/text/roff_escapes.h"

#include <algorithm>

#include "neardup/text/roff_characters.h"

namespace neardup::text {
namespace {

constexpr size_t kMostStrings = 64, kLongestString = 64;

// Those of the macros, and of pod2man, whose own definitions stand in branches for printers as well.
struct KnownString {
  std::string_view name, value;
};
constexpr KnownString kKnownStrings[] = {{"--", "-"},   {"Am", "&"},  {"Aq", "'"},  {"Ba", "|"},   {"C'", ""},
                                         {"C+", "C++"}, {"C`", ""},   {"Gt", ">"},  {"L\"", "\""}, {"Le", "<="},
                                         {"Lt", "<"},   {"PI", "pi"}, {"R", "(R)"}, {"R\"", "\""}, {"Tm", "(TM)"},
                                         {"lq", "\""},  {"q", "\""},  {"rq", "\""}, {"``", "\""},  {"''", "\""}};

// Behind these stands a name, behind those a value between two of the same character; nothing of either is shown.
constexpr std::string_view kTakesName = "fFkmMgnVYO";
constexpr std::string_view kTakesValue = "hvwlLDbxXZHSRNAB";
constexpr std::string_view kShowsNothing = "&|^/,%:){}acdprtuz!\n";
constexpr std::string_view kBlanks = " ~0";

/// What is shown of a line, from left to right.
class ShownLine {
 public:
  ShownLine(std::string_view source, const RoffStrings& strings, size_t most, std::string& out)
      : source_(source), strings_(strings), most_(most), out_(out) {}

  void show() {
    while (at_ < source_.size() && !ended_) {
      const size_t escape = std::min(source_.find('\\', at_), source_.size());
      add(source_.substr(at_, escape - at_));
      at_ = escape + 1;
      if (at_ < source_.size()) take_escape(source_[at_++]);
    }
  }

 private:
  void add(std::string_view bytes) { out_ += bytes; }

  void take_escape(char kind) {
    if (kind == '"' || kind == '#') {
      ended_ = true;
    } else if (kind == '(' || kind == '[') {
      --at_;
      show_character(take_name());
    } else if (kind == '*') {
      const size_t begin = at_ - 2;
      const std::string_view name = take_name();
      show_string(name, at_ - begin);
    } else if (kind == 's') {
      skip_size();
    } else if (kind == 'C' || kind == 'o') {
      show_value(kind, take_value());
    } else if (kTakesName.find(kind) != std::string_view::npos) {
      skip_sign();
      take_name();
    } else if (kTakesValue.find(kind) != std::string_view::npos) {
      take_value();
    } else if (kBlanks.find(kind) != std::string_view::npos) {
      add(" ");
    } else if (kind == 'e') {
      add("\\");
    } else if (kShowsNothing.find(kind) == std::string_view::npos) {
      add({&kind, 1});
    }
  }

  /// "x", "(xx" or "[name]".
  std::string_view take_name() {
    if (at_ >= source_.size()) return {};
    if (source_[at_] == '(') return take(1, 2);
    if (source_[at_] != '[') return take(0, 1);
    const size_t end = std::min(source_.find(']', at_), source_.size());
    const std::string_view name = source_.substr(at_ + 1, end - at_ - 1);
    at_ = std::min(end + 1, source_.size());
    return name;
  }

  std::string_view take(size_t skipped, size_t size) {
    const std::string_view taken = source_.substr(std::min(at_ + skipped, source_.size()), size);
    at_ = std::min(at_ + skipped + size, source_.size());
    return taken;
  }

  /// 'value', where any character may stand for the quote.
  std::string_view take_value() {
    if (at_ >= source_.size()) return {};
    const size_t end = std::min(source_.find(source_[at_], at_ + 1), source_.size());
    const std::string_view value = source_.substr(at_ + 1, end - at_ - 1);
    at_ = std::min(end + 1, source_.size());
    return value;
  }

  void skip_sign() {
    if (at_ < source_.size() && (source_[at_] == '+' || source_[at_] == '-')) ++at_;
  }

  /// "\s-1", "\s12", "\s'+2'", "\s[10]", "\s(12".
  void skip_size() {
    skip_sign();
    if (at_ >= source_.size()) return;
    const char first = source_[at_];
    if (first == '\'') {
      take_value();
    } else if (first == '(' || first == '[') {
      take_name();
    } else {
      const bool two = first >= '1' && first <= '3' && at_ + 1 < source_.size() && source_[at_ + 1] >= '0' &&
                       source_[at_ + 1] <= '9';
      at_ += two ? 2 : 1;
    }
  }

  void show_character(std::string_view name) {
    character_.clear();
    append_roff_character(name, character_);
    add(character_);
  }

  void show_value(char kind, std::string_view value) {
    if (kind == 'C') return show_character(value);
    add(value.substr(0, 1));  // characters one over the other
  }

  /// Strings within strings are not looked into. What has `escape_size` bytes of source stands for the string.
  void show_string(std::string_view name, size_t escape_size) {
    const std::string_view value = strings_.find(name);
    const bool has_room = value.size() <= escape_size || out_.size() + value.size() + source_.size() - at_ <= most_;
    if (has_room && value.find("\\*") == std::string_view::npos && depth_ == 0) {
      ShownLine inner(value, strings_, most_, out_);
      inner.depth_ = 1;
      inner.show();
    }
  }

  std::string_view source_;
  const RoffStrings& strings_;
  size_t most_;
  std::string& out_;
  size_t at_ = 0;
  int depth_ = 0;
  bool ended_ = false;
  std::string character_;
};

}  // namespace

void RoffStrings::define(std::string_view name, std::string_view value) {
  if (value.starts_with('"')) value.remove_prefix(1);
  if (name.empty() || value.size() > kLongestString) return;
  const auto known = std::ranges::find(kKnownStrings, name, &KnownString::name);
  if (known != std::end(kKnownStrings)) return;
  const auto entry = std::ranges::find(entries_, name, &Entry::name);
  if (entry != entries_.end()) {
    entry->value = value;
  } else if (entries_.size() < kMostStrings) {
    entries_.push_back({name, value});
  }
}

std::string_view RoffStrings::find(std::string_view name) const {
  const auto entry = std::ranges::find(entries_, name, &Entry::name);
  if (entry != entries_.end()) return entry->value;
  const auto known = std::ranges::find(kKnownStrings, name, &KnownString::name);
  return known == std::end(kKnownStrings) ? std::string_view() : known->value;
}

void append_shown(std::string_view source, const RoffStrings& strings, size_t most, std::string& out) {
  ShownLine(source, strings, most, out).show();
}

}  // namespace neardup::text
