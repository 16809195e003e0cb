// The second half of a run whose lines could not be written at once.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "neardup/base/threads.h"
#include "neardup/lines/run_lines.h"
#include "neardup/lines/solve_parts.h"

namespace neardup::lines {
namespace {

Status add_lists(const SeenLines& seen, const Wanted& wanted, VerdictFile& file) {
  Status added;
  for (size_t part = 0; part < kNumParts; ++part) {
    file.begin_list();
    seen.each(part, [&](uint64_t position, uint64_t count) {
      if (added && wanted(position, count)) added = file.add({position, count});
    });
  }
  return added;
}

/// Fills LineChunk::writes and, with `counts`, LineChunk::counts of a row of chunks by positions that ascend.
class Marker {
 public:
  Marker(std::vector<LineChunk>& chunks, bool counts) : chunks_(chunks), counts_(counts) {}

  void operator()(const VerdictOf& verdict) {
    while (verdict.position >= chunks_[at_].first + chunks_[at_].num_lines()) ++at_;
    LineChunk& chunk = chunks_[at_];
    chunk.writes[verdict.position - chunk.first] = 1;
    if (counts_) chunk.counts[verdict.position - chunk.first] = verdict.count;
  }

 private:
  std::vector<LineChunk>& chunks_;
  bool counts_;
  size_t at_ = 0;
};

}  // namespace

/// Finds out which lines are written.
Status LinesRun::write_lists() {
  std::vector<VerdictFile> files;
  // Of a small memory few threads have enough for a set each.
  constexpr uint64_t kLeastOfThread = uint64_t{8} << 20;
  const uint64_t most = std::max<uint64_t>(1, memory_.set_bytes / kLeastOfThread);
  for (uint64_t thread = 0; thread < std::min<uint64_t>(static_cast<uint64_t>(num_threads_), most); ++thread) {
    NEARDUP_ASSIGN(const std::string path, work_file(fmt::format("verdicts-{}", thread)));
    NEARDUP_ASSIGN(VerdictFile file, VerdictFile::create(path, counts()));
    files.push_back(std::move(file));
  }
  if (counts()) NEARDUP_TRY(add_lists(*seen_, wanted_, files.front()));
  PartFiles parts("", 0);
  NEARDUP_TRY(seen_->release(parts));
  const PartWork work{hold_, wanted_, memory_.set_bytes, memory_.part_buffer_bytes, seed_, options_.context};
  if (totals_.parted > 0) NEARDUP_TRY(solve_parts(work, parts, files));
  if (keyless_) files.push_back(*std::exchange(keyless_, std::nullopt));
  for (VerdictFile& file : files) NEARDUP_TRY(file.finish());
  verdicts_ = std::move(files);
  return {};
}

Status LinesRun::write_wanted(const LineBlock& block, std::vector<VerdictReader>& verdicts) {
  cut_into_chunks(block.text, options_.line_end, num_chunks(), chunks_);
  NEARDUP_TRY(parallel_for(num_threads_, chunks_.size(), [&](size_t i, int) -> Status {
    LineChunk& chunk = chunks_[i];
    find_line_ends(options_.line_end, chunk);
    std::ranges::fill(chunk.writes, uint8_t{0});
    if (marks_counts()) chunk.counts.assign(chunk.num_lines(), 0);
    return {};
  }));
  number_chunks();
  for (VerdictReader& reader : verdicts) {
    NEARDUP_TRY(reader.take_below(
        position_, [mark = Marker(chunks_, marks_counts())](const VerdictOf& verdict) mutable { mark(verdict); }));
  }
  if (options_.context.progress != nullptr) options_.context.progress->advance(block.consumed, position_);
  return put_chunks(block);
}

Status LinesRun::write_verdicts() {
  std::vector<LineInput> copy;
  if (copy_) {
    NEARDUP_TRY(copy_->flush());
    NEARDUP_ASSIGN(LineInput input, plain_line_input(copy_path_));
    copy.push_back(std::move(input));
    again_ = Place{};
  }
  const std::span<const LineInput> inputs = copy_ ? copy : inputs_;
  for (const LineInput& input : inputs) NEARDUP_TRY(check_unchanged(input));
  NEARDUP_ASSIGN(std::vector<VerdictReader> verdicts, open_verdicts(verdicts_, memory_.set_bytes / 4));
  const uint64_t end = std::exchange(position_, again_position_);
  begin_stage("write", inputs);
  BlockReader reader(inputs, *again_, options_.line_end, memory_.block_bytes, options_.context, long_line_means(false));
  for (LineBlock block;;) {
    NEARDUP_ASSIGN(const bool more, reader.next(block));
    if (!more) break;
    NEARDUP_TRY(write_wanted(block, verdicts));
  }
  if (options_.context.progress != nullptr) options_.context.progress->end_stage();
  for (const LineInput& input : inputs) NEARDUP_TRY(check_unchanged(input));
  if (position_ == end) return {};
  return fail(Code::kMismatch,
              "an input was changed while it was read: it had other lines the second time; start again "
              "when nobody writes to it");
}

Result<LinesTotals> LinesRun::run() {
  NEARDUP_TRY(open());
  NEARDUP_TRY(read_minus());
  NEARDUP_TRY(read_inputs());
  if (again_) {
    totals_.parted = seen_->num_parted();
    NEARDUP_TRY(write_lists());
    NEARDUP_TRY(write_verdicts());
  }
  if (similar_) NEARDUP_TRY(finish_similar());
  if (sorter_) NEARDUP_TRY(sorter_->finish(writer_));
  NEARDUP_TRY(writer_.finish());
  totals_.removed = totals_.read - totals_.kept;
  totals_.written_bytes = writer_.size_bytes();
  return totals_;
}

}  // namespace neardup::lines
