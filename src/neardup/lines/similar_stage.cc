#include "neardup/lines/similar_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "neardup/base/json.h"
#include "neardup/base/sizes.h"
#include "neardup/base/threads.h"
#include "neardup/lines/solve_parts.h"

namespace neardup::lines {
namespace {

constexpr size_t kWrittenPiece = size_t{1} << 20;

}  // namespace

Result<SimilarRule> similar_rule(const SimilarOptions& options) {
  if (!(options.share >= 0.5 && options.share <= 1))
    return fail(Code::kInvalidArgument, fmt::format("--similar takes a share from 0.5 to 1, found {}", options.share));
  return SimilarRule{options.share, options.origin ? verify::Rule::Kind::kOrigin : verify::Rule::Kind::kContent};
}

Status SimilarStage::add(std::string_view line, uint64_t number, uint64_t count, bool is_minus) {
  text_bytes_ += line.size();
  if (text_bytes_ + lines_.size() * (sizeof(std::string_view) + sizeof(Came)) > memory_bytes_ / 2)
    return fail(Code::kMemory,
                fmt::format("--similar holds all different lines in memory, and {} of them take more than half of {}; "
                            "raise --memory, or take `neardup dedup`, which compares on disk",
                            lines_.size() + 1, size_text(memory_bytes_)));
  char* const kept = text_.reserve(line.size());
  if (!line.empty()) std::memcpy(kept, line.data(), line.size());
  text_.use(line.size());
  lines_.emplace_back(kept, line.size());
  came_.push_back({number, count});
  if (is_minus) ++num_minus_;
  return {};
}

/// One line of JSON, as those of duplicates.jsonl.
Status SimilarStage::tell(size_t line, const SimilarFate& fate) {
  if (!options_.similar->removed) return {};
  const bool of_minus = fate.kept < num_minus_;
  std::string out =
      fmt::format("{{\"line\":{},\"duplicate_of\":{},\"of_minus\":{},\"similarity\":", came_[line].number + 1,
                  came_[fate.kept].number + 1, of_minus);
  append_json_number(out, std::round(static_cast<double>(fate.similarity) * 1e4) / 1e4);
  out += ",\"text\":";
  append_json_string(out, lines_[line]);
  out += ",\"kept\":";
  append_json_string(out, lines_[fate.kept]);
  out += "}\n";
  return options_.similar->removed(out);
}

Result<uint64_t> SimilarStage::write_kept(const std::vector<SimilarFate>& fates, const WriteBytes& write) const {
  const Wanted wanted{options_.show, 0};
  std::string piece;
  uint64_t num_written = 0;
  for (size_t i = num_minus_; i < lines_.size(); ++i) {
    if (fates[i].kept != i || !wanted(0, came_[i].count)) continue;
    ++num_written;
    if (options_.count) piece += fmt::format("{}\t", came_[i].count);
    piece += lines_[i];
    piece += options_.line_end;
    if (piece.size() < kWrittenPiece) continue;
    NEARDUP_TRY(write(piece));
    piece.clear();
  }
  if (!piece.empty()) NEARDUP_TRY(write(piece));
  return num_written;
}

Result<uint64_t> SimilarStage::finish(const WriteBytes& write) {
  NEARDUP_ASSIGN(const SimilarRule rule, similar_rule(*options_.similar));
  const SimilarWork work{.rule = rule,
                         .num_minus = num_minus_,
                         .maker = &maker_,
                         .long_lines = &long_lines_,
                         .memory_bytes = memory_bytes_ / 2,
                         .num_threads = resolve_num_threads(options_.num_threads),
                         .context = options_.context};
  NEARDUP_ASSIGN(const std::vector<SimilarFate> fates, find_similar(lines_, work));
  for (size_t i = num_minus_; i < lines_.size(); ++i) {
    if (fates[i].kept == i) continue;
    ++num_removed_;
    came_[fates[i].kept].count += came_[i].count;
    NEARDUP_TRY(tell(i, fates[i]));
  }
  return write_kept(fates, write);
}

}  // namespace neardup::lines
