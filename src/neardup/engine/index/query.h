// The documents of an index that are near those of a file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "neardup/base/result.h"
#include "neardup/store/index_directory.h"

namespace neardup::engine {

/// Who receives the matches, in the order of the file, those of one document the nearest first.
struct MatchReceiver {
  /// Called once the index is open and the question is one that it can answer.
  std::function<Status()> begin;
  std::function<void(std::string_view query, std::string_view id, int distance)> match;
  /// Called when all documents read so far are answered: of a pipe, those that have come in.
  std::function<Status()> flush;
};

/// Asks the index in `folder` for what differs from the documents of the file `path` (as read_fingerprints() takes it)
/// in at most `max_distance` bits; nothing: as much as the index finds. Errors: kInvalidArgument where the index does
/// not find so much; kMismatch where another recipe made the file; those of opening, reading and the receiver.
[[nodiscard]] Status query_index(const std::string& folder, const std::string& path, std::optional<int> max_distance,
                                 const store::DirectoryOptions& options, const MatchReceiver& receiver);

}  // namespace neardup::engine
