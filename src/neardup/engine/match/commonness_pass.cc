// How common each n-gram is must not be raised by what is to be found: copies of one text count once, and so do the
// first of a family, that is of texts that are alike by their signatures (docs/design/content.md, "Families"). Counting
// ends before the first pair is compared and knows no order, so verdicts are the same for any threads and shards.
#include "neardup/engine/match/commonness_pass.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

#include "neardup/base/threads.h"
#include "neardup/engine/match/families.h"
#include "neardup/engine/match/long_pairs.h"
#include "neardup/engine/match/signatures.h"
#include "neardup/engine/memory_plan.h"
#include "neardup/verify/commonness_counter.h"
#include "neardup/verify/distinct_ngrams.h"

namespace neardup::engine {
namespace {

constexpr size_t kGroupsAtOnce = 256;  // groups that a thread takes at a time

Hash128 text_of(const Row& row) { return fold_within(row.checksum, row.within); }

// One group of each text, ascending: --within makes several of the copies of one text.
std::vector<uint32_t> groups_of_texts(const Documents& documents, const ExactGroups& groups) {
  const auto row = [&](uint32_t group) -> const Row& { return documents.row(groups.best[group]); };
  std::vector<uint32_t> chosen(groups.size());
  std::iota(chosen.begin(), chosen.end(), 0U);
  if (std::ranges::all_of(chosen, [&](uint32_t group) { return row(group).within == row(0).within; })) return chosen;
  std::ranges::sort(chosen, {}, [&](uint32_t group) { return std::pair(text_of(row(group)), group); });
  const auto are_copies = [&](uint32_t g, uint32_t h) { return text_of(row(g)) == text_of(row(h)); };
  chosen.erase(std::unique(chosen.begin(), chosen.end(), are_copies), chosen.end());
  std::ranges::sort(chosen);
  return chosen;
}

// Of `chosen` those that count beside their family, and those that have no signature.
Result<std::vector<uint32_t>> counted_groups(const Documents& documents, const ExactGroups& groups,
                                             const std::vector<uint32_t>& chosen, int num_values,
                                             const FamilyMeans& means, const Context& context) {
  std::vector<uint32_t> result, with_signature;
  for (const uint32_t group : chosen) {
    const bool has_signature = (documents.row(groups.best[group]).flags & kHasFeatures) != 0;
    (has_signature ? with_signature : result).push_back(group);
  }
  NEARDUP_ASSIGN(const std::vector<uint32_t> counted,
                 counted_rows(signatures_of(documents, groups, with_signature, num_values), means, context));
  for (const uint32_t row : counted) result.push_back(with_signature[row]);
  std::ranges::sort(result);
  return result;
}

uint64_t count_tokens(const Documents& documents, const ExactGroups& groups, const std::vector<uint32_t>& chosen) {
  uint64_t num_tokens = 0;
  for (const uint32_t group : chosen) num_tokens += documents.row(groups.best[group]).num_tokens;
  return num_tokens;
}

// The stage "common" over `num_texts` texts: in its first half families are told, if they are, then those that count
// are counted.
class CommonStage {
 public:
  CommonStage(Progress* progress, uint64_t num_texts, bool tells_families)
      : progress_(progress), families_(*this), num_texts_(num_texts), num_parts_(tells_families ? 2 : 1) {
    if (progress_ != nullptr) progress_->begin_stage("common", "documents", 0, num_texts);
  }
  ~CommonStage() {
    if (progress_ != nullptr) progress_->end_stage();
  }
  CommonStage(const CommonStage&) = delete;
  CommonStage& operator=(const CommonStage&) = delete;

  // For those who tell families: their stage is the first part of this one.
  [[nodiscard]] Progress* families() { return progress_ == nullptr ? nullptr : &families_; }
  // Threads: any.
  void count(uint64_t texts) {
    const std::scoped_lock lock(mutex_);
    counted_ += texts;
    if (progress_ != nullptr) progress_->advance(0, ((num_parts_ - 1) * num_texts_ + counted_) / num_parts_);
  }

 private:
  class Families final : public Progress {
   public:
    explicit Families(CommonStage& stage) : stage_(stage) {}
    void begin_stage(std::string_view, std::string_view, uint64_t, uint64_t) override {}
    void advance(uint64_t, uint64_t done_items) override { stage_.progress_->advance(0, done_items / 2); }
    void end_stage() override {}
    void warn(std::string_view message) override { stage_.progress_->warn(message); }

   private:
    CommonStage& stage_;
  };

  Progress* progress_;
  Families families_;
  uint64_t num_texts_, num_parts_;
  std::mutex mutex_;
  uint64_t counted_ = 0;
};

}  // namespace

Result<std::shared_ptr<const verify::Commonness>> learn_commonness(const Documents& documents,
                                                                   const ExactGroups& groups,
                                                                   const recipe::Recipe& recipe, uint64_t memory_bytes,
                                                                   int num_threads, const std::string& scratch_folder,
                                                                   const Context& context) {
  const MemoryPlan plan({.memory_bytes = memory_bytes, .num_documents = documents.size()});
  // Each thread that counts holds up to a megabyte besides.
  num_threads = static_cast<int>(std::clamp<uint64_t>(memory_bytes >> 24, 1, static_cast<uint64_t>(num_threads)));
  std::vector<uint32_t> chosen = groups_of_texts(documents, groups);
  CommonStage stage(context.progress, chosen.size(), tells_families(recipe));
  if (tells_families(recipe)) {
    const Context within{stage.families(), context.cancel};
    NEARDUP_ASSIGN(chosen, counted_groups(documents, groups, chosen, recipe.minhash.num_values,
                                          {plan.bytes_of(MemoryUse::kFamilies), num_threads, scratch_folder}, within));
  }
  const auto table = std::make_shared<verify::Commonness>(count_tokens(documents, groups, chosen),
                                                          plan.bytes_of(MemoryUse::kCommonness));
  const verify::TokenSource source = tokens_of(documents, groups);
  LongPairs long_texts(documents, groups, verify::comparing_bytes_per_token({}),
                       plan.bytes_of(MemoryUse::kCountedTexts), num_threads);
  verify::CommonnessCounter counter(*table, num_threads);
  std::vector<verify::DistinctNgrams> ngrams(static_cast<size_t>(num_threads));
  NEARDUP_TRY(parallel_for(num_threads, chosen.size() / kGroupsAtOnce + 1, [&](size_t chunk, int thread) -> Status {
    NEARDUP_TRY(context.check_cancel());
    std::vector<uint32_t> tokens;
    const size_t end = std::min(chosen.size(), (chunk + 1) * kGroupsAtOnce);
    for (size_t i = chunk * kGroupsAtOnce; i < end; ++i) {
      const uint32_t group = chosen[i];
      const MemoryBudget::Permit permit = long_texts.permit_for(group, group);
      NEARDUP_TRY(source(group, tokens));
      counter.add(ngrams[static_cast<size_t>(thread)].of(tokens), thread);
    }
    stage.count(end - std::min(end, chunk * kGroupsAtOnce));
    return {};
  }));
  NEARDUP_TRY(counter.finish());
  table->settle();
  return table;
}

}  // namespace neardup::engine
