// The JSON object that a request is.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/corpus/formats/json_line.h"

namespace neardup::server {

/// Views the bytes that it was made of, and its own memory. Members that nobody asked for are not looked at.
class JsonObject {
 public:
  /// Requires: corpus::RawBuffer's padding behind `json`. Errors: kInvalidArgument.
  [[nodiscard]] static Result<JsonObject> parse(std::string_view json, std::initializer_list<std::string_view> names);

  /// Returns whether the `i`-th of the names is there, and not null.
  [[nodiscard]] bool has(size_t i) const;
  /// Errors of all: kInvalidArgument where the member is missing or of another kind.
  [[nodiscard]] Result<std::string_view> text(size_t i) const;
  [[nodiscard]] Result<int64_t> whole(size_t i, int64_t least, int64_t most) const;
  /// Of an id, or an array of them: an integer counts as its digits.
  [[nodiscard]] Result<std::string_view> id(size_t i) const;
  [[nodiscard]] Result<std::vector<std::string>> ids(size_t i, size_t most) const;
  /// Returns the JSON of a member that is an object.
  [[nodiscard]] Result<std::string_view> object(size_t i) const;

 private:
  JsonObject(corpus::JsonLine::Keys keys)
      : keys_(keys), line_(std::make_unique<corpus::JsonLine>(keys)), arena_(std::make_unique<corpus::Arena>()) {}
  [[nodiscard]] tl::unexpected<Error> wrong(size_t i, std::string_view expected) const;
  [[nodiscard]] std::string_view raw(size_t i) const { return has(i) ? line_->field(i).raw : std::string_view(" "); }

  corpus::JsonLine::Keys keys_;
  std::unique_ptr<corpus::JsonLine> line_;
  std::unique_ptr<corpus::Arena> arena_;
};

}  // namespace neardup::server
