#include "neardup/sif/read_files.h"

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <tuple>
#include <unordered_map>

#include "neardup/base/threads.h"
#include "neardup/sif/file_bytes.h"
#include "neardup/sif/fingerprint_file.h"

namespace neardup::sif {
namespace {

// Buckets of about 32 Ki entries: they are sorted in the second cache.
int bucket_bits(std::span<const FoundFile> found) {
  uint64_t bytes = 0;
  for (const FoundFile& file : found) bytes += file.size_bytes;
  const uint64_t buckets = bytes / 64 / 32768 + 1;
  return std::clamp(static_cast<int>(std::bit_width(buckets)), 4, 12);
}

// Which bytes some thread has taken already: of equal files one is fingerprinted, it does not matter which.
class SeenContents {
 public:
  bool is_new(const Hash128& checksum, uint64_t size_bytes) {
    Shard& shard = shards_[checksum.low % shards_.size()];
    const std::lock_guard lock(shard.mutex);
    return shard.seen.emplace(checksum.low ^ checksum.high, size_bytes).second;
  }

 private:
  struct Shard {
    std::mutex mutex;
    std::unordered_map<uint64_t, uint64_t> seen;
  };
  std::array<Shard, 16> shards_;
};

// All files, by any number of threads.
class Reading {
 public:
  Reading(std::span<const FoundFile> found, const SimilarOptions& options, int num_threads)
      : found_(found), options_(options), reasons_(found.size()) {
    result_.files.resize(found.size());
    const int bits = bucket_bits(found);
    for (int i = 0; i < num_threads; ++i) {
      readers_.push_back(std::make_unique<FileReader>(options));
      result_.entries.emplace_back(bits);
    }
  }

  /// Small files come first, as all others are held against them. What fails here fails again in read().
  Status find_samples(int num_threads) {
    if (options_.selection.kind != SelectionKind::kWinnow) return {};
    std::vector<std::vector<uint32_t>> samples(static_cast<size_t>(num_threads));
    NEARDUP_TRY(parallel_for(num_threads, found_.size(), [&](size_t i, int thread) -> Status {
      NEARDUP_TRY(options_.context.check_cancel());
      FileReader& reader = *readers_[static_cast<size_t>(thread)];
      const uint64_t most = kSmallSubstrings + options_.selection.substring_bytes;
      if (found_[i].size_bytes > most && !options_.fold) return {};
      if (!reader.load(found_[i].path) || is_left_out(reader)) return {};
      reader.append_samples(found_[i].path, samples[static_cast<size_t>(thread)]);
      return {};
    }));
    for (size_t i = 1; i < samples.size(); ++i)
      samples[0].insert(samples[0].end(), samples[i].begin(), samples[i].end());
    filter_ = HashFilter(std::move(samples[0]));
    return {};
  }

  Status read(size_t i, int thread) {
    NEARDUP_TRY(options_.context.check_cancel());
    const FoundFile& found = found_[i];
    File& file = result_.files[i];
    file.path = found.path;
    file.modified_ns = found.modified_ns;
    file.is_reference = found.is_reference;
    file.same_as = static_cast<uint32_t>(i);
    FileReader& reader = *readers_[static_cast<size_t>(thread)];
    const Status loaded = reader.load(found.path);
    if (!loaded) return skip(i, loaded.error().message), Status{};
    if (is_left_out(reader)) return skip(i, "looks binary"), Status{};
    file.is_read = true;
    file.size_bytes = reader.bytes().size();
    file.checksum = hash128(reader.bytes());
    fingerprint(i, reader, result_.entries[static_cast<size_t>(thread)]);
    report(file.size_bytes);
    return {};
  }

  ReadFiles take() {
    for (size_t i = 0; i < found_.size(); ++i)
      if (!reasons_[i].empty()) result_.skipped.push_back({found_[i].path, std::move(reasons_[i])});
    result_.read_bytes = read_bytes_;
    return std::move(result_);
  }

 private:
  bool is_left_out(const FileReader& reader) const { return !options_.filter.binary && is_binary(reader.bytes()); }

  void skip(size_t i, std::string reason) {
    reasons_[i] = std::move(reason);
    report(0);
  }

  void fingerprint(size_t i, FileReader& reader, EntryBuckets& out) {
    File& file = result_.files[i];
    // What a fold makes depends on the name, too: there the first of equal files is asked for its own.
    if (!options_.fold && !seen_[file.is_reference ? 1 : 0].is_new(file.checksum, file.size_bytes)) return;
    for (const Entry& entry : reader.entries(file, static_cast<uint32_t>(i), filter_)) out.add(entry);
  }

  void report(uint64_t bytes) {
    const std::lock_guard lock(progress_);
    read_bytes_ += bytes;
    ++num_done_;
    if (options_.context.progress != nullptr) options_.context.progress->advance(read_bytes_, num_done_);
  }

  std::span<const FoundFile> found_;
  const SimilarOptions& options_;
  ReadFiles result_;
  std::vector<std::string> reasons_;
  std::vector<std::unique_ptr<FileReader>> readers_;
  HashFilter filter_;
  SeenContents seen_[2];
  std::mutex progress_;
  uint64_t read_bytes_ = 0, num_done_ = 0;
};

// Equal files: all but the first of a side know it, and it gets the weights that one of them found.
void join_equal(std::vector<File>& files) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < files.size(); ++i)
    if (files[i].is_read) order.push_back(i);
  const auto key = [&](uint32_t i) {
    return std::tuple(files[i].checksum, files[i].size_bytes, files[i].is_reference, i);
  };
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  uint32_t first = 0;
  for (size_t k = 0; k < order.size(); ++k) {
    File& file = files[order[k]];
    File& before = files[first];
    const bool is_same = k > 0 && file.checksum == before.checksum && file.size_bytes == before.size_bytes &&
                         file.is_reference == before.is_reference;
    if (!is_same) {
      first = order[k];
      continue;
    }
    file.same_as = first;
    if (before.num_fingerprints == 0) {
      before.num_fingerprints = file.num_fingerprints;
      before.weight = file.weight;
      before.is_small = file.is_small;
    }
  }
}

}  // namespace

Result<ReadFiles> read_files(std::span<const FoundFile> found, const SimilarOptions& options) {
  uint64_t bytes = 0;
  for (const FoundFile& file : found) bytes += file.size_bytes;
  Progress* progress = options.context.progress;
  if (progress != nullptr) progress->begin_stage("reading", "files", bytes, found.size());
  const int num_threads = resolve_num_threads(options.num_threads);
  Reading reading(found, options, num_threads);
  NEARDUP_TRY(reading.find_samples(num_threads));
  NEARDUP_TRY(parallel_for(num_threads, found.size(), [&](size_t i, int thread) { return reading.read(i, thread); }));
  if (progress != nullptr) progress->end_stage();
  ReadFiles result = reading.take();
  join_equal(result.files);
  return result;
}

}  // namespace neardup::sif
