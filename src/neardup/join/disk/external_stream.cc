// Where one set fits in memory, no partition is written at all: the other passes by once. The only state is how far it
// has been read and which runs hold the pairs so far; both are in one small file, replaced as a whole, so a killed run
// repeats at most the last step.
// Invariant: the runs that the file names hold exactly the pairs whose position in the large set is below the position
// it names.
#include "neardup/join/disk/external_stream.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "neardup/base/threads.h"
#include "neardup/join/disk/finished_steps.h"
#include "neardup/join/disk/stream.h"

namespace neardup::join {
namespace {

using Clock = std::chrono::steady_clock;

class StreamJoin {
 public:
  StreamJoin(Source& left, Source& right, const ExternalOptions& options, int64_t step_ms)
      : swapped_(left.size() > right.size()),
        small_(swapped_ ? right : left),
        large_(swapped_ ? left : right),
        options_(options),
        step_(step_ms),
        steps_path_(options.folder + "/stream-steps"),
        identity_(fmt::format("neardup stream join 1\n{}\ndistance {} sizes {} {} swapped {}\n", options.identity,
                              options.max_distance, small_.size(), large_.size(), swapped_)),
        sorter_(options.folder + "/stream-pairs-", options.memory_bytes / 8, hash64(identity_)) {}

  Status run(const SortedSink& sink) {
    NEARDUP_TRY(claim());
    go_on();
    if (saved_position_ != large_.size()) NEARDUP_TRY(join());
    NEARDUP_ASSIGN(auto runs, sorter_.finish_on_disk());
    return merge_runs(std::move(runs), options_.folder, options_.memory_bytes / 2, options_.context, sink);
  }

 private:
  static constexpr uint64_t kNothingSaved = UINT64_MAX;

  // Neither threads nor memory are part of it: a step may end anywhere.
  [[nodiscard]] Status claim() const { return claim_folder(options_.folder, "stream-join", identity_); }

  // Takes what an earlier call has saved: a position in the large set, and how many pairs each run has.
  void go_on() {
    const auto numbers = read_numbers(steps_path_, hash64(identity_));
    if (!numbers || numbers->empty() || numbers->front() > large_.size()) return;
    saved_position_ = numbers->front();
    sorter_.go_on_from(std::span(*numbers).subspan(1));
  }

  Status join() {
    std::vector<fingerprint::Fingerprint> values(small_.size());
    NEARDUP_ASSIGN(const size_t count, small_.read(values));
    values.resize(count);
    const JoinOptions options{options_.max_distance, resolve_num_threads(options_.num_threads),
                              options_.memory_bytes / 8 * 7 - values.size() * sizeof values[0], options_.context};
    StreamSteps steps;
    steps.begin = saved_position_ == kNothingSaved ? 0 : saved_position_;
    steps.done = [&](uint64_t position) {
      return position < large_.size() && Clock::now() - saved_at_ < step_ ? Status() : save(position);
    };
    NEARDUP_TRY(cross_join(
        values, large_, options, [&](std::span<const Pair> block, int) { return take(block); }, steps));
    return saved_position_ == large_.size() ? Status() : save(large_.size());
  }

  Status take(std::span<const Pair> block) {
    if (!swapped_) return sorter_.add(block);
    std::vector<Pair> turned(block.begin(), block.end());
    for (Pair& pair : turned) std::swap(pair.a, pair.b);
    return sorter_.add(turned);
  }

  // The runs first, then the file that names them. Runs that a killed call has made beyond it are written over.
  Status save(uint64_t position) {
    NEARDUP_TRY(sorter_.write_all());
    std::vector<uint64_t> numbers{position};
    for (const PairRun& run : sorter_.runs()) numbers.push_back(run.count);
    NEARDUP_TRY(write_numbers(steps_path_, numbers, hash64(identity_)));
    saved_position_ = position;
    saved_at_ = Clock::now();
    return {};
  }

  bool swapped_;  // the left set is the large one: pairs are turned
  Source& small_;
  Source& large_;
  const ExternalOptions& options_;
  std::chrono::milliseconds step_;
  std::string steps_path_;  // position, then the pairs of each run
  std::string identity_;
  PairSorter sorter_;
  uint64_t saved_position_ = kNothingSaved;  // as the file has it
  Clock::time_point saved_at_ = Clock::now();
};

}  // namespace

Status external_stream_join(Source& left, Source& right, const ExternalOptions& options, const SortedSink& sink,
                            int64_t step_ms) {
  return StreamJoin(left, right, options, step_ms).run(sink);
}

}  // namespace neardup::join
