#include "neardup/sif/read_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

#include "neardup/base/memory_budget.h"
#include "neardup/base/sizes.h"
#include "neardup/base/threads.h"
#include "neardup/sif/file_bytes.h"
#include "neardup/sif/file_text.h"
#include "neardup/sif/fingerprint_file.h"
#include "neardup/sif/fold_code.h"
#include "neardup/sif/value_filter.h"

namespace neardup::sif {
namespace {

constexpr size_t kKeptValues = size_t{1} << 20;          // work arrays of larger files are not kept for the next one
constexpr uint64_t kMostSmallBytes = uint64_t{1} << 20;  // more than any small file holds
constexpr int64_t kCoarsestClock = 2'000'000'000;        // ns, of file systems
constexpr const char* kBinary = "looks binary";

// Where common passages weigh less, a substring has parts.
uint32_t weight_scale(const SimilarOptions& options) { return options.common == CommonPassages::kWeigh ? 64 : 1; }

// Buckets of about 32 Ki entries: they are sorted in the second cache.
int bucket_bits(std::span<const FoundFile> found) {
  uint64_t bytes = 0;
  for (const FoundFile& file : found) bytes += file.stamp.size_bytes;
  const uint64_t buckets = bytes / 64 / 32768 + 1;
  return std::clamp(static_cast<int>(std::bit_width(buckets)), 4, 12);
}

// Which contents some thread has taken already: of equal files one is fingerprinted, it does not matter which.
class SeenContents {
 public:
  bool is_new(const ContentKey& content) {
    Shard& shard = shards_[content.checksum.low % shards_.size()];
    const std::lock_guard lock(shard.mutex);
    return shard.seen.insert(content).second;
  }

 private:
  struct Shard {
    std::mutex mutex;
    std::set<ContentKey> seen;
  };
  std::array<Shard, 16> shards_;
};

// What one thread works with.
struct ReadDesk {
  explicit ReadDesk(const SimilarOptions& options) : text(options), fingerprinter(options) {}
  TextReader text;
  Fingerprinter fingerprinter;
  FileFingerprints fingerprints;
  std::vector<Entry> entries;
  void release() {
    text.release();
    fingerprinter.release();
    if (fingerprints.fine.capacity() > kKeptValues) fingerprints = {};
    if (entries.capacity() > kKeptValues) std::vector<Entry>().swap(entries);
  }
};

int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// All files, by any number of threads: the small ones first, as all others are held against them.
class Reading {
 public:
  Reading(std::span<const FoundFile> found, const SimilarOptions& options, IndexFolder* index, int num_threads)
      : found_(found),
        options_(options),
        index_(index),
        num_threads_(num_threads),
        reasons_(found.size()),
        loaded_(options.memory_bytes / 4),
        taken_bytes_(fixed_bytes(found, options)) {
    result_.files.resize(found.size());
    if (index != nullptr) known_.resize(found.size());
    const int bits = bucket_bits(found);
    for (int i = 0; i < num_threads; ++i) {
      desks_.push_back(std::make_unique<ReadDesk>(options));
      result_.entries.emplace_back(bits);
    }
  }

  Status read() {
    NEARDUP_TRY(make_filter());
    return parallel_for(num_threads_, found_.size(), [&](size_t i, int thread) { return read_one(i, thread); });
  }

  Status commit() {
    if (index_ == nullptr) return {};
    std::vector<KnownFile> files;
    for (KnownFile& file : known_)
      if (!file.path.empty()) files.push_back(std::move(file));
    return index_->commit(std::move(files));
  }

  ReadFiles take() {
    for (size_t i = 0; i < found_.size(); ++i)
      if (!reasons_[i].empty()) {
        const bool is_failure = reasons_[i] != kBinary;
        result_.skipped.push_back({found_[i].path, std::move(reasons_[i]), is_failure});
      }
    result_.read_bytes = read_bytes_;
    result_.num_reused = num_reused_;
    return std::move(result_);
  }

 private:
  // Small files come first, as all others are held against them. What fails here fails again in read_one(), but for
  // what the system is short of: that ends it here. The filter is as large as sizes say, so that it is the same whoever
  // fills it.
  Status make_filter() {
    double count = 0;
    for (const FoundFile& found : found_)
      if (may_be_small(found.stamp.size_bytes, options_))
        count += expected_fingerprints(found.stamp.size_bytes, options_);
    filter_ = ValueFilter(static_cast<uint64_t>(count));
    NEARDUP_TRY(take_memory(filter_.size_bytes()));
    return parallel_for(num_threads_, found_.size(), [&](size_t i, int thread) -> Status {
      NEARDUP_TRY(options_.context.check_cancel());
      if (!may_be_small(found_[i].stamp.size_bytes, options_)) return {};
      ReadDesk& desk = *desks_[static_cast<size_t>(thread)];
      NEARDUP_TRY(look_at_small(found_[i], desk));
      if (!desk.fingerprints.is_small) return {};
      for (const Weighed& one : desk.fingerprints.kept) filter_.add(one.value);
      return {};
    });
  }

