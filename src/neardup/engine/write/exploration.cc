#include "neardup/engine/write/exploration.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "neardup/engine/write/explain_command.h"
#include "neardup/report/figures.h"

namespace neardup::engine {
namespace {

constexpr uint32_t kNowhere = 0xFFFFFFFF;
constexpr uint64_t kBytesOfDocument =
    1024;  // at most, in what is explored and in the page, with an id of common length

class Explorer {
 public:
  Explorer(const Documents& documents, const ExactGroups& groups, const Outcome& outcome, const Clusters& clusters)
      : documents_(documents), groups_(groups), outcome_(outcome), clusters_(clusters) {}

  report::Exploration run(size_t most_documents, const ShownDocuments& shown, std::span<const report::Tally> sources,
                          bool are_components);

 private:
  void choose_all_tied();
  void choose_removed(uint32_t cluster);
  void choose_largest(size_t most_documents);
  void leave_out(uint32_t cluster);
  void put_in_order();
  [[nodiscard]] bool is_same_text(uint32_t document) const;
  void add_documents(std::span<const report::Tally> sources, const ShownDocuments& shown);
  void add_pair(uint32_t a, uint32_t b, float similarity, uint32_t distance);
  void add_all_pairs();
  void add_deciding_pairs();

  const Documents& documents_;
  const ExactGroups& groups_;
  const Outcome& outcome_;
  const Clusters& clusters_;
  std::vector<uint32_t> chosen_;                  // documents
  std::unordered_map<uint32_t, uint32_t> place_;  // document -> index in chosen_
  report::Exploration result_;
};

// Also those that are kept, but would be kept for others at a higher threshold.
void Explorer::choose_all_tied() {
  for (uint32_t cluster = 0; cluster < clusters_.size(); ++cluster) {
    chosen_.push_back(clusters_.kept(cluster));
    choose_removed(cluster);
  }
  for (const SimilarGroups& pair : outcome_.pairs)
    for (const uint32_t document : {groups_.best[pair.better], groups_.best[pair.worse]})
      if (outcome_.fates[document].fate != Fate::kContained) chosen_.push_back(document);
  std::ranges::sort(chosen_);
  chosen_.erase(std::unique(chosen_.begin(), chosen_.end()), chosen_.end());
}

void Explorer::choose_largest(size_t most_documents) {
  std::vector<uint32_t> order(clusters_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(
      order, [&](uint32_t a, uint32_t b) { return clusters_.removed(a).size() > clusters_.removed(b).size(); });
  for (const uint32_t cluster : order) {
    const auto removed = clusters_.removed(cluster);
    if (chosen_.size() + removed.size() + 1 > most_documents) {
      leave_out(cluster);
      continue;
    }
    chosen_.push_back(clusters_.kept(cluster));
    choose_removed(cluster);
  }
}

// A higher threshold brings no contained document back.
void Explorer::choose_removed(uint32_t cluster) {
  for (const uint32_t document : clusters_.removed(cluster))
    if (outcome_.fates[document].fate != Fate::kContained) chosen_.push_back(document);
}

void Explorer::leave_out(uint32_t cluster) {
  report::LeftOut& left_out = result_.left_out;
  ++left_out.clusters;
  left_out.largest = std::max<uint64_t>(left_out.largest, clusters_.removed(cluster).size() + 1);
  if (clusters_.kept(cluster) >= documents_.num_references()) ++left_out.kept;
  for (const uint32_t document : clusters_.removed(cluster)) {
    const DocumentFate& fate = outcome_.fates[document];
    if (fate.fate == Fate::kExact) ++left_out.exact;
    if (fate.fate == Fate::kNear) left_out.count_near(fate.similarity);
  }
}

// Groups are numbered by the rank of their best document, which comes first of its group.
void Explorer::put_in_order() {
  std::ranges::sort(chosen_, {}, [&](uint32_t document) {
    const uint32_t group = groups_.group_of[document];
    return std::tuple(group, document != groups_.best[group], document);
  });
  for (uint32_t i = 0; i < chosen_.size(); ++i) place_.emplace(chosen_[i], i);
}

// Whether it goes with the best document of its text, whatever the threshold: what was put into a store by an earlier
// run stays there, though equal.
bool Explorer::is_same_text(uint32_t document) const {
  const uint32_t best = groups_.best[groups_.group_of[document]];
  if (best == document || !place_.contains(best)) return false;
  const DocumentFate& fate = outcome_.fates[document];
  return fate.fate == Fate::kExact || (fate.fate == Fate::kNear && outcome_.fates[best].fate == Fate::kNear);
}

void Explorer::add_documents(std::span<const report::Tally> sources, const ShownDocuments& shown) {
  std::unordered_map<std::string, uint32_t> source_of_name;
  for (uint32_t i = 0; i < sources.size(); ++i) source_of_name.emplace(sources[i].name, i);
  std::vector<uint32_t> source_of_input(documents_.num_inputs());
  for (uint32_t i = 0; i < source_of_input.size(); ++i) {
    const auto found = source_of_name.find(source_name(documents_.input(i)));
    source_of_input[i] = found == source_of_name.end() ? report::kNoSource : found->second;
  }
  std::unordered_map<uint32_t, uint32_t> example_of;
  for (uint32_t i = 0; i < shown.removed.size(); ++i) example_of.emplace(shown.removed[i], i + 1);
  for (uint32_t i = 0; i < chosen_.size(); ++i) {
    const uint32_t document = chosen_[i];
    const Row& row = documents_.row(document);
    const auto example = example_of.find(document);
    result_.documents.push_back(
        {.id = documents_.id(document),
         .source = document < documents_.num_references() ? report::kNoSource : source_of_input[row.input],
         .text_bytes = row.text_bytes,
         .same_as = is_same_text(document) ? place_.at(groups_.best[groups_.group_of[document]]) : i,
         .example = example == example_of.end() ? 0 : example->second});
  }
}

void Explorer::add_pair(uint32_t a, uint32_t b, float similarity, uint32_t distance) {
  const uint32_t better = place_.at(a), worse = place_.at(b);
  if (better >= worse) return;  // never, but for what a store had before
  result_.pairs.push_back(
      {better, worse, similarity, static_cast<uint16_t>(std::min(distance, cluster::kUnknownDistance))});
}

void Explorer::add_all_pairs() {
  result_.has_all_pairs = true;
  for (const SimilarGroups& pair : outcome_.pairs) {
    const uint32_t a = groups_.best[pair.better], b = groups_.best[pair.worse];
    if (!place_.contains(a) || !place_.contains(b)) continue;  // of a contained document
    if (b >= documents_.num_references()) add_pair(a, b, pair.similarity, pair.distance);
  }
}

void Explorer::add_deciding_pairs() {
  for (uint32_t i = 0; i < chosen_.size(); ++i) {
    const DocumentFate& fate = outcome_.fates[chosen_[i]];
    if (fate.fate == Fate::kNear && result_.documents[i].same_as == i)
      add_pair(fate.kept, chosen_[i], fate.similarity, fate.distance);
  }
}

report::Exploration Explorer::run(size_t most_documents, const ShownDocuments& shown,
                                  std::span<const report::Tally> sources, bool are_components) {
  result_.are_components = are_components;
  if (!outcome_.pairs.empty()) choose_all_tied();
  const bool takes_all_pairs = !outcome_.pairs.empty() && chosen_.size() <= most_documents;
  if (!takes_all_pairs) {
    chosen_.clear();
    choose_largest(most_documents);
  }
  put_in_order();
  add_documents(sources, shown);
  takes_all_pairs ? add_all_pairs() : add_deciding_pairs();
  std::ranges::sort(result_.pairs, {},
                    [](const report::ExploredPair& pair) { return std::pair(pair.worse, pair.better); });
  return std::move(result_);
}

}  // namespace

report::Exploration explore(const Documents& documents, const ExactGroups& groups, const Outcome& outcome,
                            const Clusters& clusters, const ShownDocuments& shown,
                            std::span<const report::Tally> sources, const DedupOptions& options) {
  const size_t most_documents =
      std::min<uint64_t>(report::ExplorationLimits().documents, options.memory_bytes / 4 / kBytesOfDocument);
  report::Exploration result = Explorer(documents, groups, outcome, clusters)
                                   .run(most_documents, shown, sources, options.cluster == ClusterKind::kComponents);
  result.has_too_many_pairs = options.write_pairs && !result.has_all_pairs && !result.pairs.empty();
  result.explain = explain_beginning(outcome, options);
  return result;
}

}  // namespace neardup::engine
