// One line of JSON: valid from end to end, and where the wanted fields are. NaN, Infinity and -Infinity are values,
// too.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/corpus/raw_buffer.h"

namespace simdjson::internal {
class dom_parser_implementation;
}

namespace neardup::corpus {

/// A value as it stands in the line.
struct JsonField {
  enum class Kind : uint8_t { kMissing, kString, kInteger, kOther };
  Kind kind = Kind::kMissing;
  std::string_view raw;   // the JSON text, quotes included
  std::string_view text;  // of a string: a view of `raw` where it has no escapes, else unescaped in the arena
};

/// A name that is looked for: a field of the object, or "a.b" nested ones where no field has that very name.
struct WantedKey {
  explicit WantedKey(std::string_view key);
  std::string name;
  std::vector<std::string> parts;  // `name` cut at its dots
};

enum class JsonVerdict : uint8_t { kObject, kNotAnObject, kInvalid, kInvalidUtf8 };

/// Checks lines and finds fields. simdjson finds the tokens and checks strings and UTF-8 (its stage 1, by run-time
/// dispatch); a walk over the tokens checks the grammar. Threads: one at a time.
class JsonLine {
 public:
  static constexpr size_t kMaxDepth = 1024;
  static constexpr size_t kMaxKeys = 12;

  using Keys = std::shared_ptr<const std::vector<WantedKey>>;

  /// Requires: at most kMaxKeys keys. A key with an empty name is never found.
  explicit JsonLine(Keys keys);
  ~JsonLine();

  /// Parses `line`. At kObject field() tells about it until the next parse(); else problem() tells why not.
  /// Cost: one pass of simdjson over the line, a few nanoseconds a token, one search for backslashes in each string.
  /// Requires, where keys are wanted: kUnescapePadding readable bytes behind `line`.
  [[nodiscard]] JsonVerdict parse(std::string_view line, Arena& arena);
  [[nodiscard]] const JsonField& field(size_t key) const;
  /// Returns what is wrong, at which byte of the line (from 1), and what to do. The line must be there still.
  [[nodiscard]] std::string problem() const;
  [[nodiscard]] const Keys& keys() const { return shared_keys_; }

 private:
  using KeyMask = uint32_t;  // bit k stands for keys_[k]

  bool find_tokens(std::string_view line, JsonVerdict& verdict);
  bool parse_object(KeyMask keys, size_t level);
  bool parse_member(KeyMask& keys, KeyMask& literals, size_t level);
  bool parse_key(std::string_view* name);
  KeyMask take_matches(std::string_view name, KeyMask& keys, size_t level) const;
  KeyMask take_literals(std::string_view name, KeyMask& keys) const;
  void store(KeyMask keys, JsonField* fields, const JsonField& field);
  bool skip_value(size_t depth);
  bool skip_scalar();
  bool read_string(std::string_view* text);
  bool fail(std::string_view problem);

  [[nodiscard]] char token() const { return next_ < end_ ? base_[*next_] : '\0'; }
  [[nodiscard]] const char* token_end() const;

  Keys shared_keys_;
  const std::vector<WantedKey>& keys_;
  KeyMask all_keys_ = 0;
  KeyMask dotted_keys_ = 0;
  std::unique_ptr<simdjson::internal::dom_parser_implementation> tokens_;
  const char* base_ = nullptr;
  const uint32_t* next_ = nullptr;  // the token to be read, as an offset from base_; end_ points at one more: the size
  const uint32_t* end_ = nullptr;
  const char* value_end_ = nullptr;  // of the value read last
  Arena* arena_ = nullptr;
  JsonField literal_fields_[kMaxKeys];
  JsonField nested_fields_[kMaxKeys];
  std::string_view line_;
  std::string_view problem_;
  size_t problem_offset_ = 0;
};

}  // namespace neardup::corpus
