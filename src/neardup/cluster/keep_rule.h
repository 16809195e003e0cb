// Which document of a cluster stays: a total order over documents.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::cluster {

/// Sorting documents by (key, number) puts the one to keep first.
///   first                 the earlier document
///   longest               the larger text
///   max:FIELD             the larger value: a JSON number; true is 1 and false 0; a string that holds a number; a
///   string
///                         that holds an ISO 8601 date or time, as seconds since 1970 in UTC ("2024-05", "2024-05-01",
///                         "2024-05-01T12:30:00.5+02:00"; without an offset it is UTC). All others come last.
///   priority:FIELD=a,b    the value that is listed earlier, then all other values, then documents without the field
/// Documents with equal keys: the earlier one. Numbers are compared as doubles: beyond 2^53 neighbours may be equal.
struct KeepRule {
  enum class Kind { kFirst, kLongest, kMax, kPriority };
  Kind kind = Kind::kFirst;
  std::string field;                // of kMax and kPriority, else empty
  std::vector<std::string> values;  // of kPriority, the most wanted first

  /// Returns the document's key, lower is better, never NaN. `raw_json_value` is the value of `field` as it stands in
  /// the JSON, quotes and all; empty where the document has none.
  [[nodiscard]] double key(uint64_t size_bytes, std::string_view raw_json_value) const;
  bool operator==(const KeepRule&) const = default;
};

/// Reads a form above. The first '=' ends the field's name; values cannot hold a comma. Errors: kInvalidArgument.
[[nodiscard]] Result<KeepRule> keep_rule_from_string(std::string_view text);
/// Returns the form that keep_rule_from_string reads back as the same rule.
[[nodiscard]] std::string to_string(const KeepRule& rule);

/// A document's place in the order.
struct KeepKey {
  double key = 0;
  uint32_t document = 0;
  auto operator<=>(const KeepKey&) const = default;
};

/// Returns the documents 0, 1, ... of these keys in the order of preference: result[rank] is a document.
[[nodiscard]] std::vector<uint32_t> documents_by_rank(std::span<const double> keys);

}  // namespace neardup::cluster
