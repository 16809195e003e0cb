#include "neardup/engine/fingerprints/pairs_of_signatures.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "neardup/base/threads.h"
#include "neardup/engine/match/signatures.h"
#include "neardup/join/banding.h"
#include "neardup/recipe/spec.h"
#include "neardup/verify/sketch.h"

namespace neardup::engine {
namespace {

using fingerprint::SignatureValue;

/// The signatures of one file, or of two one after the other.
class SignatureRows {
 public:
  explicit SignatureRows(const SignaturePairs& job) : job_(job), documents_(job.left.signed_documents()) {
    num_left_ = documents_.size();
    if (job.right == nullptr) return;
    both_.assign(job.left.signatures().begin(), job.left.signatures().end());
    both_.insert(both_.end(), job.right->signatures().begin(), job.right->signatures().end());
    const std::vector<uint32_t> more = job.right->signed_documents();
    documents_.insert(documents_.end(), more.begin(), more.end());
  }

  [[nodiscard]] std::span<const SignatureValue> values() const {
    return job_.right == nullptr ? job_.left.signatures() : both_;
  }
  /// Returns whether the pair is asked for: within one file any, of two files one of each.
  [[nodiscard]] bool wanted(const join::Pair& pair) const {
    return job_.right == nullptr || (pair.a < num_left_ && pair.b >= num_left_);
  }
  [[nodiscard]] std::string_view id(uint64_t row) const { return file(row).id(documents_[row]); }
  [[nodiscard]] uint64_t num_tokens(uint64_t row) const { return file(row).num_tokens(documents_[row]); }
  [[nodiscard]] uint64_t memory_bytes() const {
    return both_.capacity() * sizeof(SignatureValue) + documents_.capacity() * sizeof(uint32_t);
  }

 private:
  [[nodiscard]] const FingerprintTable& file(uint64_t row) const { return row < num_left_ ? job_.left : *job_.right; }

  const SignaturePairs& job_;
  std::vector<uint32_t> documents_;  // of each row
  std::vector<SignatureValue> both_;
  uint64_t num_left_ = 0;
};

Result<recipe::MinHashSpec> spec_of(const FingerprintTable& file) {
  recipe::MinHashSpec spec;
  if (!file.recipe_json().empty()) {
    NEARDUP_ASSIGN(const recipe::Recipe recipe, recipe::recipe_from_json(file.recipe_json()));
    spec = recipe.minhash;
  }
  spec.num_values = static_cast<int>(file.num_values());
  if (spec.rows <= spec.num_values)  // of a text file, which has no recipe: short signatures make fewer bands
    spec.bands = std::min(spec.bands, join::most_bands(spec.num_values, spec.rows));
  return spec;
}

class SignatureJudge {
 public:
  SignatureJudge(const SignaturePairs& job, const SignatureRows& rows, const recipe::MinHashSpec& spec)
      : job_(job), rows_(rows), spec_(spec), by_thread_(static_cast<size_t>(resolve_num_threads(job.num_threads))) {}

  /// Keeps what is wanted and similar. Threads: any, `thread` tells them apart.
  Status take(std::span<const join::Pair> pairs, int thread) {
    std::vector<join::Pair>& list = by_thread_[static_cast<size_t>(thread)];
    const size_t before = list.size();
    for (const join::Pair& pair : pairs) {
      if (rows_.wanted(pair) && verdict(pair).verdict.similar) list.push_back(pair);
    }
    // Twice: all lists stand in memory beside the one that they are put into.
    const uint64_t most = job_.memory_bytes / 2 / sizeof(join::Pair) / 2;
    if ((num_pairs_ += list.size() - before) <= most) return {};
    return fail(
        Code::kMemory,
        fmt::format("more than {} pairs do not fit into --memory; raise it, or ask for more similar ones", most));
  }

  Status write(PairReceiver& receiver) {
    std::vector<join::Pair> all;
    all.reserve(num_pairs_);
    for (auto& list : by_thread_) all.insert(all.end(), list.begin(), list.end());
    std::sort(all.begin(), all.end());
    for (const join::Pair& pair : all) {
      const verify::SketchVerdict found = verdict(pair);
      NEARDUP_TRY(receiver.add(rows_.id(pair.a), rows_.id(pair.b), found.verdict.similarity, found.standard_error));
    }
    return receiver.finish();
  }

 private:
  [[nodiscard]] verify::SketchVerdict verdict(const join::Pair& pair) const {
    const auto num_values = static_cast<size_t>(spec_.num_values);
    return verify::judge_sketch(job_.rule,
                                {.num_equal = num_values - pair.distance,
                                 .num_values = num_values,
                                 .ngram = spec_.ngram,
                                 .smaller_tokens = std::min(rows_.num_tokens(pair.a), rows_.num_tokens(pair.b))});
  }

  const SignaturePairs& job_;
  const SignatureRows& rows_;
  const recipe::MinHashSpec& spec_;
  std::vector<std::vector<join::Pair>> by_thread_;
  std::atomic<uint64_t> num_pairs_ = 0;
};

}  // namespace

Result<verify::Rule> rule_of_signatures(const std::optional<verify::Rule>& given, const FingerprintTable& file) {
  NEARDUP_ASSIGN(const recipe::MinHashSpec spec, spec_of(file));
  constexpr verify::Rule kCode = {.kind = verify::Rule::Kind::kCode}, kOrigin = {.kind = verify::Rule::Kind::kOrigin};
  const bool is_code = signs_what_is_compared(kCode, spec);
  const verify::Rule rule = given.value_or(is_code ? kCode : kOrigin);
  if (rule.kind == verify::Rule::Kind::kContent)
    return fail(
        Code::kInvalidArgument,
        "--verify content weighs runs of words, which signatures do not hold: take --verify origin or jaccard:T, "
        "or neardup dedup");
  if (rule.kind == verify::Rule::Kind::kNone || (rule.kind == kCode.kind) == is_code) return rule;
  return fail(
      Code::kInvalidArgument,
      fmt::format("the signatures are {} of source code: --verify {} says nothing of them; take --verify {} or none",
                  is_code ? "those" : "not", verify::to_string(rule), is_code ? "code" : "origin, jaccard:T"));
}

Status find_signature_pairs(const SignaturePairs& job, PairReceiver& receiver) {
  const SignatureRows rows(job);
  if (rows.memory_bytes() > job.memory_bytes / 2)
    return fail(Code::kMemory, "the signatures of both files do not fit into --memory; raise it");
  NEARDUP_ASSIGN(const recipe::MinHashSpec spec, spec_of(job.left));
  NEARDUP_ASSIGN(auto bands, join::make_bands(spec.num_values, spec.bands, spec.rows));
  const auto num_values = static_cast<size_t>(spec.num_values);
  const join::BandingOptions options{
      .bands = std::move(bands),
      .min_equal = static_cast<int>(std::min(num_values, verify::least_equal(job.rule, num_values, spec.ngram))),
      .num_threads = job.num_threads,
      .memory_bytes = job.memory_bytes / 2 - rows.memory_bytes(),
      .context = job.context};
  SignatureJudge judge(job, rows, spec);
  NEARDUP_TRY(
      join::band_join(join::signatures_in_memory(rows.values(), spec.num_values), options,
                      [&](std::span<const join::Pair> pairs, int thread) { return judge.take(pairs, thread); }));
  return judge.write(receiver);
}

}  // namespace neardup::engine
