#include "neardup/engine/options.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/threads.h"
#include "neardup/fingerprint/value.h"

namespace neardup::engine {

std::string to_string(Mode mode) {
  switch (mode) {
    case Mode::kRemove:
      return "remove";
    case Mode::kAnnotate:
      return "annotate";
    case Mode::kIds:
      return "ids";
  }
  return {};
}

std::string to_string(ClusterKind kind) { return kind == ClusterKind::kStar ? "star" : "components"; }

Result<ClusterKind> cluster_kind_from_string(std::string_view word) {
  for (const ClusterKind kind : {ClusterKind::kStar, ClusterKind::kComponents})
    if (to_string(kind) == word) return kind;
  return fail(Code::kInvalidArgument, fmt::format("--cluster is star or components, not '{}'", word));
}

void settle_rule(DedupOptions& options) {
  const bool is_chosen = options.verify_is_given || options.verify != verify::Rule();
  if (options.recipe.tokenizer == "code" && !is_chosen) options.verify.kind = verify::Rule::Kind::kCode;
}

Status check_distance(const DedupOptions& options) {
  if (!options.distance || (*options.distance >= 0 && *options.distance <= fingerprint::kMaxDistance)) return {};
  return fail(Code::kInvalidArgument, fmt::format("distance {} is out of range; it goes from 0 to {}",
                                                  *options.distance, fingerprint::kMaxDistance));
}

Status check_rule(const verify::Rule& rule, const recipe::Recipe& recipe) {
  if (rule.kind == verify::Rule::Kind::kCode && recipe.tokenizer != "code")
    return fail(Code::kInvalidArgument,
                fmt::format("--verify code compares source code, and the recipe '{}' cuts its tokens otherwise; take "
                            "--recipe code",
                            recipe.name));
  if (rule.templates && recipe.tokenizer == "code")
    return fail(Code::kInvalidArgument,
                "--templates compares texts, and --recipe code source code; leave one of them out");
  if (rule.kind == verify::Rule::Kind::kContent && recipe.tokenizer == "code")
    return fail(
        Code::kInvalidArgument,
        fmt::format("--verify content looks at the numbers of texts, and the tokens of recipe '{}' are marked for "
                    "source code; take --verify code, or another recipe",
                    recipe.name));
  if (!rule.templates) return {};
  if (rule.kind != verify::Rule::Kind::kOrigin)
    return fail(
        Code::kInvalidArgument,
        fmt::format("--templates goes with --verify origin, found --verify {}; add --verify origin, or leave it out",
                    verify::to_string(rule)));
  if (std::ranges::find(recipe.mask, "numbers") != recipe.mask.end())
    return fail(Code::kInvalidArgument,
                "--templates compares the numbers of texts, and mask=numbers takes them out; leave one of them out");
  return {};
}

Status check_commonness(const DedupOptions& options) {
  if (options.commonness_file.empty() || options.verify.kind == verify::Rule::Kind::kContent) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("--commonness goes with --verify content, found --verify {}; leave one of them out",
                          verify::to_string(options.verify)));
}

Status check_contained(const DedupOptions& options) {
  if (!options.contained) return {};
  if (!(*options.contained >= 0.5 && *options.contained <= 1))
    return fail(
        Code::kInvalidArgument,
        fmt::format("--contained {} is out of range; it is a share of a text, from 0.5 to 1", *options.contained));
  if (options.size_within)
    return fail(Code::kInvalidArgument,
                "--contained finds short texts in long ones, which --size-within keeps apart; leave one of them out");
  if (options.recipe.tokenizer == "chars")
    return fail(
        Code::kInvalidArgument,
        fmt::format("--contained looks for runs of 8 tokens, and those of the recipe '{}' are single letters: a "
                    "long text has most runs of 8 letters that any other has; take a recipe of words",
                    options.recipe.name));
  return {};
}

int num_batch_threads(const DedupOptions& options, MemoryUse use, uint64_t longest_record, uint64_t num_documents) {
  // A batch on its way: its bytes, unescaped texts, tokens and what is written of it.
  const uint64_t batch_bytes = 4 * std::max<uint64_t>({options.read.batch_bytes, 1 << 16, longest_record});
  const uint64_t fitting = memory_plan(options, num_documents).bytes_of(use) / batch_bytes;
  return static_cast<int>(std::clamp<uint64_t>(fitting < 3 ? 1 : fitting - 2, 1,
                                               static_cast<uint64_t>(resolve_num_threads(options.num_threads))));
}

MemoryPlan memory_plan(const DedupOptions& options, uint64_t num_documents) {
  const verify::Commonness* common = options.verify.common;
  return MemoryPlan({.memory_bytes = options.memory_bytes,
                     .has_dictionary = options.recipe.needs_idf(),
                     .num_documents = num_documents,
                     .commonness_bytes = common == nullptr ? 0 : common->size_bytes()});
}

}  // namespace neardup::engine
