// Stars need candidates by (worse, better), and threads find them in any order. So each thread collects in a buffer of
// its own, without a lock; what does not fit is sorted into runs on disk, and all is merged at the end. The result is
// the same for any threads and any memory. Repetitions, which bands and several fingerprints make, go when a buffer is
// full, before anything is written. docs/design/stars.md.
#include "neardup/cluster/candidates.h"

#include <fmt/format.h>

#include <atomic>
#include <optional>

#include "neardup/base/bytes.h"
#include "neardup/base/threads.h"
#include "neardup/cluster/buckets.h"
#include "neardup/cluster/records.h"
#include "neardup/cluster/sorted_run.h"

namespace neardup::cluster {

/// What a CandidateSet does, for either size of record.
class CandidateSet::Store {
 public:
  virtual ~Store() = default;
  virtual Status add(std::span<const Candidate> candidates, int thread) = 0;
  virtual Status finish() = 0;
  virtual uint64_t size() const = 0;
  virtual Result<std::span<const Candidate>> next() = 0;
  virtual void rewind() = 0;
};

namespace {

constexpr uint64_t kMinThreadBytes = uint64_t{64} << 10;
constexpr uint64_t kMinReadBytes = uint64_t{32} << 10;  // buffer of a run while merging
constexpr uint64_t kMaxReadBytes = uint64_t{1} << 20;
constexpr size_t kBlockCandidates = size_t{1} << 16;

/// A file of records that is being written, then read. It is removed with the object.
template <class Record>
class ScratchFile {
 public:
  [[nodiscard]] static Result<ScratchFile> create(std::string path) {
    NEARDUP_ASSIGN(AppendFile file, AppendFile::open(path, 0));
    return ScratchFile(std::move(path), std::move(file));
  }
  ScratchFile(ScratchFile&& other) noexcept = default;
  ScratchFile& operator=(ScratchFile&& other) = delete;
  ~ScratchFile() {
    reading_.reset();
    writing_.reset();
    if (!path_.empty()) remove_all_quietly(path_);  // nobody is left to tell
  }

  Status append(std::span<const Record> records) {
    num_records_ += records.size();
    return writing_->append(bytes_of(records));
  }
  [[nodiscard]] uint64_t num_records() const { return num_records_; }

  /// Ends the writing and returns the file for reading.
  Result<std::shared_ptr<const ReadFile>> reader() {
    if (reading_) return reading_;
    NEARDUP_TRY(writing_->flush());
    writing_.reset();
    NEARDUP_ASSIGN(ReadFile file, ReadFile::open(path_));
    reading_ = std::make_shared<const ReadFile>(std::move(file));
    return reading_;
  }

 private:
  ScratchFile(std::string path, AppendFile file) : path_(std::move(path)), writing_(std::move(file)) {}

  std::string path_;
  std::optional<AppendFile> writing_;
  std::shared_ptr<const ReadFile> reading_;
  uint64_t num_records_ = 0;
};

template <class Record>
class RecordStore final : public CandidateSet::Store {
 public:
  RecordStore(std::string folder, uint64_t memory_bytes, int num_threads, uint64_t num_documents)
      : folder_(std::move(folder)),
        num_threads_(num_threads),
        num_documents_(num_documents),
        lanes_(static_cast<size_t>(num_threads)) {
    const uint64_t least = kMinThreadBytes * static_cast<uint64_t>(num_threads);
    memory_bytes_ = memory_bytes == 0 ? UINT64_MAX / 2 : std::max(memory_bytes, least);
    // Half of the memory, because the lanes are sorted into a second array of the size of all of them.
    lane_capacity_ = static_cast<size_t>(memory_bytes_ / 2 / sizeof(Record) / static_cast<uint64_t>(num_threads));
  }

  Status add(std::span<const Candidate> candidates, int thread) override {
    Lane& lane = lanes_[static_cast<size_t>(thread)];
    for (const Candidate& candidate : candidates) {
      if (lane.records.size() == lane.records.capacity()) NEARDUP_TRY(make_room(lane));
      lane.records.push_back(Record::pack(candidate));
    }
    return {};
  }

  Status finish() override {
    const bool on_disk = std::ranges::any_of(lanes_, [](const Lane& lane) { return lane.file.has_value(); });
    NEARDUP_TRY(on_disk ? merge_files() : sort_lanes());
    lanes_.clear();
    return {};
  }

