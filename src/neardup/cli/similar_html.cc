#include "neardup/cli/similar_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "neardup/base/disk/file.h"
#include "neardup/base/hash.h"
#include "neardup/cli/similar_output.h"
#include "neardup/report/similar_page.h"
#include "neardup/sif/file_bytes.h"
#include "neardup/sif/shared_text.h"

namespace neardup::cli {
namespace {

constexpr uint64_t kShareOfMemory = 64;  // for a file that is read for its text

// Pairs as the page numbers them, and where each came from.
class SimilarTranslator {
 public:
  SimilarTranslator(const sif::SimilarFiles& found, const sif::SimilarOptions& options)
      : found_(found), options_(options) {}

  Result<report::SimilarReport> translate() {
    add_counts();
    add_settings();
    add_pairs();
    NEARDUP_TRY(add_texts());
    return std::move(report_);
  }

 private:
  void add_counts() {
    report_.num_read = found_.num_read;
    report_.read_bytes = found_.read_bytes;
    report_.num_pairs = found_.pairs.size();
    for (const sif::SimilarPair& pair : found_.pairs) report_.num_equal += pair.is_equal ? 1 : 0;
    const auto groups = sif::groups_of(found_.pairs, found_.files.size());
    report_.num_groups = groups.size();
    report_.largest_group = groups.empty() ? 0 : groups.front().size();
    report_.num_skipped = found_.skipped.size();
    for (SkippedReason& skipped : skipped_by_reason(found_))
      report_.skipped.push_back({std::move(skipped.reason), skipped.count, std::move(skipped.example)});
    report_.num_crowds = found_.num_crowds;
    report_.crowd_limit = found_.crowd_limit;
    report_.threshold = options_.threshold;
    report_.has_references = !options_.references.empty();
  }

  void add_settings() {
    report_.settings = {fmt::format("--threshold {:.4g}", options_.threshold)};
    add_selection();
    if (options_.fold == sif::Fold::kCode) add_pair_flag("--fold code", true);
    if (options_.fold == sif::Fold::kNone) add_pair_flag("--fold none", true);
    if (options_.filter.binary) add_pair_flag("--binary", true);
    if (options_.filter.hidden) report_.settings.emplace_back("--hidden");
    if (options_.verify) report_.settings.emplace_back("--verify");
    if (options_.common != sif::CommonPassages::kCount) {
      report_.settings.emplace_back(options_.common == sif::CommonPassages::kWeigh ? "--common weigh"
                                                                                   : "--common ignore");
      report_.settings.push_back(fmt::format("--common-files {}", options_.common_files));
    }
    add_list("--include", options_.filter.include);
    add_list("--exclude", options_.filter.exclude);
    add_list("--reference", options_.references);
  }

  void add_selection() {
    const sif::Selection &asked = options_.selection, usual = {};
    const bool is_sample = asked.kind == sif::SelectionKind::kSample;
    add_pair_flag(fmt::format("--substring {}", asked.substring_bytes), asked.substring_bytes != usual.substring_bytes);
    if (asked.kind == sif::SelectionKind::kWinnow)
      return add_pair_flag(fmt::format("--window {}", asked.window), asked.window != usual.window);
    add_pair_flag(is_sample ? "--select sample" : "--select anchors", true);
    if (is_sample)
      return add_pair_flag(fmt::format("--zero-bits {}", asked.zero_bits), asked.zero_bits != usual.zero_bits);
    for (const std::string& anchor : asked.anchors) add_pair_flag("--anchor " + sif::printable_path(anchor), true);
  }

  // `is_needed`: it is not what is so without it.
  void add_pair_flag(const std::string& flag, bool is_needed) {
    report_.settings.push_back(flag);
    if (is_needed) report_.pair_flags.push_back(flag);
  }

  void add_list(const std::string& flag, const std::vector<std::string>& values) {
    for (const std::string& value : values) report_.settings.push_back(flag + " " + sif::printable_path(value));
  }

