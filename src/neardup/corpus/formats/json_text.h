// The text of a JSON object under a TextKey.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neardup/corpus/raw_buffer.h"
#include "neardup/corpus/text_path.h"

namespace neardup::corpus {

/// Threads: one at a time.
class JsonText {
 public:
  explicit JsonText(const TextKey& key) : key_(key), texts_(key.paths().size()), found_(texts_.size()) {}

  /// Looks for the text in `object`; text() has it where the result is kText, and lives in `arena` then. Of fields with
  /// one name the first counts. Items of a list that lack the field, or are null, have no text. A string where a list
  /// of objects is due is the text.
  /// Requires: valid JSON (JsonLine), with kUnescapePadding readable bytes behind it.
  /// Cost: a pass over `object` for each step of each path.
  TextKey::Choice find(std::string_view object, Arena& arena);
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  const TextKey& key_;
  std::vector<std::string> texts_;  // of each path, where it is more than one string
  std::vector<PathText> found_;
  std::string_view text_;
};

/// Returns what to type where a path of `key` leads into a list of `object` as if that were an object: the end of a
/// message that names "messages[].content" for "messages.content"; else nothing. Requires: as JsonText::find().
[[nodiscard]] std::string list_hint(const TextKey& key, std::string_view object, Arena& arena);
/// Returns what to type where `path` leads to a list, in one item at least, but takes a string: the end of a message;
/// else nothing. Requires: as JsonText::find().
[[nodiscard]] std::string leaf_hint(const TextPath& path, std::string_view object, Arena& arena);

}  // namespace neardup::corpus
