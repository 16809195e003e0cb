#include "neardup/report/shortened.h"

#include <algorithm>
#include <utility>

namespace neardup::report {
namespace {

// Which of `count` examples stay, and under which number (from 1); 0: it does not.
std::vector<uint32_t> new_numbers(size_t count, size_t limit) {
  std::vector<uint32_t> numbers(count, 0);
  const size_t kept = std::min(count, limit);
  for (size_t i = 0; i < kept; ++i) numbers[i * count / kept] = static_cast<uint32_t>(i + 1);
  return numbers;
}

}  // namespace

Report shortened(Report report, const ShortLimits& limits) {
  const std::vector<uint32_t> numbers = new_numbers(report.examples.size(), limits.examples);
  std::vector<PairExample> examples;
  for (size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != 0) examples.push_back(std::move(report.examples[i]));
  report.examples = std::move(examples);
  report.largest_clusters.resize(std::min(report.largest_clusters.size(), limits.clusters));
  report.exploration = within_limits(report.exploration, limits.exploration);
  for (ExploredDocument& document : report.exploration.documents)
    document.example = document.example == 0 || document.example > numbers.size() ? 0 : numbers[document.example - 1];
  return report;
}

void for_each_id(Report& report, const std::function<void(std::string& id)>& visit) {
  for (ClusterExample& cluster : report.largest_clusters) {
    visit(cluster.kept_id);
    for (std::string& id : cluster.member_ids) visit(id);
  }
  for (PairExample& example : report.examples) {
    visit(example.kept_id);
    visit(example.removed_id);
  }
  for (ExploredDocument& document : report.exploration.documents) visit(document.id);
  for (std::string& id : report.duplicate_id_examples) visit(id);
}

}  // namespace neardup::report