  void add_pairs() {
    const report::PairRoom room = report::room_for_pairs(report_.num_equal, report_.num_pairs - report_.num_equal);
    uint64_t equal = 0, other = 0;
    for (const sif::SimilarPair& pair : found_.pairs) {
      if (pair.is_equal ? equal++ < room.equal : other++ < room.other) {
        sources_.push_back(&pair);
        report_.pairs.push_back({number_of(pair.a), number_of(pair.b), pair.a_in_b, pair.b_in_a,
                                 pair.is_equal   ? report::ShareBasis::kEqual
                                 : pair.is_exact ? report::ShareBasis::kExact
                                                 : report::ShareBasis::kEstimate});
      } else if (pair.is_equal) {
        ++report_.left_out_equal;
      } else {
        ++report_.left_out[hundredth_of(pair.similarity())];
      }
    }
  }

  static size_t hundredth_of(float similarity) {
    return std::min(report::kSimilaritySteps, static_cast<size_t>(std::max(0.0, similarity * 100.0 + 1e-4)));
  }

  uint32_t number_of(uint32_t file) {
    const auto [place, is_new] = numbers_.try_emplace(file, static_cast<uint32_t>(report_.files.size()));
    if (is_new) {
      const sif::File& source = found_.files[file];
      report_.files.push_back({sif::printable_path(source.path), source.size_bytes, source.is_reference});
    }
    return place->second;
  }

  // Pairs of different files first, as there is nothing to find in equal ones; of equal similarity those that have more
  // of each other, as the table of the page has them.
  [[nodiscard]] std::vector<size_t> order_of_texts() const {
    std::vector<size_t> order(sources_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [this](size_t x, size_t y) {
      const sif::SimilarPair &p = *sources_[x], &q = *sources_[y];
      return std::tuple(p.is_equal, -p.similarity(), -std::min(p.a_in_b, p.b_in_a)) <
             std::tuple(q.is_equal, -q.similarity(), -std::min(q.a_in_b, q.b_in_a));
    });
    return order;
  }

  Status add_texts() {
    report::PassageTexts texts;
    for (const size_t number : order_of_texts()) {
      if (!texts.has_room()) break;
      NEARDUP_TRY(options_.context.check_cancel());
      NEARDUP_TRY(add_text(number, texts));
    }
    report_.texts = texts.take_texts();
    report_.compared = texts.take_pairs();
    return {};
  }

  Status add_text(size_t number, report::PassageTexts& texts) {
    const sif::SimilarPair& pair = *sources_[number];
    const report::SimilarFilePair& named = report_.pairs[number];
    std::string a, b;
    if (!load(found_.files[pair.a], a) || (!pair.is_equal && !load(found_.files[pair.b], b))) {
      ++report_.num_unread;
      return {};
    }
    std::vector<report::PassagePlace> passages;
    if (pair.is_equal) {
      if (!a.empty()) passages.push_back({{0, a.size()}, {0, a.size()}});
    } else {
      NEARDUP_ASSIGN(const sif::PassagesOrReason shared, sif::passages_or_reason(found_, pair, options_));
      if (!shared.reason.empty()) {
        ++report_.num_unread;
        return {};
      }
      for (const sif::SharedPassage& passage : shared.passages)
        passages.push_back({{passage.a.begin, passage.a.end}, {passage.b.begin, passage.b.end}});
    }
    texts.add(number, named.a, a, named.b, pair.is_equal ? a : b, std::move(passages), pair.is_equal);
    return {};
  }

  // Whether the file is still what was compared.
  bool load(const sif::File& file, std::string& bytes) const {
    const uint64_t limit_bytes = std::min<uint64_t>(options_.memory_bytes / kShareOfMemory, uint64_t{1} << 30);
    if (file.size_bytes > limit_bytes || !sif::load_bytes(file.path, limit_bytes, bytes)) return false;
    return bytes.size() == file.size_bytes && hash128(bytes) == file.checksum;
  }

  const sif::SimilarFiles& found_;
  const sif::SimilarOptions& options_;
  report::SimilarReport report_;
  std::vector<const sif::SimilarPair*> sources_;    // of report_.pairs
  std::unordered_map<uint32_t, uint32_t> numbers_;  // of files in the page
};

}  // namespace

Status write_similar_html(const sif::SimilarFiles& found, const sif::SimilarOptions& options, const std::string& path) {
  NEARDUP_ASSIGN(const report::SimilarReport report, SimilarTranslator(found, options).translate());
  NEARDUP_TRY(options.context.check_cancel());
  return write_file_atomically(path, report::similar_html(report));
}

}  // namespace neardup::cli
