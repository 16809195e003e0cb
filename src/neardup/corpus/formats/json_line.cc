#include "neardup/corpus/formats/json_line.h"

#include <simdjson.h>

#include <algorithm>
#include <bitset>
#include <cstdlib>
#include <new>

#include "neardup/corpus/formats/json_problem.h"
#include "neardup/corpus/formats/json_space.h"
#include "neardup/corpus/formats/unescape.h"

namespace neardup::corpus {
namespace {

using namespace json_problem;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

size_t skip_digits(std::string_view s, size_t i) {
  while (i < s.size() && is_digit(s[i])) ++i;
  return i;
}

/// RFC 8259, section 6.
bool is_number(std::string_view s) {
  const size_t first = s[0] == '-' ? 1 : 0;
  size_t i = skip_digits(s, first);
  if (i == first || (s[first] == '0' && i > first + 1)) return false;
  if (i < s.size() && s[i] == '.') {
    const size_t digits = ++i;
    i = skip_digits(s, i);
    if (i == digits) return false;
  }
  if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
    ++i;
    if (i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
    const size_t digits = i;
    i = skip_digits(s, i);
    if (i == digits) return false;
  }
  return i == s.size();
}

/// What json.dumps of Python and many others write, though RFC 8259 has no such values.
bool is_no_number(std::string_view s) { return s == "NaN" || s == "Infinity" || s == "-Infinity"; }

bool is_integer(std::string_view number) { return skip_digits(number, number[0] == '-' ? 1 : 0) == number.size(); }

JsonField::Kind kind_of(std::string_view raw) {
  if (raw[0] == '"') return JsonField::Kind::kString;
  const bool is_number = raw[0] == '-' || is_digit(raw[0]);
  return is_number && is_integer(raw) ? JsonField::Kind::kInteger : JsonField::Kind::kOther;
}

std::string_view describe(simdjson::error_code error) {
  if (error == simdjson::UNCLOSED_STRING) return kUnclosed;
  if (error == simdjson::UNESCAPED_CHARS) return kControl;
  return simdjson::error_message(error);
}

/// Returns where the problem lies that stage 1 of simdjson found without telling: the quote that opened the last string
/// for kUnclosed, the first control character in a string for kControl, else the beginning.
size_t find_fault(std::string_view line, std::string_view problem) {
  if (problem != kUnclosed && problem != kControl) return 0;
  bool is_inside = false;
  size_t begin = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (problem == kControl && is_inside && static_cast<uint8_t>(line[i]) < 0x20) return i;
    if (line[i] == '"') {
      is_inside = !is_inside;
      if (is_inside) begin = i;
    }
    i += static_cast<size_t>(is_inside && line[i] == '\\');
  }
  return begin;
}

}  // namespace

WantedKey::WantedKey(std::string_view key) : name(key) {
  for (size_t begin = 0;;) {
    const size_t dot = key.find('.', begin);
    parts.emplace_back(key.substr(begin, dot - begin));
    if (dot == std::string_view::npos) return;
    begin = dot + 1;
  }
}

JsonLine::JsonLine(Keys keys) : shared_keys_(std::move(keys)), keys_(*shared_keys_) {
  if (keys_.size() > kMaxKeys) std::abort();
  for (size_t k = 0; k < keys_.size(); ++k) {
    if (keys_[k].name.empty()) continue;
    all_keys_ |= KeyMask{1} << k;
    if (keys_[k].parts.size() > 1) dotted_keys_ |= KeyMask{1} << k;
  }
}

JsonLine::~JsonLine() = default;

const JsonField& JsonLine::field(size_t key) const {
  const JsonField& literal = literal_fields_[key];
  return literal.kind == JsonField::Kind::kMissing ? nested_fields_[key] : literal;
}

std::string JsonLine::problem() const { return describe_json_problem(problem_, line_, problem_offset_); }

bool JsonLine::fail(std::string_view problem) {
  problem_ = next_ < end_ ? problem : kTooEarly;
  problem_offset_ = std::min<size_t>(*next_, line_.size());
  return false;
}

