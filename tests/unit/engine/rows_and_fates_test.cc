// What is made of rows and fates: groups of equal texts, clusters, what a report shows, the lists; against plain maps.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "neardup/cluster/candidate.h"
#include "neardup/engine/match/ranking.h"
#include "neardup/engine/match/shown_pair.h"
#include "neardup/engine/run/row_fates.h"
#include "neardup/engine/write/bar.h"
#include "neardup/engine/write/lists.h"
#include "neardup/engine/write/summary.h"
#include "neardup/verify/content_rule.h"
#include "tests/unit/engine/made_documents.h"

namespace neardup::engine {
namespace {

class Ranked : public MadeDocuments {};

// Some references and inputs of few texts and few keys, so that all ties occur.
std::vector<MadeDocument> made_up_documents(std::mt19937_64& random) {
  std::vector<MadeDocument> made;
  for (size_t i = random() % 8; i > 0; --i)
    made.push_back({.text = random() % 12, .keep_key = 0, .flags = kHasFeatures | kIsReference});
  for (size_t i = random() % 40; i > 0; --i)
    made.push_back({.text = random() % 12,
                    .keep_key = static_cast<double>(random() % 3),
                    .flags = random() % 4 == 0 ? 0 : kHasFeatures});
  return made;
}

TEST_F(Ranked, GroupsAreThoseOfAMapByTextInOrderOfPreference) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 25; ++round) {
    const std::vector<MadeDocument> made = made_up_documents(random);
    std::vector<uint32_t> order(made.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) {
      const bool is_a = (made[a].flags & kIsReference) != 0, is_b = (made[b].flags & kIsReference) != 0;
      return is_a != is_b ? is_a : !is_a && made[a].keep_key < made[b].keep_key;
    });
    std::map<uint64_t, uint32_t> group_of_text;
    std::vector<uint32_t> best;
    for (const uint32_t document : order)
      if (group_of_text.try_emplace(made[document].text, best.size()).second) best.push_back(document);
    const Documents documents = documents_of(made);
    const ExactGroups groups = group_exact(documents);
    EXPECT_EQ(groups.best, best);
    uint32_t reference_groups = 0;
    for (const uint32_t document : best) reference_groups += (made[document].flags & kIsReference) != 0;
    EXPECT_EQ(groups.num_reference_groups, reference_groups);
    for (uint32_t i = 0; i < made.size(); ++i) EXPECT_EQ(groups.group_of[i], group_of_text[made[i].text]);
    std::vector<uint32_t> featured;
    for (uint32_t group = 0; group < best.size(); ++group)
      if ((made[best[group]].flags & kHasFeatures) != 0) featured.push_back(group);
    EXPECT_EQ(groups_with_features(documents, groups), featured);
    std::filesystem::remove_all(WorkFolder(folder_).root());
  }
}

TEST_F(Ranked, OfNoDocumentsThereAreNoGroups) {
  const Documents documents = documents_of({});
  EXPECT_EQ(group_exact(documents).size(), 0U);
}

TEST_F(Ranked, AnIdIsItsOwnOrItsPlace) {
  const Documents documents = documents_of({{.flags = kHasFeatures | kIsReference}, {.id = "a"}, {}, {.id = "b"}});
  EXPECT_EQ(documents.id(0), "ref.jsonl:1");
  EXPECT_EQ(documents.id(1), "a");
  EXPECT_EQ(documents.id(2), "in.jsonl:2");
  EXPECT_EQ(documents.id(3), "b");
  EXPECT_EQ(documents.num_references(), 1U);
  EXPECT_EQ(documents.batch_of(0), 0U);
  EXPECT_EQ(documents.batch_of(3), 1U);
}

TEST_F(Ranked, TextsThatAreNotShortAnyMoreAreNone) {
  Documents documents = documents_of({{.short_size = 7}, {}});
  EXPECT_EQ(documents.short_size(0), 7U);
  EXPECT_EQ(documents.short_size(1), 0U);
  documents.ignore_short_texts();
  EXPECT_EQ(documents.short_size(0), 0U);
}

// Documents with one of the last kept ones before them, exact or near.
Outcome made_up_outcome(std::mt19937_64& random, uint32_t count) {
  Outcome outcome;
  std::vector<uint32_t> kept;
  for (uint32_t i = 0; i < count; ++i) {
    DocumentFate fate{.kept = i};
    if (kept.empty() || random() % 3 == 0) {
      kept.push_back(i);
    } else {
      fate.kept = kept[random() % kept.size()];
      fate.fate = random() % 4 == 0 ? Fate::kExact : Fate::kNear;
      if (fate.fate == Fate::kNear) {
        fate.similarity = 0.45F + static_cast<float>(random() % 5500) / 10'000;
        fate.distance = static_cast<uint16_t>(random() % 128);
      }
    }
    outcome.fates.push_back(fate);
  }
  return outcome;
}

