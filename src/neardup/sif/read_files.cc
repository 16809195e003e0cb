#include "neardup/sif/read_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <mutex>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "neardup/base/memory_budget.h"
#include "neardup/base/sizes.h"
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
      : found_(found),
        options_(options),
        reasons_(found.size()),
        loaded_(options.memory_bytes / 4),
        taken_bytes_(fixed_bytes(found, options)) {
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
      if (found_[i].size_bytes > most) return {};
      if (!reader.load(found_[i].path) || is_left_out(reader)) return {};
      auto& own = samples[static_cast<size_t>(thread)];
      const size_t before = own.size();
      reader.append_samples(own);
      return take_memory((own.size() - before) * kSampleBytes);
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
    file.is_reference = found.is_reference;
    file.same_as = static_cast<uint32_t>(i);
    FileReader& reader = *readers_[static_cast<size_t>(thread)];
    // Its bytes, and what is found in them before equal values become one.
    const MemoryBudget::Permit permit = loaded_.acquire(2 * found.size_bytes);
    const Status status = read_with(reader, i, result_.entries[static_cast<size_t>(thread)]);
    reader.release();
    return status;
  }

  ReadFiles take() {
    for (size_t i = 0; i < found_.size(); ++i)
      if (!reasons_[i].empty()) result_.skipped.push_back({found_[i].path, std::move(reasons_[i])});
    result_.read_bytes = read_bytes_;
    return std::move(result_);
  }

 private:
  Status read_with(FileReader& reader, size_t i, EntryBuckets& out) {
    File& file = result_.files[i];
    const Status loaded = reader.load(file.path);
    if (!loaded) return skip(i, loaded.error().message), Status{};
    if (is_left_out(reader)) return skip(i, "looks binary"), Status{};
    file.is_read = true;
    file.size_bytes = reader.bytes().size();
    file.checksum = hash128(reader.bytes());
    NEARDUP_TRY(fingerprint(i, reader, out));
    report(file.size_bytes);
    return {};
  }

  bool is_left_out(const FileReader& reader) const { return !options_.filter.binary && is_binary(reader.bytes()); }

  void skip(size_t i, std::string reason) {
    reasons_[i] = std::move(reason);
    report(0);
  }

  Status fingerprint(size_t i, FileReader& reader, EntryBuckets& out) {
    File& file = result_.files[i];
    if (!seen_[file.is_reference ? 1 : 0].is_new(file.checksum, file.size_bytes)) return {};
    const std::vector<Entry>& entries = reader.entries(file, static_cast<uint32_t>(i), filter_);
    NEARDUP_TRY(take_memory(entries.size() * kEntryBytes));
    for (const Entry& entry : entries) out.add(entry);
    return {};
  }

  Status take_memory(uint64_t bytes) {
    if ((taken_bytes_ += bytes) <= options_.memory_bytes) return {};
    return fail(Code::kMemory, fmt::format("the fingerprints of the files need more memory than the limit of {}; raise "
                                           "the limit, take a greater window, or compare parts of them",
                                           human_bytes(static_cast<double>(options_.memory_bytes))));
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
  MemoryBudget loaded_;
  std::atomic<uint64_t> taken_bytes_;
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
      before.num_fingerprints = std::exchange(file.num_fingerprints, 0);
      before.weight = file.weight;
      before.is_small = file.is_small;
    }
  }
}

}  // namespace

uint64_t fixed_bytes(std::span<const FoundFile> found, const SimilarOptions& options) {
  uint64_t bytes = 0;
  for (const FoundFile& file : found) bytes += file.size_bytes;
  return std::min(bytes, options.memory_bytes / 4) + 200 * found.size();
}

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
