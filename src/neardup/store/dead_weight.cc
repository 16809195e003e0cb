#include "neardup/store/dead_weight.h"

#include <algorithm>

#include "neardup/store/log_copy.h"
#include "neardup/store/store_files.h"

namespace neardup::store {
namespace {

constexpr size_t kFingerprintsAtOnce = 1 << 14;  // fingerprints: a writer waits for that many
constexpr size_t kErasedInMemory = 1 << 17;      // before they are moved to a segment

// By where the records begin, so what lies between two belongs to the first.
bool is_mostly_dead(const RecordFile& file, const NumberSet& erased) {
  uint64_t bytes[2] = {0, 0}, last = 0;
  bool is_dead = false, any = false;
  for (uint64_t number = file.first(); number < file.end(); ++number) {
    const auto place = file.places().places.at(number - file.first());
    if (!place) continue;
    if (any) bytes[is_dead ? 1 : 0] += *place - last;
    last = *place;
    is_dead = erased.contains(number);
    any = true;
  }
  if (any) ++bytes[is_dead ? 1 : 0];  // how long the last one is nobody knows: it decides where it is the only one
  return bytes[1] > bytes[0];
}

// What costs less tells first: whether there is any record to be left out.
bool holds_dead(const RecordFile& file, const NumberSet& erased) {
  for (uint64_t number = file.first(); number < file.end(); ++number)
    if (erased.contains(number) && file.places().places.at(number - file.first())) return true;
  return false;
}

Result<RewrittenLog> rewrite(const std::string& folder, const RecordFile& file, const NumberSet& erased,
                             uint64_t number) {
  const std::string path = records_path(folder, number);
  RewrittenLog log;
  log.number = number;
  NEARDUP_ASSIGN(LogPlaces places, copy_live({file.log(), file.path()}, path, file.first(), file.end(), erased));
  NEARDUP_ASSIGN(log.checksum, write_places(record_places_path(folder, number), places));
  NEARDUP_ASSIGN(log.file, RecordFile::open(path, std::move(places), file.facts()));
  return log;
}

}  // namespace

Result<std::vector<RewrittenLog>> rewrite_dead_logs(const std::string& folder,
                                                    const std::vector<std::shared_ptr<const RecordFile>>& files,
                                                    const NumberSet& erased, std::atomic<uint64_t>& next_file,
                                                    Effort effort, const Context& context) {
  std::vector<RewrittenLog> logs;
  for (const auto& file : files) {
    if (effort == Effort::kDue && logs.size() == kMostRewritten) break;
    if (!holds_dead(*file, erased) || (effort == Effort::kDue && !is_mostly_dead(*file, erased))) continue;
    NEARDUP_TRY(context.check_cancel());
    NEARDUP_ASSIGN(RewrittenLog log, rewrite(folder, *file, erased, next_file++));
    logs.push_back(std::move(log));
  }
  return logs;
}

Status erase_fingerprints(StoreState& state, const NumberSet& erased, const NumberSet& before, const Context& context) {
  const std::vector<uint64_t> numbers = state.with_fingerprints(erased.without(before));
  const size_t each = std::max<size_t>(state.index().num_fingerprints(), 1);
  const size_t at_once = std::max<size_t>(kFingerprintsAtOnce / each, 1);
  size_t in_memory = 0;
  for (size_t begin = 0; begin < numbers.size(); begin += at_once) {
    NEARDUP_TRY(context.check_cancel());
    const auto some = std::span(numbers).subspan(begin, std::min(at_once, numbers.size() - begin));
    NEARDUP_TRY(state.index().erase(some));
    if ((in_memory += some.size() * each) < kErasedInMemory) continue;
    NEARDUP_TRY(state.index().flush());
    in_memory = 0;
  }
  return {};
}

}  // namespace neardup::store