/// Runs stage 1 of simdjson. It is the part below simdjson's public face that gives offsets of all tokens; stage 2
/// would refuse numbers beyond 64 bits and copy every string.
bool JsonLine::find_tokens(std::string_view line, JsonVerdict& verdict) {
  simdjson::error_code error = simdjson::SUCCESS;
  if (tokens_ == nullptr || tokens_->capacity() < line.size()) {
    const size_t capacity = std::max(line.size() + line.size() / 2, size_t{1} << 16);
    tokens_.reset();
    error = simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, 1, tokens_);
  }
  if (error == simdjson::SUCCESS) {
    error = tokens_->stage1(reinterpret_cast<const uint8_t*>(line.data()), line.size(), simdjson::stage1_mode::regular);
  }
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();  // the line is as good as before
  if (error != simdjson::SUCCESS) {
    problem_ = describe(error);
    problem_offset_ = find_fault(line, problem_);
    verdict = error == simdjson::UTF8_ERROR ? JsonVerdict::kInvalidUtf8 : JsonVerdict::kInvalid;
    return false;
  }
  base_ = line.data();
  next_ = tokens_->structural_indexes.get();
  end_ = next_ + tokens_->n_structural_indexes;
  tokens_->structural_indexes[tokens_->n_structural_indexes] = static_cast<uint32_t>(line.size());
  return true;
}

JsonVerdict JsonLine::parse(std::string_view line, Arena& arena) {
  arena_ = &arena;
  line_ = line;
  for (size_t k = 0; k < keys_.size(); ++k) literal_fields_[k] = nested_fields_[k] = JsonField{};
  JsonVerdict verdict = JsonVerdict::kInvalid;
  if (!find_tokens(line, verdict)) return verdict;
  const bool is_object = token() == '{';
  if (!(is_object ? parse_object(all_keys_, 0) : skip_value(0))) return JsonVerdict::kInvalid;
  if (next_ != end_) {
    fail(kFollows);
    return JsonVerdict::kInvalid;
  }
  return is_object ? JsonVerdict::kObject : JsonVerdict::kNotAnObject;
}

/// Reads an object that lies `level` objects deep on the path of the wanted `keys`.
bool JsonLine::parse_object(KeyMask keys, size_t level) {
  if (level >= kMaxDepth) return fail(kTooDeep);
  KeyMask literals = level == 0 ? dotted_keys_ : 0;
  ++next_;
  if (token() != '}') {
    while (true) {
      if (!parse_member(keys, literals, level)) return false;
      if (token() != ',') break;
      ++next_;
    }
    if (token() != '}') return fail(kObjectEnd);
  }
  value_end_ = base_ + *next_++ + 1;
  return true;
}

/// Keys that are found are taken out of `keys` and `literals`, so that the first of several fields with one name wins.
bool JsonLine::parse_member(KeyMask& keys, KeyMask& literals, size_t level) {
  std::string_view name;
  if (!parse_key((keys | literals) != 0 ? &name : nullptr)) return false;
  const KeyMask found = take_matches(name, keys, level);
  const KeyMask found_literals = take_literals(name, literals);
  KeyMask found_here = 0;
  for (size_t k = 0; found != 0 && k < keys_.size(); ++k) {
    if ((found >> k & 1) != 0 && keys_[k].parts.size() == level + 1) found_here |= KeyMask{1} << k;
  }
  const char* begin = base_ + *next_;
  const KeyMask deeper = found & ~found_here;
  JsonField field;
  if ((found_here | found_literals) != 0 && token() == '"') {
    if (!read_string(&field.text)) return false;
  } else if (!(deeper != 0 && token() == '{' ? parse_object(deeper, level + 1) : skip_value(level + 1))) {
    return false;
  }
  field.raw = {begin, static_cast<size_t>(value_end_ - begin)};
  store(found_here, nested_fields_, field);
  store(found_literals, literal_fields_, field);
  return true;
}