TEST(ClustersOfFates, AreAMapFromKeptToRemoved) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 100; ++round) {
    const Outcome outcome = made_up_outcome(random, static_cast<uint32_t>(random() % 60));
    std::map<uint32_t, std::vector<uint32_t>> expected;
    for (uint32_t i = 0; i < outcome.fates.size(); ++i)
      if (outcome.fates[i].kept != i) expected[outcome.fates[i].kept].push_back(i);
    const Clusters clusters(outcome.fates);
    ASSERT_EQ(clusters.size(), expected.size());
    uint32_t number = 0;
    for (const auto& [kept, removed] : expected) {
      EXPECT_EQ(clusters.kept(number), kept);
      EXPECT_EQ(clusters.find(kept), number);
      EXPECT_TRUE(std::ranges::equal(clusters.removed(number), removed));
      ++number;
    }
    for (uint32_t i = 0; i < outcome.fates.size(); ++i)
      EXPECT_EQ(clusters.find(i) == kNoCluster, !expected.contains(i));
  }
}

TEST(ShownOfAReport, ClustersAreTheLargestAndExamplesTheLeastSimilarFirst) {
  std::mt19937_64 random(3);
  const Outcome outcome = made_up_outcome(random, 3000);
  const Clusters clusters(outcome.fates);
  const ShownDocuments shown = choose_shown(outcome, clusters, verify::Rule());
  EXPECT_EQ(shown.clusters.size(), 20U);
  size_t smallest = ~size_t{0};
  for (const uint32_t cluster : shown.clusters) {
    EXPECT_LE(clusters.removed(cluster).size(), smallest) << "largest first";
    smallest = clusters.removed(cluster).size();
  }
  for (uint32_t cluster = 0; cluster < clusters.size(); ++cluster)
    EXPECT_TRUE(clusters.removed(cluster).size() <= smallest ||
                std::ranges::find(shown.clusters, cluster) != shown.clusters.end());
  float before = 0;
  std::map<int, int> of_band;
  size_t exact = 0;
  for (const uint32_t document : shown.removed) {
    const DocumentFate& fate = outcome.fates[document];
    exact += fate.fate == Fate::kExact;
    if (fate.fate != Fate::kNear) continue;
    EXPECT_GE(fate.similarity, before);
    before = fate.similarity;
    ++of_band[static_cast<int>((fate.similarity - verify::kContentThreshold) / kBandWidth)];
  }
  EXPECT_EQ(exact, 1U);
  EXPECT_GE(of_band.size(), 5U);
  for (const auto& [band, count] : of_band) EXPECT_EQ(count, 50) << band;
  EXPECT_EQ(shown.removed, choose_shown(outcome, clusters, verify::Rule()).removed) << "the same in each run";
  const std::vector<uint32_t> all = shown.documents(outcome, clusters);
  const std::set<uint32_t> distinct(all.begin(), all.end());
  EXPECT_EQ(distinct.size(), all.size());
  EXPECT_TRUE(std::ranges::is_sorted(all));
  for (const uint32_t document : shown.removed) {
    EXPECT_TRUE(distinct.contains(document));
    EXPECT_TRUE(distinct.contains(outcome.fates[document].kept));
  }
}

TEST(ShownOfAReport, OfNothingIsNothing) {
  const Outcome outcome;
  const ShownDocuments shown = choose_shown(outcome, Clusters(outcome.fates), verify::Rule());
  EXPECT_TRUE(shown.clusters.empty());
  EXPECT_TRUE(shown.removed.empty());
}

