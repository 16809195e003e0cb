#include "neardup/store/dead_weight.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "neardup/store/log_copy.h"
#include "neardup/store/log_reader.h"
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

// The logs of one range that are copied into one.
class Range {
 public:
  Range(const Rewriting& what, size_t first, size_t last) : what_(what), first_(first), last_(last) {
    for (const auto& file : files()) logs_.push_back({file->log(), file->path()});
  }
  [[nodiscard]] std::span<const std::shared_ptr<const RecordFile>> files() const {
    return std::span(what_.files).subspan(first_, last_ - first_);
  }
  [[nodiscard]] uint64_t first() const { return files().front()->first(); }
  [[nodiscard]] uint64_t end() const { return files().back()->end(); }
  // Tells of documents of other logs; those of the range itself are left out where they are erased.
  [[nodiscard]] bool is_recorded_elsewhere(uint64_t number) const {
    const auto after =
        std::ranges::upper_bound(what_.files, number, {}, [](const auto& file) { return file->first(); });
    if (after == what_.files.begin()) return false;
    const auto i = static_cast<size_t>(after - what_.files.begin()) - 1;
    const RecordFile& file = *what_.files[i];
    return (i < first_ || i >= last_) && number < file.end() && file.has(number);
  }
  // The next log says from where it goes on.
  [[nodiscard]] Result<uint64_t> last_sequence() const {
    if (last_ == what_.files.size()) return what_.last_sequence;
    NEARDUP_ASSIGN(const LogHeader next, read_log_header(what_.files[last_]->path()));
    return next.previous;
  }
  [[nodiscard]] Result<LogPlaces> copy_to(const std::string& path) const {
    NEARDUP_ASSIGN(const uint64_t last, last_sequence());
    return copy_live({logs_, first(), end(), last, what_.erased, [&](uint64_t n) { return is_recorded_elsewhere(n); }},
                     path);
  }
  // Of documents that are erased nobody asks any more.
  [[nodiscard]] Result<DocumentFacts> facts() const {
    DocumentFacts all(first());
    for (const auto& file : files()) {
      NEARDUP_ASSIGN(const DocumentFacts some, file->read_facts());
      for (uint64_t number = some.first(); number < some.end(); ++number)
        if (!what_.erased.contains(number)) all.add(number, some.time(number), some.tags()[some.tag(number)]);
    }
    all.fill_to(end());
    return all;
  }

 private:
  const Rewriting& what_;
  size_t first_, last_;
  std::vector<LogFile> logs_;
};

Result<RewrittenLog> rewrite(const std::string& folder, const Range& range, uint64_t number) {
  RewrittenLog log;
  log.from.assign(range.files().begin(), range.files().end());
  const std::string path = records_path(folder, number), facts_path = record_facts_path(folder, number);
  NEARDUP_ASSIGN(LogPlaces places, range.copy_to(path));
  NEARDUP_ASSIGN(const DocumentFacts facts, range.facts());
  log.row = {.log = places.log, .file = number, .first = places.first, .count = places.places.size()};
  log.row.facts_file = number;
  log.row.oldest = std::bit_cast<uint64_t>(facts.oldest());
  NEARDUP_ASSIGN(log.row.facts_checksum, write_facts(facts_path, facts));
  NEARDUP_ASSIGN(log.row.checksum, write_places(record_places_path(folder, number), places));
  NEARDUP_ASSIGN(log.file,
                 RecordFile::open(path, std::move(places), {facts_path, facts.oldest(), log.row.facts_checksum}));
  return log;
}

bool is_due(const RecordFile& file, const Rewriting& what) {
  if (file.is_unchecked()) return true;
  return holds_dead(file, what.erased) && (what.effort == Effort::kAll || is_mostly_dead(file, what.erased));
}

// A list of places has a byte for each number, so none is joined over many that were left out.
std::vector<std::pair<size_t, size_t>> joins_of(const Rewriting& what, std::span<const uint64_t> sizes) {
  std::vector<std::pair<size_t, size_t>> joins;
  for (size_t begin = 0, end = 0; begin < sizes.size(); begin = end) {
    for (end = begin + 1; end < sizes.size(); ++end)
      if (what.files[end]->first() - what.files[end - 1]->end() > kMostLeftOut) break;
    for (const auto& [first, last] : pick_joins(sizes.subspan(begin, end - begin), what.most_bytes, what.effort))
      joins.emplace_back(begin + first, begin + last);
  }
  return joins;
}

// Those that are joined, and of the others those that are due.
std::vector<std::pair<size_t, size_t>> ranges_of(const Rewriting& what) {
  std::vector<uint64_t> sizes;
  for (const auto& file : what.files) sizes.push_back(file->places().places.last());
  std::vector<std::pair<size_t, size_t>> ranges = joins_of(what, sizes), all = ranges;
  size_t join = 0, num_due = 0;
  for (size_t i = 0; i < what.files.size(); ++i) {
    while (join < ranges.size() && ranges[join].second <= i) ++join;
    const bool is_joined = join < ranges.size() && ranges[join].first <= i;
    if (is_joined || (what.effort == Effort::kDue && num_due == kMostRewritten)) continue;
    if (!is_due(*what.files[i], what)) continue;
    ++num_due;
    all.emplace_back(i, i + 1);
  }
  return all;
}

}  // namespace

Result<std::vector<RewrittenLog>> rewrite_logs(const std::string& folder, const Rewriting& what,
                                               std::atomic<uint64_t>& next_file, const Context& context) {
  std::vector<RewrittenLog> logs;
  for (const auto& [first, last] : ranges_of(what)) {
    NEARDUP_TRY(context.check_cancel());
    NEARDUP_ASSIGN(RewrittenLog log, rewrite(folder, Range(what, first, last), next_file++));
    logs.push_back(std::move(log));
  }
  return logs;
}

Status erase_fingerprints(StoreState& state, const NumberSet& erased, const NumberSet& before, const Context& context) {
  std::vector<uint64_t> gone;
  for (const auto& file : state.files()) {  // numbers that no log has were given to nobody
    const std::vector<uint64_t> some = erased.without(before, file->first(), file->end());
    gone.insert(gone.end(), some.begin(), some.end());
  }
  const std::vector<uint64_t> numbers = state.with_fingerprints(gone);
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
