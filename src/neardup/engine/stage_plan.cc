#include "neardup/engine/stage_plan.h"

namespace neardup::engine {
namespace {

void add_matching(const DedupOptions& options, std::vector<StageShare>& stages) {
  if (options.recipe.family == recipe::Family::kSimHash) {
    stages.insert(stages.end(), {{"join", 0.4}, {"cluster", 0.6}});
  } else if (options.cluster == ClusterKind::kComponents || options.write_pairs) {
    stages.insert(stages.end(), {{"join", 1.2}, {"cluster", 0.3}});
  } else {
    stages.push_back({"cluster", 1.5});
  }
  if (options.cluster == ClusterKind::kComponents) stages.push_back({"similarity", 0.2});
}

}  // namespace

std::vector<StageShare> stage_plan(const DedupOptions& options, double read_share) {
  std::vector<StageShare> stages;
  if (options.recipe.learns_idf()) stages.push_back({"count", 0.6 * read_share});
  if (!options.merge_shards) stages.push_back({"read", read_share});
  if (options.shard_index) return stages;
  if (options.verify.kind == verify::Rule::Kind::kContent && options.commonness_file.empty())
    stages.push_back({"common", 0.05});
  add_matching(options, stages);
  if (options.contained) stages.insert(stages.end(), {{"passages", 0.15}, {"contained", 0.15}});
  stages.push_back({"write", 0.25});
  return stages;
}

}  // namespace neardup::engine