  uint64_t size() const override { return size_; }

  Result<std::span<const Candidate>> next() override {
    NEARDUP_ASSIGN(const auto records, sorted_file_ ? next_in_file() : next_in_memory());
    block_.resize(records.size());
    std::ranges::transform(records, block_.begin(), [](const Record& record) { return record.unpack(); });
    return std::span<const Candidate>(block_);
  }

  void rewind() override {
    bucket_ = 0;
    position_ = 0;
  }

 private:
  struct alignas(64) Lane {
    std::vector<Record> records;
    std::optional<ScratchFile<Record>> file;
    std::vector<uint64_t> run_begins;  // record numbers in `file`
  };

  // Lets a full buffer grow, or takes repetitions out of it, or empties it into a run.
  Status make_room(Lane& lane) {
    const size_t size = lane.records.size();
    if (size < lane_capacity_) {
      lane.records.reserve(std::min(lane_capacity_, std::max<size_t>(1024, 2 * size)));
      return {};
    }
    unite(lane.records);
    if (lane.records.size() <= lane_capacity_ / 4 * 3) return {};
    return spill(lane);
  }

  static void unite(std::vector<Record>& records) {
    std::vector<uint64_t> scratch;
    records.resize(sort_and_unite(std::span(records), scratch));
  }

  // Writes the sorted buffer as a run.
  Status spill(Lane& lane) {
    if (lane.records.empty()) return {};
    if (!lane.file) {
      NEARDUP_ASSIGN(auto file, ScratchFile<Record>::create(new_path()));
      lane.file.emplace(std::move(file));
    }
    lane.run_begins.push_back(lane.file->num_records());
    NEARDUP_TRY(lane.file->append(lane.records));
    lane.records.clear();
    return {};
  }

  std::string new_path() { return fmt::format("{}/candidates.{}.tmp", folder_, num_files_.fetch_add(1)); }

  Status sort_lanes() {
    std::vector<std::span<const Record>> lanes;
    size_t total = 0;
    for (const Lane& lane : lanes_) {
      lanes.emplace_back(lane.records);
      total += lane.records.size();
    }
    sorted_ = std::make_unique_for_overwrite<Record[]>(total);
    NEARDUP_ASSIGN(buckets_, sort_in_buckets<Record>(lanes, num_documents_, num_threads_, {sorted_.get(), total}));
    for (const auto& bucket : buckets_) size_ += bucket.size();
    return {};
  }

  Result<std::span<const Record>> next_in_memory() {
    while (bucket_ < buckets_.size() && position_ == buckets_[bucket_].size()) {
      ++bucket_;
      position_ = 0;
    }
    if (bucket_ == buckets_.size()) return std::span<const Record>();
    const std::span<const Record> rest = buckets_[bucket_].subspan(position_);
    const size_t count = std::min(kBlockCandidates, rest.size());
    position_ += count;
    return rest.first(count);
  }

  Result<std::span<const Record>> next_in_file() {
    read_buffer_.resize(static_cast<size_t>(std::min<uint64_t>(kBlockCandidates, size_ - position_)));
    const std::span<Record> records(read_buffer_);
    NEARDUP_TRY(sorted_file_->read_exact_at(position_ * sizeof(Record), writable_bytes_of(records)));
    position_ += records.size();
    return std::span<const Record>(records);
  }

  Status merge_files() {
    NEARDUP_TRY(parallel_for(num_threads_, lanes_.size(), [&](size_t lane, int) -> Status {
      unite(lanes_[lane].records);
      return {};
    }));
    NEARDUP_ASSIGN(std::vector<FileRun> runs, spill_all());
    do {
      NEARDUP_ASSIGN(runs, merge_level(runs));
    } while (runs.size() > 1);
    sorted_file_ = runs[0].file;
    size_ = runs[0].count;
    return {};
  }

  // Puts the rest of every lane on disk, frees the buffers and returns all runs.
  Result<std::vector<FileRun>> spill_all() {
    std::vector<FileRun> runs;
    for (Lane& lane : lanes_) {
      NEARDUP_TRY(spill(lane));
      std::vector<Record>().swap(lane.records);
      if (!lane.file) continue;
      NEARDUP_ASSIGN(const auto file, lane.file->reader());
      lane.run_begins.push_back(lane.file->num_records());
      for (size_t i = 0; i + 1 < lane.run_begins.size(); ++i) {
        runs.push_back({file, lane.run_begins[i], lane.run_begins[i + 1] - lane.run_begins[i]});
      }
      files_.push_back(std::move(*lane.file));
    }
    return runs;
  }

