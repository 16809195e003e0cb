// Who may do what: keys that requests carry.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::server {

/// What a route needs, and what a key gives.
enum class Access { kNone, kRead, kFull };

/// Keys are kept as their hashes are compared: in a time that does not depend on where they differ. Threads: const
/// members from any.
class Keys {
 public:
  /// Reads files of keys, one a line; empty paths are none. Errors: of read_secret_file(); kInvalidArgument where a
  /// file holds no key, or one of fewer than kLeastKeyBytes.
  [[nodiscard]] static Result<Keys> read(const std::string& full_path, const std::string& read_path);

  /// Returns whether there are any: without, everybody may do everything.
  [[nodiscard]] bool any() const { return !full_.empty() || !read_.empty(); }
  [[nodiscard]] bool has_full() const { return !full_.empty(); }
  /// Returns what the value of the header Authorization ("Bearer KEY") gives.
  [[nodiscard]] Access access_of(std::string_view authorization) const;

  static constexpr size_t kLeastKeyBytes = 16;

 private:
  std::vector<std::string> full_, read_;
};

/// Returns whether the two are equal, in a time that depends on the length of `given` alone.
[[nodiscard]] bool is_equal_in_constant_time(std::string_view given, std::string_view secret);

}  // namespace neardup::server
