// After near-duplicates, so that of a hundred copies one is looked at: passages of what is kept are sorted, those that
// few documents have make pairs, and stars in the order of length decide: who may hold a document is decided before it.
#include "neardup/engine/match/contained/contained.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <string_view>

#include "neardup/base/base.h"
#include "neardup/base/threads.h"
#include "neardup/cluster/star.h"
#include "neardup/engine/match/contained/held_comparer.h"
#include "neardup/engine/match/contained/length_order.h"
#include "neardup/engine/match/pairs_file.h"
#include "neardup/feature/passages.h"
#include "neardup/join/disk/shared_keys.h"

namespace neardup::engine {
namespace {

constexpr size_t kRanksAtOnce = 64;

// What a text of so many tokens takes while its passages are selected.
constexpr uint64_t kSelectingBytesPerToken = 12;

/// The progress of a stage whose items many threads do.
class SharedStage {
 public:
  SharedStage(Progress* progress, std::string_view name, std::string_view item_name, uint64_t num_items)
      : progress_(progress) {
    if (progress_ != nullptr) progress_->begin_stage(name, item_name, 0, num_items);
  }
  SharedStage(const SharedStage&) = delete;
  ~SharedStage() {
    if (progress_ != nullptr) progress_->end_stage();
  }
  void add_done(uint64_t items) {
    if (progress_ == nullptr) return;
    const std::lock_guard lock(mutex_);
    progress_->advance(0, num_done_ += items);
  }

 private:
  Progress* const progress_;
  std::mutex mutex_;
  uint64_t num_done_ = 0;
};

/// The candidates: pairs of ranks that have enough passages in common, in order of (worse, better).
class PassagePairs {
 public:
  PassagePairs(const MatchSetting& run, const LengthOrder& order) : run_(run), order_(order) {}

  /// Selects the passages of all documents, and pairs these.
  Status find();
  /// cluster::CandidateSource.
  Result<std::span<const cluster::Candidate>> next();
  [[nodiscard]] const join::SharedKeys& passages() const { return *shared_; }
  [[nodiscard]] uint64_t num_candidates() const { return num_candidates_; }

 private:
  Status add_passages();

  const MatchSetting& run_;
  const LengthOrder& order_;
  std::optional<join::SharedKeys> shared_;
  std::vector<cluster::Candidate> block_;
  uint64_t num_candidates_ = 0;
};

Status PassagePairs::find() {
  NEARDUP_TRY(create_directories(run_.folder.scratch()));
  NEARDUP_ASSIGN(shared_, join::SharedKeys::create(static_cast<uint32_t>(order_.groups.size()),
                                                   {.folder = run_.folder.scratch(),
                                                    .postings_memory = run_.plan.bytes_of(MemoryUse::kPassages),
                                                    .pairs_memory = run_.plan.bytes_of(MemoryUse::kCandidates),
                                                    .most_rows = kMostHolders,
                                                    .num_threads = run_.num_threads,
                                                    .context = run_.context}));
  NEARDUP_TRY(add_passages());
  return shared_->finish([this](uint32_t better, uint32_t worse) {
    return may_contain(run_.documents, run_.groups, order_.groups[better], order_.groups[worse],
                       *run_.options.contained);
  });
}

Status PassagePairs::add_passages() {
  struct Selection {
    std::vector<uint32_t> tokens;
    std::vector<feature::Passage> selected;
    std::vector<uint64_t> keys;
  };
  std::vector<Selection> selections(static_cast<size_t>(run_.num_threads));
  LongPairs long_texts(run_.documents, run_.groups, kSelectingBytesPerToken / 2,
                       run_.plan.bytes_of(MemoryUse::kLongTexts), run_.num_threads);
  const size_t num_chunks = (order_.groups.size() + kRanksAtOnce - 1) / kRanksAtOnce;
  SharedStage stage(run_.context.progress, "passages", "documents", order_.groups.size());
  return parallel_for(run_.num_threads, num_chunks, [&](size_t chunk, int thread) -> Status {
    NEARDUP_TRY(run_.context.check_cancel());
    auto& [tokens, selected, keys] = selections[static_cast<size_t>(thread)];
    const size_t end = std::min(order_.groups.size(), (chunk + 1) * kRanksAtOnce);
    for (size_t rank = chunk * kRanksAtOnce; rank < end; ++rank) {
      const uint32_t group = order_.groups[rank];
      const MemoryBudget::Permit permit = long_texts.permit_for(group, group);
      NEARDUP_TRY(run_.documents.read_tokens(run_.groups.best[group], tokens));
      feature::select_passages(tokens, selected);
      const Row& row = run_.documents.row(run_.groups.best[group]);
      keys.clear();
      for (const feature::Passage& passage : selected) keys.push_back(key_of(passage, row));
      std::ranges::sort(keys);
      keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
      NEARDUP_TRY(shared_->add(static_cast<uint32_t>(rank), keys, thread));
      if (permit.holds()) selections[static_cast<size_t>(thread)] = {};  // memory of a long text is given back
    }
    stage.add_done(end - chunk * kRanksAtOnce);
    return {};
  });
}

Result<std::span<const cluster::Candidate>> PassagePairs::next() {
  block_.clear();
  while (block_.empty()) {
    NEARDUP_ASSIGN(const auto pairs, shared_->next());
    if (pairs.empty()) break;
    for (const join::SharedKeyPair& pair : pairs)
      if (have_enough_passages(pair.num_keys, shared_->num_own_keys(pair.worse), *run_.options.contained))
        block_.push_back({.better = pair.better, .worse = pair.worse});
  }
  num_candidates_ += block_.size();
  return std::span<const cluster::Candidate>(block_);
}

/// One search.
class ContainedMatching {
 public:
  ContainedMatching(const MatchSetting& run, Matches& matches)
      : run_(run),
        matches_(matches),
        order_(length_order(run.documents, run.groups, run.active, matches.assignments)),
        followers_(matches.assignments),
        comparer_(run.documents, run.groups, followers_, *run.options.contained, run.plan, run.num_threads,
                  run.context),
        pairs_(run, order_) {}

