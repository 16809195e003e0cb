#include "neardup/lines/run_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <utility>

#include "neardup/base/sizes.h"
#include "neardup/base/threads.h"
#include "neardup/base/work_place.h"

namespace neardup::lines {
namespace {

constexpr uint64_t kLeastLongLine = uint64_t{1} << 20;

Hold hold_of(const LinesOptions& options) {
  if (options.count || options.show != Show::kAll) return Hold::kCounts;
  return options.fast ? Hold::kHashes : Hold::kBytes;
}

uint64_t random_seed() {
  std::random_device random;
  return uint64_t{random()} << 32 | random();
}

bool has_stream(std::span<const LineInput> inputs) {
  return std::ranges::any_of(inputs, [](const LineInput& input) { return input.stream != nullptr; });
}

}  // namespace

Result<LinesMemory> plan_lines_memory(const LinesOptions& options) {
  const uint64_t memory = options.memory_bytes;
  if (memory < kSmallestMemory)
    return fail(Code::kInvalidArgument, fmt::format("{} of memory are too little; {} are the least", size_text(memory),
                                                    size_text(kSmallestMemory)));
  LinesMemory plan;
  plan.block_bytes = std::clamp<uint64_t>(memory / 256, uint64_t{1} << 17, uint64_t{1} << 23);
  // Each thread may spread a part of its own over as many buffers: of all of them no more than an eighth of the memory.
  const uint64_t num_buffers = 8 * kNumParts * static_cast<uint64_t>(resolve_num_threads(options.num_threads));
  plan.part_buffer_bytes =
      std::clamp<uint64_t>(memory / std::max<uint64_t>(num_buffers, 4096), uint64_t{1} << 12, uint64_t{1} << 18);
  plan.window_bytes = corpus::Decompressor::window_within(memory);
  plan.long_line_bytes = std::max(plan.block_bytes, kLeastLongLine);
  // Blocks (one read, one worked on), what is made of them and what is written; the program; buffers of parts, of which
  // the system's files have some, too.
  const uint64_t fixed = 16 * plan.block_bytes + 8 * (plan.long_line_bytes - plan.block_bytes) + (uint64_t{12} << 20) +
                         2 * kNumParts * plan.part_buffer_bytes;
  uint64_t left = memory - std::min(memory / 2, fixed);
  plan.pattern_bytes = options.key.pattern.empty() ? 0 : left / 8;
  left -= plan.pattern_bytes;
  plan.similar_bytes = options.similar ? left / 2 : 0;
  plan.sort_bytes = options.order == Order::kSorted ? (left - plan.similar_bytes) / 2 : 0;
  plan.set_bytes = (left - plan.similar_bytes - plan.sort_bytes) / 20 * 19;
  plan.mapped_bytes = plan.set_bytes / 2;
  return plan;
}

LinesRun::LinesRun(const LinesOptions& options, const WriteBytes& write)
    : options_(options),
      num_threads_(resolve_num_threads(options.num_threads)),
      hold_(hold_of(options)),
      seed_(random_seed()),
      long_lines_([this](std::string_view name) { return work_file(name); }, "long-lines"),
      long_keys_([this](std::string_view name) { return work_file(name); }, "long-keys"),
      writer_(write, options.compression, num_threads_, long_lines_) {}

LinesRun::LinesRun(const LinesOptions& options, const LinesMemory& memory, const WriteBytes& write)
    : LinesRun(options, write) {
  given_memory_ = memory;
}

Result<std::string> LinesRun::work_file(std::string_view name) {
  if (!folder_) {
    NEARDUP_ASSIGN(folder_, make_work_place());
  }
  return fmt::format("{}/{}", folder_->path(), name);
}

Status LinesRun::open() {
  if (options_.inputs.empty()) return fail(Code::kInvalidArgument, "no inputs");
  NEARDUP_ASSIGN(memory_, given_memory_ ? Result<LinesMemory>(*given_memory_) : plan_lines_memory(options_));
  NEARDUP_ASSIGN(KeyMaker maker, KeyMaker::create(options_.key));
  maker_ = std::move(maker);
  if (options_.similar) {
    NEARDUP_TRY(similar_rule(*options_.similar));
    similar_.emplace(options_, *maker_, long_lines_, memory_.similar_bytes);
  }
  wanted_.show = similar_ ? Show::kAll : options_.show;  // counts are known when similar lines are
  std::vector<std::string> all = options_.minus;
  all.insert(all.end(), options_.inputs.begin(), options_.inputs.end());
  NEARDUP_ASSIGN(inputs_, open_line_inputs(
                              all, [this](std::string_view name) { return work_file(name); }, options_.context));
  for (LineInput& input : inputs_) input.window_bytes = memory_.window_bytes;
  map_inputs();
  for (const LineInput& input : inputs_) bytes_ += input.file.size_bytes;
  if (has_stream(inputs_)) bytes_ = 0;
  const auto first = inputs_.begin() + static_cast<ptrdiff_t>(options_.minus.size());
  minus_.assign(std::make_move_iterator(inputs_.begin()), std::make_move_iterator(first));
  inputs_.erase(inputs_.begin(), first);
  if (inputs_.front().mark_bytes > 0) writer_.begin_with(kByteOrderMark);
  NEARDUP_ASSIGN(const std::string parts, work_file("part"));
  seen_.emplace(hold_, memory_, parts, num_threads_);
  if (options_.order == Order::kSorted) {
    sorter_.emplace(LineSorter::Options{memory_.sort_bytes, options_.line_end, options_.count, num_threads_,
                                        [this](std::string_view name) { return work_file(name); }, options_.context,
                                        &long_lines_});
  }
  return {};
}

void LinesRun::begin_stage(std::string_view stage, std::span<const LineInput> inputs) const {
  if (options_.context.progress == nullptr) return;
  uint64_t bytes = 0;
  for (const LineInput& input : inputs) bytes += input.file.size_bytes;
  options_.context.progress->begin_stage(stage, "lines", has_stream(inputs) ? 0 : bytes, 0);
}

/// Keys of lines that are no long ones may be half as long again as their lines, where letters are folded.
LongLineMeans LinesRun::long_line_means(bool makes_keys) {
  LongLineMeans means{&long_lines_, memory_.long_line_bytes, {}};
  if (makes_keys) means.keys = {&*maker_, &long_keys_, 2 * memory_.long_line_bytes, memory_.pattern_bytes};
  return means;
}

void LinesRun::number_chunks() {
  for (LineChunk& chunk : chunks_) {
    chunk.first = position_;
    position_ += chunk.num_lines();
  }
}

/// Maps large plain files where memory has room for all of them: what is held of a line is then where it is.
void LinesRun::map_inputs() {
  if (hold_ != Hold::kBytes) return;
  const auto can_be = [&](const LineInput& input) {
    return input.stream == nullptr && input.file.compression == corpus::Compression::kNone &&
           input.file.size_bytes >= memory_.block_bytes && input.file.size_bytes > 0;
  };
  uint64_t bytes = 0;
  for (const LineInput& input : inputs_) bytes += can_be(input) ? input.file.size_bytes : 0;
  if (bytes > memory_.mapped_bytes) return;
  for (LineInput& input : inputs_) {
    if (!can_be(input)) continue;
    input.mapped = SharedFile::open(input.file.path, input.file.size_bytes);
    if (input.mapped == nullptr) continue;
    memory_.set_bytes -= std::min(memory_.set_bytes, input.file.size_bytes);
    mapped_.push_back(input);
  }
}

/// Finds the keys of a block and adds them to what was seen.
Status LinesRun::read_block(const LineBlock& block) {
  const Keying keying{&*maker_, hold_, options_.fast, options_.line_end, seed_, &long_lines_, &block.long_key};
  cut_into_chunks(block.text, options_.line_end, num_chunks(), chunks_);
  NEARDUP_TRY(parallel_for(num_threads_, chunks_.size(), [&](size_t i, int) -> Status {
    find_keys(keying, chunks_[i]);
    chunks_[i].keys_stay = block.stays && maker_->is_piece() && !options_.fast;
    return {};
  }));
  number_chunks();
  NEARDUP_TRY(seen_->add(chunks_));
  if (options_.context.progress != nullptr) options_.context.progress->advance(block.consumed, position_);
  return {};
}

Status LinesRun::read_minus() {
  if (minus_.empty()) return {};
  begin_stage("read --minus", minus_);
  BlockReader reader(minus_, {}, options_.line_end, memory_.block_bytes, options_.context, long_line_means(true));
  for (LineBlock block;;) {
    NEARDUP_ASSIGN(const bool more, reader.next(block));
    if (!more) break;
    NEARDUP_TRY(read_block(block));
    if (similar_) NEARDUP_TRY(add_to_similar(0, true));
  }
  for (const LineInput& input : minus_) NEARDUP_TRY(check_unchanged(input));
  totals_.minus = wanted_.first = position_;
  if (options_.context.progress != nullptr) options_.context.progress->end_stage();
  return {};
}

Status LinesRun::read_inputs() {
  begin_stage("read", inputs_);
  BlockReader reader(inputs_, {}, options_.line_end, memory_.block_bytes, options_.context, long_line_means(true));
  for (LineBlock block;;) {
    NEARDUP_ASSIGN(const bool more, reader.next(block));
    if (!more) break;
    const uint64_t before = position_;
    NEARDUP_TRY(read_block(block));
    totals_.read_bytes += block.text.size() + block.hidden_bytes - (block.lacks_end ? 1 : 0);
    for (const LineChunk& chunk : chunks_) totals_.without_key += chunk.without_key.size();
    if (!again_ && (counts() || seen_->is_full())) {
      again_ = block.place;
      again_position_ = before;
    }
    if (bytes_ > 0 && !seen_->is_full())
      seen_->expect_rest(static_cast<double>(block.consumed) / static_cast<double>(bytes_));
    NEARDUP_TRY(again_ ? put_off(block) : put_chunks(block));
  }
  for (const LineInput& input : inputs_) NEARDUP_TRY(check_unchanged(input));
  totals_.read = position_ - totals_.minus;
  if (options_.context.progress != nullptr) options_.context.progress->end_stage();
  return {};
}

/// Gives the lines of the chunks that are left to the stage that compares them further. `first`: the position of the
/// first line of their files.
Status LinesRun::add_to_similar(uint64_t first, bool is_minus) {
  for (const LineChunk& chunk : chunks_) {
    if (chunk.bytes.empty()) continue;
    for (size_t i = 0; i < chunk.num_lines(); ++i) {
      if (chunk.writes[i] == 0) continue;
      std::string_view line = chunk.line(i);
      line.remove_suffix(1);
      NEARDUP_TRY(similar_->add(line, chunk.first + i - first, chunk.counts.empty() ? 1 : chunk.counts[i], is_minus));
    }
  }
  return {};
}

Status LinesRun::finish_similar() {
  NEARDUP_ASSIGN(totals_.kept, similar_->finish([this](std::string_view bytes) -> Status {
    if (sorter_) return sorter_->add(bytes);
    std::vector<std::string> pieces = {std::string(bytes)};
    return writer_.put(pieces);
  }));
  totals_.similar = similar_->num_removed();
  return {};
}

/// Gives the lines of the chunks that are written to what takes them.
Status LinesRun::put_chunks(const LineBlock& block) {
  if (similar_) return add_to_similar(wanted_.first, false);
  NEARDUP_TRY(parallel_for(num_threads_, chunks_.size(), [&](size_t i, int) -> Status {
    gather_lines(chunks_[i]);
    return {};
  }));
  for (const LineInput& input : mapped_) NEARDUP_TRY(check_whole(input));  // no page of zeros is written
  std::vector<std::string> pieces;
  bool writes_last = false;
  for (LineChunk& chunk : chunks_) {
    if (chunk.bytes.empty()) continue;
    totals_.kept += static_cast<uint64_t>(std::ranges::count(chunk.writes, 1));
    writes_last = chunk.writes.back() != 0;
    pieces.push_back(std::move(chunk.out));
  }
  if (sorter_) {
    for (const std::string& piece : pieces) NEARDUP_TRY(sorter_->add(piece));
    return {};
  }
  if (block.lacks_end && !options_.count && writes_last) pieces.back().pop_back();
  NEARDUP_TRY(writer_.put(pieces));
  for (size_t i = 0; i < std::min(pieces.size(), chunks_.size()); ++i) chunks_[i].out = std::move(pieces[i]);
  return {};
}

/// Notes what cannot be known or read again later.
Status LinesRun::put_off(const LineBlock& block) {
  if (has_stream(inputs_)) {
    if (!copy_) {
      NEARDUP_ASSIGN(copy_path_, work_file("copy"));
      NEARDUP_ASSIGN(copy_, AppendFile::open(copy_path_, 0));
    }
    std::string_view bytes = block.text;
    if (block.lacks_end) bytes.remove_suffix(1);
    NEARDUP_TRY(copy_->append(bytes));
  }
  if (maker_->is_whole_line()) return {};
  if (!keyless_) {
    NEARDUP_ASSIGN(const std::string path, work_file("keyless"));
    NEARDUP_ASSIGN(keyless_, VerdictFile::create(path, counts()));
    keyless_->begin_list();
  }
  for (const LineChunk& chunk : chunks_) {
    for (const uint64_t index : chunk.without_key) {
      if (wanted_(chunk.first + index, 1)) NEARDUP_TRY(keyless_->add({chunk.first + index, 1}));
    }
  }
  return {};
}

}  // namespace neardup::lines
