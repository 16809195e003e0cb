// The words for what can be chosen of lines, for all faces.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "neardup/lines/options.h"

namespace neardup::lines {

template <class Choice>
using OptionWords = std::vector<std::pair<std::string, Choice>>;

[[nodiscard]] inline OptionWords<Show> show_words() {
  return {{"all", Show::kAll}, {"duplicates", Show::kRepeated}, {"uniques", Show::kSingle}};
}
[[nodiscard]] inline OptionWords<Order> order_words() { return {{"first", Order::kFirst}, {"sorted", Order::kSorted}}; }
/// Whether the rule by which similar lines are verified is origin.
[[nodiscard]] inline OptionWords<bool> verify_words() { return {{"content", false}, {"origin", true}}; }
/// Nothing: by the name of the output.
[[nodiscard]] inline OptionWords<std::optional<corpus::Compression>> compression_words() {
  return {{"auto", std::nullopt},
          {"none", corpus::Compression::kNone},
          {"gzip", corpus::Compression::kGzip},
          {"zstd", corpus::Compression::kZstd}};
}

/// Returns what is written to a file of this name, if nothing else is asked for: .gz, .zst, or plain bytes.
[[nodiscard]] inline corpus::Compression compression_of_name(const std::string& output) {
  if (output.ends_with(".gz")) return corpus::Compression::kGzip;
  return output.ends_with(".zst") ? corpus::Compression::kZstd : corpus::Compression::kNone;
}

}  // namespace neardup::lines