  Status look_at_small(const FoundFile& found, ReadDesk& desk) {
    static const ValueFilter kNone;
    const uint32_t language = language_of(options_.fold, found.path);
    const KnownFile* known = index_ == nullptr ? nullptr : index_->find(absolute_path_of(found.path));
    if (known != nullptr && is_unchanged(*known, found) && known->content.language == language) {
      if (known->is_binary && !options_.filter.binary) return desk.fingerprints = {}, Status{};
      NEARDUP_ASSIGN(const bool is_there, index_->load(known->content, desk.fingerprints));
      if (is_there) return {};
    }
    desk.fingerprints = {};
    if (const auto loaded = desk.text.load(found.path, language, kMostSmallBytes); !loaded)
      return desk.text.was_short() ? Status(tl::unexpected<Error>(loaded.error())) : Status();
    const std::string& bytes = desk.text.bytes();
    if (!is_binary(bytes) || options_.filter.binary)
      desk.fingerprinter.fingerprint(desk.text.text(), bytes.size(), &kNone, desk.fingerprints);
    return {};
  }

  Status read_one(size_t i, int thread) {
    NEARDUP_TRY(options_.context.check_cancel());
    const FoundFile& found = found_[i];
    File& file = result_.files[i];
    file.path = found.path;
    file.is_reference = found.is_reference;
    file.same_as = static_cast<uint32_t>(i);
    file.language = language_of(options_.fold, found.path);
    ReadDesk& desk = *desks_[static_cast<size_t>(thread)];
    const KnownFile* known = index_ == nullptr ? nullptr : index_->find(absolute_path_of(found.path));
    bool is_taken = false;
    if (known != nullptr && is_unchanged(*known, found)) {
      const MemoryBudget::Permit permit = loaded_.acquire(needed_bytes(found.stamp.size_bytes));
      NEARDUP_ASSIGN(is_taken, take_known(i, *known, desk, thread));
    }
    const Status status = is_taken ? Status{} : take_bytes(i, desk, thread);
    desk.release();
    return status;
  }

  static bool is_unchanged(const KnownFile& known, const FoundFile& found) {
    return known.stamp == found.stamp && known.stamp.modified_ns != kUnsure;
  }

  // Returns whether the index has all that is wanted of the file.
  Result<bool> take_known(size_t i, const KnownFile& known, ReadDesk& desk, int thread) {
    File& file = result_.files[i];
    if (known.content.language != file.language) return false;
    if (known.is_binary && !options_.filter.binary) {
      known_[i] = known;
      return skip(i, kBinary), true;
    }
    NEARDUP_ASSIGN(const bool is_there, index_->load(known.content, desk.fingerprints));
    if (!is_there) return false;
    set_facts(i, known.content);
    known_[i] = known;
    ++num_reused_;
    if (seen_[file.is_reference ? 1 : 0].is_new(known.content)) NEARDUP_TRY(add_entries(i, desk, thread));
    return done(0), true;
  }

  Status take_bytes(size_t i, ReadDesk& desk, int thread) {
    File& file = result_.files[i];
    const int64_t begun_ns = now_ns();
    MemoryBudget::Permit permit;
    const Result<uint64_t> disk_bytes = load(i, desk, permit);
    if (!disk_bytes && desk.text.was_short()) return tl::unexpected<Error>(disk_bytes.error());
    if (!disk_bytes) return skip(i, disk_bytes.error().message), Status{};
    const std::string& bytes = desk.text.bytes();
    const bool is_binary_file = is_binary(bytes), is_left_out = is_binary_file && !options_.filter.binary;
    const ContentKey content{hash128(bytes), bytes.size(), file.language};
    const bool is_sure =
        *disk_bytes == found_[i].stamp.size_bytes && found_[i].stamp.modified_ns < begun_ns - kCoarsestClock;
    if (index_ != nullptr) remember(i, content, is_binary_file, is_sure);
    if (is_left_out) return skip(i, kBinary), Status{};
    set_facts(i, content);
    if (seen_[file.is_reference ? 1 : 0].is_new(content)) NEARDUP_TRY(fingerprint(i, content, desk, thread));
    return done(*disk_bytes), Status{};
  }

  // Of a file of so many bytes: they, and what is found in them before equal values become one.
  [[nodiscard]] uint64_t needed_bytes(uint64_t file_bytes) const { return (index_ != nullptr ? 5 : 2) * file_bytes; }

  // What a compressed file holds, nobody knows: if it is more than there is memory for, it is read again with more.
  Result<uint64_t> load(size_t i, ReadDesk& desk, MemoryBudget::Permit& permit) {
    const File& file = result_.files[i];
    const uint64_t disk_bytes = found_[i].stamp.size_bytes, limit_bytes = desk.text.limit_bytes();
    for (uint64_t most = std::max(disk_bytes, kMostSmallBytes);; most *= 4) {
      permit = loaded_.acquire(needed_bytes(most == kMostSmallBytes ? disk_bytes : most));
      Result<uint64_t> loaded = desk.text.load(file.path, file.language, most);
      if (loaded || loaded.error().code != Code::kMemory || most >= limit_bytes) return loaded;
      permit.release();
    }
  }

