// Stars need candidates by (worse, better), and threads find them in any order. So each thread collects in a buffer of
// its own, without a lock; what does not fit is sorted into runs on disk, and all is merged at the end. The result is
// the same for any threads and any memory. Repetitions, which bands and several fingerprints make, go when a buffer is
// full, before anything is written. docs/design/stars.md.
#include "neardup/cluster/candidates.h"

#include <optional>

#include "neardup/base/bytes.h"
#include "neardup/base/threads.h"
#include "neardup/cluster/buckets.h"
#include "neardup/cluster/records.h"
#include "neardup/join/disk/run_files.h"

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
constexpr size_t kBlockRecords = size_t{1} << 12;  // that are merged before they are written
constexpr size_t kBlockCandidates = size_t{1} << 16;

/// Appends the records of sorted runs; of those of one pair, the first.
template <class Record>
Status append_merged(std::span<const join::FileRun> runs, uint64_t memory_bytes, join::ScratchFile<Record>& output) {
  join::RunMerge<Record> merge(join::readers_of<Record>(runs, memory_bytes));
  std::vector<Record> block;
  std::optional<Record> last;
  NEARDUP_TRY(merge.begin());
  while (!merge.empty()) {
    const Record record = merge.front();
    NEARDUP_TRY(merge.pop());
    if (last && record.same_pair(*last)) continue;
    last = record;
    block.push_back(record);
    if (block.size() < kBlockRecords) continue;
    NEARDUP_TRY(output.append(block));
    block.clear();
  }
  return output.append(block);
}

template <class Record>
class RecordStore final : public CandidateSet::Store {
 public:
  RecordStore(const std::string& folder, uint64_t memory_bytes, int num_threads, uint64_t num_documents)
      : num_threads_(num_threads),
        num_documents_(num_documents),
        lanes_(static_cast<size_t>(num_threads)),
        files_(folder + "/candidates") {
    const uint64_t least = kMinThreadBytes * static_cast<uint64_t>(num_threads);
    memory_bytes_ = memory_bytes == 0 ? UINT64_MAX / 2 : std::max(memory_bytes, least);
    // Half of the memory, because the lanes are sorted into a second array of the size of all of them.
    lane_capacity_ = static_cast<size_t>(memory_bytes_ / 2 / sizeof(Record) / static_cast<uint64_t>(num_threads));
  }

  Status add(std::span<const Candidate> candidates, int thread) override {
    Lane& lane = lanes_[static_cast<size_t>(thread)];
    for (const Candidate& candidate : candidates) {
      if (lane.records.size() == lane.records.capacity()) NEARDUP_TRY(files_.make_room(lane, lane_capacity_, unite));
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
  using Lane = join::RunLane<Record>;

  static void unite(std::vector<Record>& records) {
    std::vector<uint64_t> scratch;
    records.resize(sort_and_unite(std::span(records), scratch));
  }

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
    NEARDUP_ASSIGN(std::vector<join::FileRun> runs, files_.spill_all(lanes_));
    do {
      NEARDUP_ASSIGN(runs, files_.merge_level(runs, join::merge_fan_in(memory_bytes_),
                                              [this](std::span<const join::FileRun> group, auto& output) {
                                                return append_merged<Record>(group, memory_bytes_, output);
                                              }));
    } while (runs.size() > 1);
    sorted_file_ = runs[0].file;
    size_ = runs[0].count;
    return {};
  }

  int num_threads_;
  uint64_t num_documents_;
  uint64_t memory_bytes_ = 0;
  size_t lane_capacity_ = 0;
  std::vector<Lane> lanes_;
  join::RunFiles<Record> files_;

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