  // Merges as many runs at a time as there is memory for, all into one new file, and removes the old ones.
  Result<std::vector<FileRun>> merge_level(const std::vector<FileRun>& runs) {
    const auto fan_in = static_cast<size_t>(std::clamp<uint64_t>(memory_bytes_ / kMinReadBytes, 2, 4096));
    NEARDUP_ASSIGN(auto output, ScratchFile<Record>::create(new_path()));
    std::vector<std::pair<uint64_t, uint64_t>> places;  // begin and end of each new run
    for (size_t first = 0; first < runs.size(); first += fan_in) {
      const uint64_t begin = output.num_records();
      NEARDUP_TRY(merge_group(std::span(runs).subspan(first, std::min(fan_in, runs.size() - first)), output));
      places.emplace_back(begin, output.num_records());
    }
    NEARDUP_ASSIGN(const auto file, output.reader());
    files_.clear();
    files_.push_back(std::move(output));
    std::vector<FileRun> merged;
    for (const auto& [begin, end] : places) merged.push_back({file, begin, end - begin});
    return merged;
  }

  Status merge_group(std::span<const FileRun> group, ScratchFile<Record>& output) {
    const uint64_t read_bytes = std::clamp(memory_bytes_ / group.size(), kMinReadBytes, kMaxReadBytes);
    std::vector<RunReader<Record>> readers;
    for (const FileRun& run : group) readers.emplace_back(run, static_cast<size_t>(read_bytes / sizeof(Record)));
    std::vector<Record> block;
    block.reserve(kMinReadBytes / sizeof(Record));
    NEARDUP_TRY(merge_runs(readers, [&](const Record& record) -> Status {
      block.push_back(record);
      if (block.size() < block.capacity()) return {};
      NEARDUP_TRY(output.append(block));
      block.clear();
      return {};
    }));
    return output.append(block);
  }

  std::string folder_;
  int num_threads_;
  uint64_t num_documents_;
  uint64_t memory_bytes_ = 0;
  size_t lane_capacity_ = 0;
  std::vector<Lane> lanes_;
  std::atomic<int> num_files_{0};
  std::vector<ScratchFile<Record>> files_;  // that runs lie in

  // After finish(): the records in memory, or in a file.
  std::unique_ptr<Record[]> sorted_;
  std::vector<std::span<const Record>> buckets_;  // of sorted_
  std::shared_ptr<const ReadFile> sorted_file_;
  uint64_t size_ = 0;
  size_t bucket_ = 0;      // that next() goes on with
  uint64_t position_ = 0;  // there, or in the file
  std::vector<Record> read_buffer_;
  std::vector<Candidate> block_;
};

}  // namespace

CandidateSet::CandidateSet(std::unique_ptr<Store> store) : store_(std::move(store)) {}
CandidateSet::CandidateSet(CandidateSet&& other) noexcept = default;
CandidateSet& CandidateSet::operator=(CandidateSet&& other) noexcept = default;
CandidateSet::~CandidateSet() = default;

Result<CandidateSet> CandidateSet::create(const std::string& folder, uint64_t memory_bytes, int num_threads,
                                          uint64_t num_documents) {
  const int threads = resolve_num_threads(num_threads);
  if (num_documents <= NarrowRecord::kMaxDocuments)
    return CandidateSet(std::make_unique<RecordStore<NarrowRecord>>(folder, memory_bytes, threads, num_documents));
  return CandidateSet(std::make_unique<RecordStore<WideRecord>>(folder, memory_bytes, threads, num_documents));
}

Status CandidateSet::add(std::span<const Candidate> candidates, int thread) { return store_->add(candidates, thread); }
Status CandidateSet::finish() { return store_->finish(); }
uint64_t CandidateSet::size() const { return store_->size(); }
Result<std::span<const Candidate>> CandidateSet::next() { return store_->next(); }
void CandidateSet::rewind() { store_->rewind(); }

}  // namespace neardup::cluster