  Status run();

 private:
  Result<std::vector<cluster::Assignment>> find_stars();
  Status list_pairs();
  Status remove(std::span<const cluster::Assignment> stars);
  Status remove_followers(uint32_t group);

  const MatchSetting& run_;
  Matches& matches_;
  const LengthOrder order_;
  const Followers followers_;
  HeldComparer comparer_;
  PassagePairs pairs_;
  std::optional<VerifiedPairs> verified_;
};

Status ContainedMatching::run() {
  matches_.is_contained.assign(run_.groups.size(), false);
  NEARDUP_TRY(pairs_.find());
  comparer_.leave_out(pairs_.passages());
  if (run_.options.write_pairs) NEARDUP_TRY(list_pairs());
  NEARDUP_ASSIGN(const auto stars, find_stars());
  NEARDUP_TRY(remove(stars));
  // Where pairs are listed all candidates were compared; the comparer has counted those that may go.
  const uint64_t num_verified = verified_ ? pairs_.num_candidates() : comparer_.num_verified();
  matches_.contained = {pairs_.num_candidates(), num_verified, pairs_.passages().num_common_keys()};
  return {};
}

Result<std::vector<cluster::Assignment>> ContainedMatching::find_stars() {
  const cluster::ClusterOptions options{.num_threads = run_.num_threads,
                                        .num_references = order_.num_references,
                                        .context = run_.context,
                                        .stage = "contained"};
  const cluster::CandidateSource source = [this] { return verified_ ? verified_->next() : pairs_.next(); };
  const cluster::Verify verify = [this](uint32_t better, uint32_t worse) {
    return comparer_.compare_all(order_.groups[better], order_.groups[worse]);
  };
  return cluster::star_clusters(static_cast<uint32_t>(order_.groups.size()), source, verify, options);
}

// All pairs are compared, since all are reported; those that may go then once more, with their followers.
Status ContainedMatching::list_pairs() {
  const cluster::Verify verify = [this](uint32_t better, uint32_t worse) {
    return comparer_.compare(order_.groups[better], order_.groups[worse]);
  };
  NEARDUP_ASSIGN(verified_,
                 VerifiedPairs::collect([this] { return pairs_.next(); }, verify,
                                        run_.folder.scratch() + "/contained.bin", run_.num_threads, run_.context));
  return append_contained(run_.documents, run_.groups, *verified_, order_.groups, run_.pairs_path, run_.context);
}

Status ContainedMatching::remove(std::span<const cluster::Assignment> stars) {
  std::vector<uint32_t> with_followers;
  for (uint32_t rank = 0; rank < stars.size(); ++rank) {
    if (stars[rank].kept == rank) continue;
    const uint32_t group = order_.groups[rank];
    matches_.assignments[group] = {order_.groups[stars[rank].kept], stars[rank].similarity, cluster::kUnknownDistance};
    matches_.is_contained[group] = true;
    if (!followers_.of(group).empty()) with_followers.push_back(group);
  }
  NEARDUP_TRY(parallel_for(run_.num_threads, with_followers.size(),
                           [&](size_t i, int) { return remove_followers(with_followers[i]); }));
  for (const uint32_t group : with_followers)  // bits of one word must not be written by two threads
    for (const uint32_t follower : followers_.of(group)) matches_.is_contained[follower] = true;
  return {};
}

Status ContainedMatching::remove_followers(uint32_t group) {
  NEARDUP_TRY(run_.context.check_cancel());
  const uint32_t kept = matches_.assignments[group].kept;
  for (const uint32_t follower : followers_.of(group)) {
    NEARDUP_ASSIGN(const cluster::Likeness likeness, comparer_.compare(kept, follower));
    matches_.assignments[follower] = {kept, likeness.similarity, cluster::kUnknownDistance};
  }
  return {};
}

}  // namespace

Status remove_contained(const MatchSetting& setting, Matches& matches) {
  return ContainedMatching(setting, matches).run();
}

}  // namespace neardup::engine
