// The slowest obvious JSON: a recursive reader of one character after the other, to hold the fast one against.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plain {

struct Member;

struct Value {
  char kind = 0;     // one of { [ " 0 (a number) w (a word)
  std::string raw;   // as it stands
  std::string text;  // of a string
  std::vector<Member> members;

  [[nodiscard]] const Value* find(std::string_view name) const;
};

struct Member {
  std::string name;
  Value value;
};

inline const Value* Value::find(std::string_view name) const {
  for (const Member& member : members) {
    if (member.name == name) return &member.value;
  }
  return nullptr;
}

inline void append_code_point(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  const int extra = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  const uint32_t marks[] = {0, 0xC0, 0xE0, 0xF0};
  out += static_cast<char>(marks[extra] | code >> (6 * extra));
  for (int i = extra - 1; i >= 0; --i) out += static_cast<char>(0x80 | (code >> (6 * i) & 0x3F));
}

/// The length of the UTF-8 sequence at the front of `s`, 0 if there is none: decode, encode again, compare.
inline size_t valid_sequence(std::string_view s) {
  const auto lead = static_cast<uint8_t>(s[0]);
  const size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
  if (length == 0 || s.size() < length) return 0;
  uint32_t code = length == 1 ? lead : lead & (0x7F >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((static_cast<uint8_t>(s[i]) & 0xC0) != 0x80) return 0;
    code = code << 6 | (static_cast<uint8_t>(s[i]) & 0x3F);
  }
  if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return 0;
  std::string again;
  append_code_point(again, code);
  return again == s.substr(0, length) ? length : 0;
}

inline std::string repair(std::string_view s) {
  std::string out;
  bool was_bad = false;
  while (!s.empty()) {
    const size_t length = valid_sequence(s);
    if (length == 0 && !was_bad) out += "\xEF\xBF\xBD";
    was_bad = length == 0;
    out += s.substr(0, length);
    s.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

class Parser {
 public:
  explicit Parser(std::string_view s) : s_(s) {}

  std::optional<Value> parse() {
    Value value;
    space();
    if (!read(value, 0)) return std::nullopt;
    space();
    if (i_ != s_.size()) return std::nullopt;
    return value;
  }

 private:
  static constexpr int kMaxDepth = 1024;

  [[nodiscard]] char peek() const { return i_ < s_.size() ? s_[i_] : '\0'; }
  bool take(char c) {
    if (i_ >= s_.size() || s_[i_] != c) return false;
    ++i_;
    return true;
  }
  void space() {
    while (i_ < s_.size() && std::string_view(" \t\r\n").find(s_[i_]) != std::string_view::npos) ++i_;
  }
  bool word(std::string_view w) {
    if (s_.substr(i_, w.size()) != w) return false;
    i_ += w.size();
    return true;
  }
  bool digits() {
    const size_t begin = i_;
    while (peek() >= '0' && peek() <= '9') ++i_;
    return i_ > begin;
  }

  bool read(Value& value, int depth) {
    const size_t begin = i_;
    bool good = false;
    if (peek() == '{' || peek() == '[') {
      value.kind = peek();
      good = depth < kMaxDepth && container(value, depth);
    } else if (peek() == '"') {
      value.kind = '"';
      good = string(value.text);
    } else if ((peek() == '-' && s_.substr(i_, 2) != "-I") || (peek() >= '0' && peek() <= '9')) {
      value.kind = '0';
      good = number();
    } else {
      value.kind = 'w';
      good = word("true") || word("false") || word("null") || word("NaN") || word("Infinity") || word("-Infinity");
    }
    value.raw = s_.substr(begin, i_ - begin);
    return good;
  }

  bool container(Value& value, int depth) {
    const bool is_object = take('{') || (take('['), false);
    const char close = is_object ? '}' : ']';
    space();
    if (take(close)) return true;
    do {
      space();
      Member member;
      if (is_object) {
        if (!string(member.name)) return false;
        space();
        if (!take(':')) return false;
        space();
      }
      if (!read(member.value, depth + 1)) return false;
      value.members.push_back(std::move(member));
      space();
    } while (take(','));
    return take(close);
  }

  bool number() {
    take('-');
    if (!take('0') && !digits()) return false;
    if (take('.') && !digits()) return false;
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      if (!digits()) return false;
    }
    return true;
  }

  bool four_hex(uint32_t& code) {
    code = 0;
    for (int k = 0; k < 4; ++k, ++i_) {
      const size_t digit = std::string_view("0123456789abcdefABCDEF").find(peek());
      if (i_ >= s_.size() || digit == std::string_view::npos) return false;
      code = code << 4 | static_cast<uint32_t>(digit < 16 ? digit : digit - 6);
    }
    return true;
  }

  bool unicode(std::string& out) {
    uint32_t code = 0;
    if (!four_hex(code)) return false;
    if (code >= 0xD800 && code < 0xDC00 && s_.substr(i_, 2) == "\\u") {
      const size_t back = i_;
      i_ += 2;
      uint32_t low = 0;
      if (!four_hex(low)) return false;
      if (low >= 0xDC00 && low < 0xE000) {
        append_code_point(out, 0x10000 + (code - 0xD800) * 0x400 + (low - 0xDC00));
        return true;
      }
      i_ = back;
    }
    append_code_point(out, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
    return true;
  }

  bool string(std::string& out) {
    if (!take('"')) return false;
    while (i_ < s_.size()) {
      const char c = s_[i_++];
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c != '\\') {
        out += c;
        continue;
      }
      const char letter = peek();
      ++i_;
      if (letter == 'u') {
        if (!unicode(out)) return false;
        continue;
      }
      const size_t which = std::string_view("\"\\/bfnrt").find(letter);
      if (letter == '\0' || which == std::string_view::npos) return false;
      out += "\"\\/\b\f\n\r\t"[which];
    }
    return false;
  }

  std::string_view s_;
  size_t i_ = 0;
};

/// Reads one line as the corpus room must: bad UTF-8 repaired, then strict.
inline std::optional<Value> parse(std::string_view line) {
  const std::string repaired = repair(line);
  return Parser(repaired).parse();
}

/// The field `key`: of that very name, else down the path between the dots; each time the first of its name.
inline const Value* find_field(const Value& object, const std::string& key) {
  if (key.empty()) return nullptr;
  if (const Value* literal = object.find(key)) return literal;
  const Value* value = &object;
  for (size_t begin = 0; begin <= key.size();) {
    const size_t dot = std::min(key.find('.', begin), key.size());
    if (value->kind != '{') return nullptr;
    value = value->find(key.substr(begin, dot - begin));
    if (value == nullptr) return nullptr;
    begin = dot + 1;
  }
  return value;
}

}  // namespace plain
