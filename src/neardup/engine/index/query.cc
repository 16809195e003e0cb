#include "neardup/engine/index/query.h"

#include <fmt/format.h>

#include <vector>

#include "neardup/engine/fingerprints/stream.h"
#include "neardup/engine/index/actions.h"

namespace neardup::engine {
namespace {

Status answer(FingerprintIndex& index, std::span<const fingerprint::Record> records, int max_distance,
              const MatchReceiver& receiver) {
  std::vector<std::string_view> ids;
  std::vector<fingerprint::Fingerprint> queries;
  for (const fingerprint::Record& record : records) {
    if (record.fingerprints.empty()) continue;
    ids.push_back(record.id);
    queries.insert(queries.end(), record.fingerprints.begin(), record.fingerprints.end());
  }
  index.query(queries, max_distance, [&](size_t i, std::span<const store::Neighbour> neighbours) {
    for (const store::Neighbour& neighbour : neighbours)
      receiver.match(ids[i], index.id(neighbour.document), neighbour.distance);
  });
  return receiver.flush();
}

}  // namespace

Status query_index(const std::string& folder, const std::string& path, std::optional<int> max_distance,
                   const store::DirectoryOptions& options, const MatchReceiver& receiver) {
  NEARDUP_ASSIGN(FingerprintIndex index, FingerprintIndex::open_to_read(folder, options));
  const int most = index.settings().max_distance;
  if (max_distance && *max_distance > most) {
    return fail(Code::kInvalidArgument,
                fmt::format("the index finds what differs in at most {} bits; for --distance {} make another one with "
                            "neardup index create --distance {}",
                            most, *max_distance, *max_distance));
  }
  NEARDUP_TRY(receiver.begin());
  const auto begin = [&](const fingerprint::FileHeader& header) { return join_file(index, path, header, {}); };
  const auto take = [&](std::span<const fingerprint::Record> records) -> Status {
    NEARDUP_TRY(join_file(index, path, {}, records));
    return answer(index, records, max_distance.value_or(most), receiver);
  };
  return read_fingerprints(path, options.context, {begin, take}, options.memory_bytes);
}

}  // namespace neardup::engine
