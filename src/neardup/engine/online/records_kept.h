// RecordsKept: how much a store keeps of each document to compare others with it.
#pragma once

#include <optional>
#include <string_view>

namespace neardup::engine {

enum class RecordsKept {
  kTokens,     // all that the rule looks at: verdicts are those of dedup. 4 bytes for each word
  kSignature,  // signatures alone: the similarity is an estimate
  kNone,       // nothing: who shares a band, or is within reach, is a duplicate
};

/// Returns "tokens", "signature" or "none".
[[nodiscard]] constexpr std::string_view name_of(RecordsKept records) {
  switch (records) {
    case RecordsKept::kTokens:
      return "tokens";
    case RecordsKept::kSignature:
      return "signature";
    case RecordsKept::kNone:
      return "none";
  }
  return {};
}

/// Returns the one of that name; nothing for other names.
[[nodiscard]] constexpr std::optional<RecordsKept> records_of_name(std::string_view name) {
  for (const RecordsKept records : {RecordsKept::kTokens, RecordsKept::kSignature, RecordsKept::kNone})
    if (name == name_of(records)) return records;
  return {};
}

}  // namespace neardup::engine
