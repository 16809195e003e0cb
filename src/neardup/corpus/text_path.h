// Which fields of a record are its text: the one place that reads --text-key, and says what its words mean.
//
//   text                     a field or column
//   meta.text                field text of field meta, where there is no field "meta.text"
//   paragraphs[]             the strings of a list
//   messages[].content       field content of each object of a list
//   title,body               one after the other
//   text|content             the first one that a record has
//   title,body|title|body    both, or the one that is there
//   "a|b",meta."x.y"         names in double quotes, those in them doubled: all in them is the name
//
// A field whose name is the whole key comes before all that: no name is out of reach.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/corpus/raw_buffer.h"

namespace neardup::corpus {

/// What stands between the pieces of a text: a blank line, so that each is a paragraph.
inline constexpr std::string_view kBetweenTexts = "\n\n";

struct TextStep {
  std::string name;
  bool each = false;  // "name[]": the items of the list

  bool operator==(const TextStep&) const = default;
};

/// The way to one field, or to one of each item of a list.
struct TextPath {
  std::string name;  // as it was typed, but for quotes
  std::vector<TextStep> steps;

  bool operator==(const TextPath&) const = default;
};

/// What a path leads to in a record.
struct PathText {
  enum class Found : uint8_t { kMissing, kNull, kOther, kText };  // kOther: a value that is no string
  Found found = Found::kMissing;
  std::string_view text = {};  // pieces of lists are joined already
  bool is_held = true;         // the text lives as long as the batch
};

class TextKey {
 public:
  static constexpr size_t kMostPaths = 16;
  static constexpr size_t kMostSteps = 32;

  /// Errors: kInvalidArgument: a name that is empty, or more than so many.
  [[nodiscard]] static Result<TextKey> parse(std::string_view typed);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Whether it is one field, perhaps of a field: what every reader finds by name().
  [[nodiscard]] bool is_one_field() const;
  /// In the order in which they were typed.
  [[nodiscard]] const std::vector<TextPath>& paths() const { return paths_; }

  struct Choice {
    PathText::Found found = PathText::Found::kMissing;  // kText: there is a text, maybe an empty one
    std::span<const size_t> parts = {};                 // the paths whose texts it is, one after the other
    size_t at_fault = 0;                                // the path for whose sake there is none
  };
  /// Says what the text of a record is in which `found`[i] is what paths()[i] leads to: of the first choice all of
  /// whose fields are there and no other than strings and nulls, and of which one is not empty; else an empty one.
  /// Cost: one look at each path.
  [[nodiscard]] Choice choose(std::span<const PathText> found) const;

 private:
  std::string name_;
  std::vector<TextPath> paths_;
  std::vector<std::vector<size_t>> choices_;  // places in paths_
};

/// Returns the text that TextKey::choose() chose of `found`: a view of the only one, or of `arena`.
[[nodiscard]] std::string_view join_texts(std::span<const size_t> parts, std::span<const PathText> found, Arena& arena);

/// Returns why `choice` is no text: "no field 'body', of --text-key 'title,body'". `what`: "field" or "column".
[[nodiscard]] std::string text_problem(const TextKey& key, const TextKey::Choice& choice, const std::string& what);
/// What to type where the field `name` is a list: the end of a message.
[[nodiscard]] std::string list_cure(const std::string& name);

/// Appends `piece` to `text`, behind what stands between pieces; an empty one is none.
void append_text(std::string& text, std::string_view piece);

}  // namespace neardup::corpus