  // A file that was written to while it was read, or just before, may have been so once more at the same time.
  void remember(size_t i, const ContentKey& content, bool is_binary_file, bool is_sure) {
    known_[i] = {absolute_path_of(found_[i].path), content, found_[i].stamp, is_binary_file};
    if (!is_sure) known_[i].stamp.modified_ns = kUnsure;
  }

  void set_facts(size_t i, const ContentKey& content) {
    File& file = result_.files[i];
    file.is_read = true;
    file.size_bytes = content.size_bytes;
    file.checksum = content.checksum;
  }

  Status fingerprint(size_t i, const ContentKey& content, ReadDesk& desk, int thread) {
    bool is_known = false;
    if (index_ != nullptr) {
      NEARDUP_ASSIGN(is_known, index_->load(content, desk.fingerprints));
    }
    if (!is_known) {
      desk.fingerprinter.fingerprint(desk.text.text(), content.size_bytes, index_ != nullptr ? nullptr : &filter_,
                                     desk.fingerprints);
      if (index_ != nullptr) NEARDUP_TRY(index_->add(content, desk.fingerprints));
    }
    return add_entries(i, desk, thread);
  }

  Status add_entries(size_t i, ReadDesk& desk, int thread) {
    make_entries(desk.fingerprints, filter_, static_cast<uint32_t>(i), weight_scale(options_), result_.files[i],
                 desk.entries);
    NEARDUP_TRY(take_memory(desk.entries.size() * kEntryBytes));
    for (const Entry& entry : desk.entries) result_.entries[static_cast<size_t>(thread)].add(entry);
    return {};
  }

  void skip(size_t i, std::string reason) {
    reasons_[i] = std::move(reason);
    done(0);
  }

  Status take_memory(uint64_t bytes) {
    if ((taken_bytes_ += bytes) <= options_.memory_bytes) return {};
    return fail(Code::kMemory, fmt::format("the fingerprints of the files need more memory than the limit of {}; raise "
                                           "the limit, take a greater window, or compare parts of them",
                                           human_bytes(static_cast<double>(options_.memory_bytes))));
  }

  void done(uint64_t bytes) {
    const std::lock_guard lock(progress_);
    read_bytes_ += bytes;
    ++num_done_;
    if (options_.context.progress != nullptr) options_.context.progress->advance(read_bytes_, num_done_);
  }

  std::span<const FoundFile> found_;
  const SimilarOptions& options_;
  IndexFolder* index_;
  const int num_threads_;
  ReadFiles result_;
  std::vector<std::string> reasons_;
  std::vector<KnownFile> known_;  // for the index; without a path: not looked at
  std::vector<std::unique_ptr<ReadDesk>> desks_;
  ValueFilter filter_;
  SeenContents seen_[2];
  MemoryBudget loaded_;
  std::atomic<uint64_t> taken_bytes_, num_reused_ = 0;
  std::mutex progress_;
  uint64_t read_bytes_ = 0, num_done_ = 0;
};

// Equal files: all but the first of a side know it, and it gets the weights that one of them found.
void join_equal(std::vector<File>& files) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < files.size(); ++i)
    if (files[i].is_read) order.push_back(i);
  const auto key = [&](uint32_t i) {
    return std::tuple(files[i].checksum, files[i].size_bytes, files[i].is_reference, files[i].language, i);
  };
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  uint32_t first = 0;
  for (size_t k = 0; k < order.size(); ++k) {
    File& file = files[order[k]];
    File& before = files[first];
    const bool is_same = k > 0 && file.checksum == before.checksum && file.size_bytes == before.size_bytes &&
                         file.is_reference == before.is_reference && file.language == before.language;
    if (!is_same) {
      first = order[k];
      continue;
    }
    file.same_as = first;
    if (before.num_fingerprints == 0) {
      before.num_fingerprints = std::exchange(file.num_fingerprints, 0);
      before.weight = std::exchange(file.weight, 0);
      before.is_small = file.is_small;
    }
  }
}

}  // namespace

uint64_t fixed_bytes(std::span<const FoundFile> found, const SimilarOptions& options) {
  uint64_t bytes = 0;
  for (const FoundFile& file : found) bytes += file.stamp.size_bytes;
  return std::min(bytes, options.memory_bytes / 4) + 200 * found.size();
}

Result<ReadFiles> read_files(std::span<const FoundFile> found, const SimilarOptions& options, IndexFolder* index) {
  uint64_t bytes = 0;
  for (const FoundFile& file : found) bytes += file.stamp.size_bytes;
  Progress* progress = options.context.progress;
  if (progress != nullptr) progress->begin_stage("reading", "files", bytes, found.size());
  const int num_threads = resolve_num_threads(options.num_threads);
  Reading reading(found, options, index, num_threads);
  NEARDUP_TRY(reading.read());
  NEARDUP_TRY(reading.commit());
  if (progress != nullptr) progress->end_stage();
  ReadFiles result = reading.take();
  join_equal(result.files);
  return result;
}

}  // namespace neardup::sif
