// The part of a line that decides whether it is the same as another one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "neardup/base/result.h"
#include "neardup/lines/options.h"

namespace neardup::lines {

/// Threads: share freely.
class KeyMaker {
 public:
  /// Errors: kInvalidArgument where the pattern is none, field and pattern are both given, or a delimiter is given
  /// without a field.
  [[nodiscard]] static Result<KeyMaker> create(const KeyOptions& options);
  KeyMaker(KeyMaker&&) noexcept;
  KeyMaker& operator=(KeyMaker&&) noexcept;
  ~KeyMaker();

  /// Whether the key of a line is the line.
  [[nodiscard]] bool is_whole_line() const { return is_whole_line_; }
  /// Whether keys are pieces of their lines; else key() makes them in `made`.
  [[nodiscard]] bool is_piece() const { return !folds_; }
  [[nodiscard]] const KeyOptions& options() const { return options_; }
  /// Returns the key of `line`, a view into it or into `made`, whose value is lost; nothing where the line lacks the
  /// field or does not match.
  [[nodiscard]] std::optional<std::string_view> key(std::string_view line, std::string& made) const;

  /// Returns the part of `line` that key() makes its key of.
  [[nodiscard]] std::optional<std::string_view> part_of(std::string_view line) const;

 private:
  struct Pattern;
  KeyMaker();

  KeyOptions options_;
  std::unique_ptr<Pattern> pattern_;
  bool folds_ = false;
  bool is_whole_line_ = true;
};

/// Appends `text` to `out` without what `options` ignores. Bytes that are no UTF-8 stay as they are.
void append_folded(std::string_view text, const KeyOptions& options, std::string& out);

}  // namespace neardup::lines
