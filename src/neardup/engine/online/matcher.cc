#include "neardup/engine/online/matcher.h"

#include <fmt/format.h>

#include <utility>

#include "neardup/engine/match/auto_distance.h"
#include "neardup/engine/match/families.h"
#include "neardup/engine/match/given_commonness.h"
#include "neardup/engine/match/signatures.h"
#include "neardup/engine/read/family.h"
#include "neardup/engine/read/idf_pass.h"

namespace neardup::engine {
namespace {

constexpr uint64_t kExpectedDocuments = 1'000'000;

Status check_online(const DedupOptions& options) {
  if (options.recipe.learns_idf() && options.idf_file.empty())
    return fail(Code::kInvalidArgument,
                fmt::format("the recipe '{}' learns the weights of words from all documents, which are not there yet; "
                            "give an IDF file (neardup idf makes one), or take the recipe grams, which learns nothing",
                            options.recipe.name));
  if (options.verify.kind == verify::Rule::Kind::kCode)
    return fail(Code::kUnsupported,
                "the rule code learns what the files of a corpus have in common, so it is for whole corpora: take "
                "dedup, or --verify jaccard:T");
  return {};
}

}  // namespace

Result<Matcher> make_matcher(DedupOptions options) {
  settle_rule(options);
  NEARDUP_TRY(check_rule(options.verify, options.recipe));
  NEARDUP_TRY(check_commonness(options));
  if (options.checksum == fingerprint::Checksum::kMd5) options.recipe.checksum = "md5";
  NEARDUP_TRY(choose_family(options));
  NEARDUP_TRY(check_online(options));
  NEARDUP_ASSIGN(auto idf,
                 provide_idf(options.recipe, options.idf_file, {}, options.read, {1, options.memory_bytes}, {}));
  std::shared_ptr<const verify::Commonness> common;
  if (!options.commonness_file.empty()) {
    NEARDUP_ASSIGN(common, given_commonness(options.commonness_file, options.memory_bytes / 4));
  }
  options.verify.common = common.get();
  const bool bounds_buckets = weighs_by_rarity(options), learns = bounds_buckets && options.commonness_file.empty();
  const PairBounds bounds{.max_distance = options.distance.value_or(auto_distance(kExpectedDocuments)),
                          .contained = options.contained};
  NEARDUP_ASSIGN(Decision decision, Decision::create(options.recipe, options.verify, bounds));
  return Matcher{std::move(options.recipe), std::move(idf), std::move(common),
                 std::move(decision),       learns,         bounds_buckets};
}

uint32_t Matcher::most_sharing(const PairSide& side) const {
  if (!bounds_buckets) return 0;
  return side.short_text.empty() ? kMostMembers : kMostShortMembers;
}

}  // namespace neardup::engine
