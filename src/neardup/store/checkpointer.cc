#include "neardup/store/checkpointer.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "neardup/base/disk/file.h"
#include "neardup/store/batch_record.h"
#include "neardup/store/change.h"
#include "neardup/store/directory_files.h"
#include "neardup/store/erased_file.h"
#include "neardup/store/log_reader.h"
#include "neardup/store/log_writer.h"
#include "neardup/store/store_files.h"

namespace neardup::store {

Checkpointer::Checkpointer(std::string folder, const StoreOptions& options, StoreManifest manifest)
    : folder_(std::move(folder)), options_(options), manifest_(std::move(manifest)), next_file_(manifest_.next_file) {
  for (const SegmentFiles& files : manifest_.segments) files_.emplace(files.number, files);
  for (const KeyFiles& files : manifest_.keys) keys_.emplace(files.number, files.identity);
}

Result<std::unique_ptr<StoreState>> Checkpointer::open() {
  NEARDUP_ASSIGN(auto state, open_state(folder_, manifest_, options_,
                                        [this](std::span<const uint64_t> segments, const auto& write) {
                                          return store_segments(segments, write);
                                        }));
  without_fingerprints_ = state->erased();
  return state;
}

void Checkpointer::add(const ClosedLog& log) {
  const std::lock_guard lock(mutex_);
  closed_.push_back(log);
  waiting_bytes_ += log.size_bytes;
}

// Gives the records of the oldest closed log their place in its file.
Result<RecordFiles> Checkpointer::move_records(StoreState& state, const ClosedLog& closed) {
  NEARDUP_ASSIGN(const LogHeader header, read_log_header(log_path(folder_, closed.log)));
  LogPlaces places{.log = closed.log, .salt = header.salt, .first = closed.first, .places = {}};
  DocumentFacts facts(closed.first);
  ChangeReader reader;
  const auto end = read_logs(folder_, {&closed.log, 1}, closed.previous, [&](const LoggedRecord& record) -> Status {
    return for_each_piece(record.bytes, [&](std::string_view bytes) -> Status {
      NEARDUP_ASSIGN(const Change change, reader.read(bytes));
      if (!change.document) return {};
      const Record& document = *change.document;
      if (document.number < facts.end() || document.number >= closed.end) return {};
      places.places.fill_to(document.number - closed.first);
      places.places.add(record.offset + static_cast<uint64_t>(bytes.data() - record.bytes.data()),
                        document.fate.kind != Kind::kNew);
      facts.add(document.number, document.time, document.tag);
      return {};
    });
  });
  if (!end) return tl::unexpected<Error>(end.error());
  places.places.fill_to(closed.end - closed.first);
  facts.fill_to(closed.end);
  RecordFiles files{.log = closed.log, .first = closed.first, .count = closed.end - closed.first};
  files.oldest = std::bit_cast<uint64_t>(facts.oldest());
  NEARDUP_ASSIGN(files.facts_checksum, write_facts(facts_path(folder_, closed.log), facts));
  NEARDUP_ASSIGN(files.checksum, write_places(places_path(folder_, closed.log), places));
  NEARDUP_ASSIGN(auto file, RecordFile::open(log_path(folder_, closed.log), std::move(places),
                                             {facts_path(folder_, closed.log), facts.oldest(), files.facts_checksum}));
  moved_.reserve(moved_.size() + 1);  // a log is moved once: nothing fails behind close_log()
  state.close_log(std::move(file));
  return files;
}

// Not those of documents of the log that goes on: after a crash their numbers may be given to others.
Status Checkpointer::seal_keys(bands::KeyIndex& keys, uint64_t end, const bands::IsLive& is_live) {
  while (keys.num_frozen() > 0 && keys.frozen_end() <= end) {
    NEARDUP_TRY(options_.context.check_cancel());
    NEARDUP_TRY(store_keys(keys.seal(is_live), [&](auto segment) { keys.publish_sealed(std::move(segment)); }));
  }
  return {};
}

// Of those that are due the newest that fit: a segment counts 2^32 numbers.
Status Checkpointer::join_due_keys(bands::KeyIndex& keys, const bands::IsLive& is_live) {
  while (true) {
    const auto segments = keys.view().segments_shared();
    std::vector<uint64_t> sizes;
    for (const auto& segment : segments) sizes.push_back(segment->table.size());
    auto [begin, end] = pick_merge(sizes, {});
    while (begin < end && !bands::KeyIndex::fit(std::span(segments).subspan(begin, end - begin))) ++begin;
    if (end - begin < 2) return {};
    NEARDUP_TRY(join_keys(keys, begin, end, is_live));
  }
}

// Also a single one, for the keys of erased documents in it. As few as there can be: from the oldest on as many as fit.
Status Checkpointer::join_all_keys(bands::KeyIndex& keys, const bands::IsLive& is_live) {
  for (size_t begin = 0; begin < keys.view().segments().size(); ++begin) {
    const auto segments = keys.view().segments_shared();
    size_t end = begin + 1;
    while (end < segments.size() && bands::KeyIndex::fit(std::span(segments).subspan(begin, end + 1 - begin))) ++end;
    NEARDUP_TRY(join_keys(keys, begin, end, is_live));
  }
  return {};
}

Status Checkpointer::join_keys(bands::KeyIndex& keys, size_t begin, size_t end, const bands::IsLive& is_live) {
  NEARDUP_TRY(options_.context.check_cancel());
  const auto segments = keys.view().segments_shared();
  const auto some = std::span(segments).subspan(begin, end - begin);
  return store_keys(bands::KeyIndex::join(some, is_live),
                    [&](auto segment) { keys.publish_joined(begin, some.size(), std::move(segment)); });
}

// Writes a segment, and publishes it as the file holds it.
Status Checkpointer::store_keys(const bands::KeySegment& segment,
                                const std::function<void(std::shared_ptr<const bands::KeySegment>)>& publish) {
  const uint64_t number = next_file_++;
  const std::string path = keys_path(folder_, number);
  NEARDUP_ASSIGN(const bands::KeyFileIdentity identity, bands::write_key_file(path, segment));
  NEARDUP_ASSIGN(bands::OpenedKeyFile opened, bands::open_key_file(path, hamming::Access::kMap, false));
  opened.segment.file = number;
  keys_[number] = identity;
  publish(std::make_shared<const bands::KeySegment>(std::move(opened.segment)));
  return {};
}

// Called by the index, in the background too: files are written, and named by the next checkpoint. What is written is
// told at once with which are the newest: between the two a checkpoint would take the files for old ones.
Status Checkpointer::store_segments(std::span<const uint64_t> segments, const FingerprintIndex::WriteSegment& write) {
  std::map<uint64_t, SegmentFiles> written;
  for (const uint64_t segment : segments) {
    {
      const std::lock_guard lock(mutex_);
      if (files_.contains(segment)) continue;
    }
    NEARDUP_ASSIGN(written[segment], write(segment, next_file_++));
  }
  const std::lock_guard lock(mutex_);
  files_.merge(written);
  newest_ = {segments.begin(), segments.end()};
  return {};
}

// What was erased before the log that a restart begins with: later erasures are in it.
Status Checkpointer::write_erased(const NumberSet& erased, StoreManifest& next) {
  next.erased_file = 0;
  if (erased.size() == 0) return {};
  next.erased_file = next_file_++;
  NEARDUP_ASSIGN(next.erased_checksum, write_erased_ranges(erased_path(folder_, next.erased_file), erased));
  return {};
}

Status Checkpointer::write_tags(const OpenTags& tags, StoreManifest& next) {
  next.tags_file = 0;
  if (tags.empty()) return {};
  next.tags_file = next_file_++;
  NEARDUP_ASSIGN(next.tags_checksum, write_open_tags(tags_path(folder_, next.tags_file), tags));
  return {};
}

Status Checkpointer::run(StoreState& state, const LogStart& start, const std::atomic<uint64_t>& next_number,
                         Effort effort) {
  NEARDUP_TRY(move_logs(state, start.log));
  if (moved_.empty() && effort == Effort::kDue) return {};
  StoreManifest next = manifest_;
  next.first_log = start.log;
  next.last_sequence = start.previous;
  next.next_number = start.next_number;
  next.records.insert(next.records.end(), moved_.begin(), moved_.end());
  const auto is_live = [&](uint64_t number) { return !start.erased.contains(number); };
  NEARDUP_TRY(seal_keys(state.keys(), start.next_number, is_live));
  const bool is_all = effort == Effort::kAll;
  NEARDUP_TRY(is_all ? join_all_keys(state.keys(), is_live) : join_due_keys(state.keys(), is_live));
  std::vector<RewrittenLog> rewritten;
  NEARDUP_TRY(drop_dead_weight(state, start, effort, next, rewritten));
  NEARDUP_TRY(is_all ? state.index().compact() : state.index().flush());
  NEARDUP_TRY(write_erased(start.erased, next));
  NEARDUP_TRY(write_tags(start.tags, next));
  const StoreManifest old = manifest_;
  NEARDUP_TRY(name(state, std::move(next), next_number));
  for (const RewrittenLog& log : rewritten) state.replace_files(log.from, log.file);
  remove_rewritten(old, rewritten);
  return remove_unnamed(state, old);
}

// Where the checkpoint ends half-way the next one does it again.
Status Checkpointer::drop_dead_weight(StoreState& state, const LogStart& start, Effort effort, StoreManifest& next,
                                      std::vector<RewrittenLog>& rewritten) {
  NEARDUP_TRY(erase_fingerprints(state, start.erased, without_fingerprints_, options_.context));
  without_fingerprints_ = start.erased;
  const auto files = state.files();
  NEARDUP_ASSIGN(rewritten, rewrite_logs(folder_, {files, start.erased, start.previous, options_.log_bytes, effort},
                                         next_file_, options_.context));
  for (const RewrittenLog& log : rewritten) {
    const auto first = std::ranges::find(next.records, log.from.front()->log(), &RecordFiles::log);
    *first = log.row;
    next.records.erase(first + 1, first + static_cast<std::ptrdiff_t>(log.from.size()));
  }
  return {};
}

// Who reads one of the old files goes on with it.
void Checkpointer::remove_rewritten(const StoreManifest& old, const std::vector<RewrittenLog>& rewritten) {
  for (const RewrittenLog& log : rewritten) {
    for (const auto& file : log.from) {
      RecordFiles before{.log = file->log()};
      for (const RecordFiles& files : old.records)
        if (files.log == before.log) before = files;
      file->remove_when_gone(
          {records_path(folder_, before), places_path(folder_, before), facts_path(folder_, before)});
    }
  }
}

// A log may be closed while a checkpoint is made, for a failure: the next one takes it.
std::optional<ClosedLog> Checkpointer::oldest_before(uint64_t log) {
  const std::lock_guard lock(mutex_);
  if (closed_.empty() || closed_.front().log >= log) return {};
  return closed_.front();
}

// One by one: where it ends half-way, the next checkpoint goes on.
Status Checkpointer::move_logs(StoreState& state, uint64_t end) {
  while (const std::optional<ClosedLog> closed = oldest_before(end)) {
    NEARDUP_TRY(options_.context.check_cancel());
    NEARDUP_ASSIGN(const RecordFiles files, move_records(state, *closed));
    moved_.push_back(files);
    moved_bytes_ += closed->size_bytes;
    const std::lock_guard lock(mutex_);
    closed_.pop_front();
  }
  return {};
}

// Makes the manifest name what there is. Nothing can fail once it does.
Status Checkpointer::name(StoreState& state, StoreManifest next, const std::atomic<uint64_t>& next_number) {
  next.keys.clear();
  for (const auto& segment : state.keys().view().segments_shared())
    next.keys.push_back({segment->file, keys_.at(segment->file)});
  next.segments.clear();
  {
    const std::vector<uint64_t> segments = state.index().segments();
    const std::lock_guard lock(mutex_);
    for (const uint64_t segment : segments) next.segments.push_back(files_.at(segment));
  }
  next.first_free = next_number;  // after the segments were looked at
  next.next_file = next_file_;
  NEARDUP_TRY(write_file_atomically(manifest_path(folder_), to_bytes(next)));
  manifest_ = std::move(next);
  moved_.clear();
  waiting_bytes_ -= std::exchange(moved_bytes_, 0);
  return {};
}

// Removes what no manifest names any more.
Status Checkpointer::remove_unnamed(const StoreState& state, const StoreManifest& old) {
  if (old.erased_file != 0) NEARDUP_TRY(remove_all(erased_path(folder_, old.erased_file)));
  if (old.tags_file != 0) NEARDUP_TRY(remove_all(tags_path(folder_, old.tags_file)));
  NEARDUP_TRY(remove_old_keys());
  return remove_old_segments(state);
}

Status Checkpointer::remove_old_keys() {
  for (auto it = keys_.begin(); it != keys_.end();) {
    const bool is_named = std::any_of(manifest_.keys.begin(), manifest_.keys.end(),
                                      [&](const KeyFiles& files) { return files.number == it->first; });
    if (!is_named) NEARDUP_TRY(remove_all(keys_path(folder_, it->first)));
    it = is_named ? std::next(it) : keys_.erase(it);
  }
  return {};
}

// What readers have, or will have once the last commit is seen, stays for the next manifest.
Status Checkpointer::remove_old_segments(const StoreState& state) {
  const std::lock_guard lock(mutex_);
  std::set<uint64_t> used = newest_;
  for (const uint64_t segment : state.index().segments()) used.insert(segment);
  for (auto it = files_.begin(); it != files_.end();) {
    const bool is_named =
        std::find(manifest_.segments.begin(), manifest_.segments.end(), it->second) != manifest_.segments.end();
    const bool stays = is_named || used.contains(it->first);
    if (!stays) NEARDUP_TRY(remove_all(segment_path(folder_, it->second.number)));
    if (!stays && it->second.num_erased > 0) NEARDUP_TRY(remove_all(erased_path(folder_, it->second.number)));
    it = stays ? std::next(it) : files_.erase(it);
  }
  return {};
}

}  // namespace neardup::store