TEST_F(Ranked, ListsSayOfEachRemovedDocumentWhatItsFateIs) {
  std::mt19937_64 random(4);
  std::vector<MadeDocument> made;
  for (int i = 0; i < 80; ++i)
    made.push_back({.id = i % 5 == 0 ? "" : "id \"" + std::to_string(i) + "\"\n", .short_size = i % 3 == 0 ? 4U : 0U});
  const Documents documents = documents_of(made);
  Outcome outcome = made_up_outcome(random, 80);
  outcome.fates[79].kept = 0, outcome.fates[79].fate = Fate::kNear;
  outcome.fates[79].distance = cluster::kUnknownDistance;
  const Clusters clusters(outcome.fates);
  const auto num_lines = write_duplicates(documents, outcome, clusters, path_of("d"), {});
  ASSERT_TRUE(num_lines);
  std::istringstream lines(*read_file(path_of("d")));
  std::string line;
  uint64_t seen = 0;
  for (uint32_t i = 0; i < 80; ++i) {
    const DocumentFate& fate = outcome.fates[i];
    if (fate.kept == i) continue;
    ASSERT_TRUE(std::getline(lines, line));
    ++seen;
    const nlohmann::json object = nlohmann::json::parse(line);
    EXPECT_EQ(object["id"], documents.id(i));
    EXPECT_EQ(object["duplicate_of"], documents.id(fate.kept));
    EXPECT_EQ(object["cluster"], clusters.find(fate.kept));
    EXPECT_EQ(object["kind"], fate.fate == Fate::kExact ? "exact" : "near");
    EXPECT_EQ(object["distance"].is_null(), fate.distance == cluster::kUnknownDistance);
    EXPECT_NEAR(object["similarity"], fate.similarity, 0.00005001);
    EXPECT_EQ(object.contains("route"),
              fate.fate == Fate::kNear && made[i].short_size > 0 && made[fate.kept].short_size > 0);
  }
  EXPECT_EQ(*num_lines, seen);
  EXPECT_FALSE(std::getline(lines, line));
  ASSERT_TRUE(write_clusters(documents, clusters, path_of("c"), {}));
  std::istringstream cluster_lines(*read_file(path_of("c")));
  for (uint32_t cluster = 0; cluster < clusters.size(); ++cluster) {
    ASSERT_TRUE(std::getline(cluster_lines, line));
    const nlohmann::json object = nlohmann::json::parse(line);
    EXPECT_EQ(object["kept"], documents.id(clusters.kept(cluster)));
    EXPECT_EQ(object["members"][0], object["kept"]);
    EXPECT_EQ(object["members"].size(), clusters.removed(cluster).size() + 1);
  }
}

TEST_F(Ranked, AStoppedListDoesNotAppear) {
  const Documents documents = documents_of({{.id = "a"}, {.id = "b"}});
  Outcome outcome;
  outcome.fates = {{.kept = 0}, {.kept = 0, .fate = Fate::kExact}};
  const std::atomic<bool> cancel = true;
  const Context context{.cancel = &cancel};
  const auto written = write_duplicates(documents, outcome, Clusters(outcome.fates), path_of("d"), context);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Code::kCancelled);
  EXPECT_FALSE(std::filesystem::exists(path_of("d")));
}

TEST_F(Ranked, JustAboveIsWithinSixHundredthsOfTheBar) {
  const Documents documents = documents_of({{.id = "a"}, {.id = "b"}, {.short_size = 3}, {.short_size = 3}});
  const verify::Rule rule = *verify::rule_from_string("jaccard:0.7");
  Outcome outcome;
  outcome.fates = {{.kept = 0}, {.kept = 0, .fate = Fate::kNear}, {.kept = 2}, {.kept = 2, .fate = Fate::kNear}};
  const auto is_just = [&](float similarity, uint32_t document = 1) {
    outcome.fates[document].similarity = similarity;
    return is_just_above(documents, outcome, rule, document);
  };
  EXPECT_TRUE(is_just(0.7F));
  EXPECT_TRUE(is_just(0.759F));
  EXPECT_FALSE(is_just(0.761F));
  EXPECT_FALSE(is_just(0.69F));
  EXPECT_FALSE(is_just(0.71F, 3)) << "short texts never are";
  EXPECT_FALSE(is_just_above(documents, outcome, rule, 0)) << "nor kept ones";
  EXPECT_FALSE(is_just_above(documents, outcome, *verify::rule_from_string("none"), 1));
  EXPECT_FALSE(is_just_above(documents, outcome, *verify::rule_from_string("jaccard:0.95"), 1)) << "all there can be";
}

TEST(ThresholdsOf, AreOnesOfTheRuleAscending) {
  EXPECT_TRUE(thresholds_of(*verify::rule_from_string("none"), true).empty());
  const auto similarities = [](const char* rule, bool has_short) {
    std::vector<double> values;
    for (const report::Threshold& threshold : thresholds_of(*verify::rule_from_string(rule), has_short))
      values.push_back(threshold.similarity);
    EXPECT_TRUE(std::ranges::is_sorted(values)) << rule;
    return values.size();
  };
  EXPECT_EQ(similarities("jaccard:0.3", true), 1U) << "which looks at no characters";
  EXPECT_EQ(similarities("content", false), 1U);
  EXPECT_EQ(similarities("content", true), 2U);
  EXPECT_EQ(similarities("origin", false), 2U);
  EXPECT_EQ(similarities("origin", true), 3U);
}

TEST(ShownSimilarity, HasFourDigits) {
  EXPECT_EQ(shown_similarity(1.0F), 1);
  EXPECT_DOUBLE_EQ(shown_similarity(0.33333334F), 0.3333);
  EXPECT_DOUBLE_EQ(shown_similarity(0.99996F), 1);
}

}  // namespace
}  // namespace neardup::engine