JsonLine::KeyMask JsonLine::take_matches(std::string_view name, KeyMask& keys, size_t level) const {
  KeyMask found = 0;
  for (size_t k = 0; keys != 0 && k < keys_.size(); ++k) {
    if ((keys >> k & 1) != 0 && keys_[k].parts[level] == name) found |= KeyMask{1} << k;
  }
  keys &= ~found;
  return found;
}

JsonLine::KeyMask JsonLine::take_literals(std::string_view name, KeyMask& keys) const {
  KeyMask found = 0;
  for (size_t k = 0; keys != 0 && k < keys_.size(); ++k) {
    if ((keys >> k & 1) != 0 && keys_[k].name == name) found |= KeyMask{1} << k;
  }
  keys &= ~found;
  return found;
}

void JsonLine::store(KeyMask keys, JsonField* fields, const JsonField& field) {
  for (size_t k = 0; keys != 0; ++k, keys >>= 1) {
    if ((keys & 1) == 0) continue;
    fields[k] = field;
    fields[k].kind = kind_of(field.raw);
  }
}

/// Reads a field's name and its colon. The name is unescaped where `name` is not null.
bool JsonLine::parse_key(std::string_view* name) {
  if (token() != '"') return fail(kName);
  if (!read_string(name)) return false;
  if (token() != ':') return fail(kColon);
  ++next_;
  return true;
}

/// Reads over any value that lies inside `depth` others. A loop with its own stack: depth costs no thread's stack.
bool JsonLine::skip_value(size_t depth) {
  std::bitset<kMaxDepth> is_object;
  const size_t bottom = depth;
  while (true) {
    const char open = token();
    if (open == '{' || open == '[') {
      if (depth >= kMaxDepth) return fail(kTooDeep);
      is_object[depth++] = open == '{';
      ++next_;
      if (token() != (open == '{' ? '}' : ']')) {
        if (open == '{' && !parse_key(nullptr)) return false;
        continue;
      }
    } else if (!skip_scalar()) {
      return false;
    }
    while (depth > bottom && token() == (is_object[depth - 1] ? '}' : ']')) {
      value_end_ = base_ + *next_++ + 1;
      --depth;
    }
    if (depth == bottom) return true;
    if (token() != ',') return fail(is_object[depth - 1] ? kObjectEnd : kListEnd);
    ++next_;
    if (is_object[depth - 1] && !parse_key(nullptr)) return false;
  }
}

/// Where the present token ends: the next one begins after it, perhaps with white space between them.
const char* JsonLine::token_end() const {
  const char* end = base_ + next_[1];
  while (is_json_space(end[-1])) --end;
  return end;
}

bool JsonLine::skip_scalar() {
  if (token() == '"') return read_string(nullptr);
  if (next_ >= end_) return fail(kTooEarly);
  const char* begin = base_ + *next_;
  const char* end = token_end();
  const std::string_view text(begin, static_cast<size_t>(end - begin));
  if (text != "true" && text != "false" && text != "null" && !is_number(text) && !is_no_number(text))
    return fail(kValue);
  value_end_ = end;
  ++next_;
  return true;
}

/// Reads over a string; where `text` is not null it becomes what the string stands for.
bool JsonLine::read_string(std::string_view* text) {
  const char* begin = base_ + *next_ + 1;
  const char* end = token_end();
  // Stage 1 has seen that the string is closed and gives whatever follows its quote as another token.
  if (end <= begin || end[-1] != '"') return fail("a string is not closed");
  const std::string_view inside(begin, static_cast<size_t>(end - 1 - begin));
  if (text == nullptr) {
    if (!check_escapes(inside)) return fail(kBadEscape);
  } else if (inside.find('\\') == std::string_view::npos) {
    *text = inside;
  } else {
    char* out = arena_->reserve(inside.size() + kUnescapePadding);
    const char* out_end = unescape(inside, out);
    if (out_end == nullptr) return fail(kBadEscape);
    *text = {out, static_cast<size_t>(out_end - out)};
    arena_->use(text->size());
  }
  value_end_ = end;
  ++next_;
  return true;
}

}  // namespace neardup::corpus
