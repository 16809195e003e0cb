// Labels of documents, from a field or a file of pairs: what is read, and each error with its place.
#include <fmt/format.h>

#include <map>
#include <random>

#include "neardup/engine/evaluate/labels.h"
#include "neardup/engine/evaluate/pair_tally.h"
#include "neardup/evaluate/evaluation.h"
#include "tests/unit/engine/made_documents.h"

namespace neardup::engine {
namespace {

class Labelled : public MadeDocuments {
 protected:
  Result<LabelledPairs> read(const std::string& text, const LabelOptions& options = {}, uint64_t most_pairs = 100) {
    if (!documents_) documents_ = documents_of(made_);
    return read_labelled_pairs(write("pairs", text), options, most_pairs, *documents_, {});
  }
  void expect_refused(const std::string& text, Code code, const std::string& part, const LabelOptions& options = {},
                      uint64_t most_pairs = 100) {
    const auto pairs = read(text, options, most_pairs);
    ASSERT_FALSE(pairs) << text;
    EXPECT_EQ(pairs.error().code, code) << pairs.error().message;
    EXPECT_NE(pairs.error().message.find(part), std::string::npos) << pairs.error().message;
  }
  std::vector<MadeDocument> made_ = {{.id = "a"}, {.id = "b"}, {.id = "c"}, {.id = "twice"}, {.id = "twice"}};
  std::optional<Documents> documents_;
};

TEST_F(Labelled, PairsByIdAndByGrade) {
  const auto pairs = read("{\"a\":\"a\",\"b\":\"c\",\"label\":2}\n\n# words\n{\"a\":\"b\",\"b\":\"c\",\"label\":0}\n");
  ASSERT_TRUE(pairs) << pairs.error().message;
  ASSERT_EQ(pairs->pairs.size(), 2U);
  EXPECT_TRUE(pairs->is_judged && pairs->is_graded && !pairs->is_weighted);
  EXPECT_EQ(pairs->pairs[0].a, 0U);
  EXPECT_EQ(pairs->pairs[0].b, 2U);
  EXPECT_EQ(pairs->pairs[0].grade, 2);
  EXPECT_TRUE(pairs->pairs[0].same);
  EXPECT_FALSE(pairs->pairs[1].same);
  EXPECT_EQ(pairs->pairs[1].line, 4U) << "blank lines and comments count";
}

TEST_F(Labelled, AGradeBelowTheFirstDuplicateIsNone) {
  const std::string text = "{\"a\":\"a\",\"b\":\"b\",\"label\":1}\n{\"a\":\"a\",\"b\":\"c\",\"label\":2}\n";
  const auto pairs = read(text, {.duplicate_from = 2});
  ASSERT_TRUE(pairs);
  EXPECT_FALSE(pairs->pairs[0].same);
  EXPECT_TRUE(pairs->pairs[1].same);
}

TEST_F(Labelled, ListedPairsBelowTheLeastSimilarityArePassedOver) {
  const std::string text =
      "{\"a\":\"a\",\"b\":\"b\",\"similarity\":0.4}\n{\"a\":\"a\",\"b\":\"c\",\"similarity\":0.6}\n";
  EXPECT_EQ(read(text)->pairs.size(), 2U);
  EXPECT_EQ(read(text, {.least_similarity = 0.5})->pairs.size(), 1U);
  expect_refused(text, Code::kInvalidArgument, "none has the similarity that --least-similarity asks for",
                 {.least_similarity = 0.7});
}

TEST_F(Labelled, WeightsAndStrataAreKept) {
  const auto pairs = read(
      "{\"a\":\"a\",\"b\":\"b\",\"duplicate\":true,\"weight\":40,\"stratum\":\"far\"}\n"
      "{\"a\":\"a\",\"b\":\"c\",\"duplicate\":false,\"weight\":2.5,\"stratum\":\"near\"}\n"
      "{\"a\":\"b\",\"b\":\"c\",\"duplicate\":false,\"weight\":1,\"stratum\":\"far\"}\n");
  ASSERT_TRUE(pairs) << pairs.error().message;
  EXPECT_EQ(pairs->strata, (std::vector<std::string>{"far", "near"}));
  EXPECT_EQ(pairs->pairs[1].stratum, 1);
  EXPECT_EQ(pairs->pairs[2].stratum, 0);
  EXPECT_EQ(pairs->pairs[0].weight, 40);
  EXPECT_TRUE(pairs->is_weighted && pairs->is_judged && !pairs->is_graded);
}

TEST_F(Labelled, EachFaultIsNamedWithItsLine) {
  const std::string good = "{\"a\":\"a\",\"b\":\"b\",\"duplicate\":true}\n";
  for (const auto& [text, part] : std::map<std::string, std::string>{
           {good + "{\"a\":\"a\",\"b\":\"a\",\"duplicate\":true}", "pairs:2: the line pairs a document with itself"},
           {good + "{\"a\":\"a\",\"b\":\"none\",\"duplicate\":true}", "pairs:2: no document has the id \"none\""},
           {"{\"a\":\"a\",\"b\":\"twice\"}", "pairs:1: two documents have the id \"twice\""},
           {good + "{\"a\":\"a\",\"b\":\"c\"}", "pairs:2: some lines have \"duplicate\" or \"label\""},
           {good + "{\"a\":\"a\",\"b\":\"c\",\"label\":1}",
            "pairs:2: some lines have \"duplicate\" and some \"label\""},
           {good + "{\"a\":\"a\",\"b\":\"c\",\"duplicate\":true,\"weight\":2}", "pairs:2: some lines have \"weight\""},
           {"1 2", "pairs:1: line numbers need one input, here are 2"},
           {"", "no pair is labelled"},
           {"# only words\n", "no pair is labelled"},
           {"{broken", "pairs:1: "}})
    expect_refused(text, Code::kInvalidArgument, part);
}

TEST_F(Labelled, MoreThanFitAreAnErrorOfMemory) {
  const std::string text = "{\"a\":\"a\",\"b\":\"b\"}\n{\"a\":\"a\",\"b\":\"c\"}\n";
  EXPECT_TRUE(read(text, {}, 2));
  expect_refused(text, Code::kMemory, "pairs:2: more than 1 labelled pairs do not fit", {}, 1);
}

TEST_F(Labelled, SixtyFourStrataAreTakenAndNoMore) {
  std::string text;
  for (int i = 0; i < 64; ++i)
    text += fmt::format("{{\"a\":\"a\",\"b\":\"b\",\"duplicate\":true,\"part\":\"s{}\"}}\n", i);
  EXPECT_EQ(read(text, {.stratum_key = "part"})->strata.size(), 64U);
  text += "{\"a\":\"a\",\"b\":\"b\",\"duplicate\":true,\"part\":\"last\"}\n";
  expect_refused(text, Code::kInvalidArgument, "pairs:65: more than 64 strata, the last \"last\"",
                 {.stratum_key = "part"});
}

TEST_F(Labelled, AMissingFileIsNotFound) {
  const Documents documents = documents_of(made_);
  const auto pairs = read_labelled_pairs(path_of("none"), {}, 10, documents, {});
  ASSERT_FALSE(pairs);
  EXPECT_EQ(pairs.error().code, Code::kNotFound);
}

TEST_F(Labelled, FieldsWithOneValueAreOneCluster) {
  const Documents documents =
      documents_of({{.group = "x"}, {.group = "y"}, {}, {.group = "x"}, {.group = "null"}, {.group = "null"}});
  const auto labels = labels_by_field(documents, "cluster");
  ASSERT_TRUE(labels) << labels.error().message;
  EXPECT_EQ((*labels)[0], (*labels)[3]);
  EXPECT_NE((*labels)[0], (*labels)[1]);
  for (const size_t i : {2, 4, 5}) EXPECT_EQ((*labels)[i], evaluate::kNoLabel) << i;
}

TEST_F(Labelled, FieldsOfWhichNoTwoAgreeAreNoLabels) {
  const Documents documents = documents_of({{.group = "x"}, {.group = "y"}, {}, {.group = "null"}, {.group = "null"}});
  const auto labels = labels_by_field(documents, "topic");
  ASSERT_FALSE(labels);
  EXPECT_EQ(labels.error().code, Code::kInvalidArgument);
  EXPECT_NE(labels.error().message.find("2 of 5 documents have the field \"topic\", and no two the same value"),
            std::string::npos)
      << labels.error().message;
}

TEST(EvaluatedRules, AreInTheirOrderAndEachOnce) {
  const auto names_of = [](const std::vector<verify::Rule>& rules) {
    std::vector<std::string> names;
    for (const verify::Rule& rule : rules) names.push_back(verify::to_string(rule));
    return names;
  };
  const std::vector<std::string> names = names_of(evaluated_rules(verify::Rule(), false, {}));
  ASSERT_EQ(names.size(), 3U + 16U);
  EXPECT_EQ(names[0], "none");
  EXPECT_EQ(names[1], "content");
  EXPECT_EQ(names[2], "origin");
  EXPECT_EQ(names[3], "jaccard:0.2");
  EXPECT_EQ(names.back(), "jaccard:0.95");
  const verify::Rule origin = *verify::rule_from_string("origin"), half = *verify::rule_from_string("jaccard:0.5"),
                     odd = *verify::rule_from_string("jaccard:0.123");
  const std::vector<std::string> asked = names_of(evaluated_rules(origin, true, {half, odd, odd}));
  EXPECT_EQ(asked.size(), 3U + 16U + 1U) << "none, origin, its templates, sixteen and one more";
  EXPECT_EQ(asked[2], "origin --templates");
  EXPECT_EQ(asked.back(), "jaccard:0.123");
  EXPECT_LE(evaluated_rules(verify::Rule(), true, {}).size(), kMostRules);
}

// Counts pair by pair in plain loops.
TEST(PairTallyOf, RandomPairsIsWhatLoopsCount) {
  std::mt19937_64 random(1);
  constexpr uint32_t kGroups = 30;
  constexpr size_t kLevels = 4;
  const std::vector<verify::Rule> rules = {*verify::rule_from_string("none"), *verify::rule_from_string("origin"),
                                           *verify::rule_from_string("jaccard:0.5")};
  std::vector<Decision> decisions;
  for (const verify::Rule& rule : rules)
    decisions.push_back(*Decision::create(*recipe::find_recipe("minhash"), rule, {}));
  ExactGroups groups;
  std::vector<uint32_t> labels;
  for (uint32_t i = 0; i < kGroups; ++i) {
    groups.best.push_back(i), groups.group_of.push_back(i);
    labels.push_back(random() % 3 == 0 ? evaluate::kNoLabel : static_cast<uint32_t>(random() % 8));
  }
  const auto truth = evaluate::Truth::from_clusters(labels, groups.group_of, kGroups);
  PairTally tally(kLevels, groups, truth, decisions);
  std::vector<uint64_t> candidates(kLevels), accepted(kLevels * 3), same(kLevels * 3);
  for (uint32_t g = 0; g < kGroups; ++g) {
    for (uint32_t h = 0; h < g; ++h) {
      if (random() % 2 == 0) continue;
      Compared pair;
      pair.accepted_by = random() % 8;
      pair.level = static_cast<uint32_t>(random() % kLevels);
      pair.num_equal = 128;
      tally.add(g, h, pair, false, 1);
      const bool is_same = labels[g] == labels[h] && labels[g] != evaluate::kNoLabel;
      for (size_t level = pair.level; level < kLevels; ++level) {
        ++candidates[level];
        for (size_t rule = 0; rule < 3; ++rule) {
          accepted[level * 3 + rule] += pair.accepted_by >> rule & 1;
          same[level * 3 + rule] += (pair.accepted_by >> rule & 1) != 0 && is_same;
        }
      }
    }
  }
  evaluate::Evaluation evaluation;
  tally.finish(evaluation);
  EXPECT_EQ(evaluation.num_candidates, candidates);
  ASSERT_EQ(evaluation.cells.size(), accepted.size());
  for (size_t cell = 0; cell < accepted.size(); ++cell) {
    EXPECT_EQ(evaluation.cells[cell].right, same[cell]) << cell;
    EXPECT_EQ(evaluation.cells[cell].right + evaluation.cells[cell].wrong, accepted[cell]) << cell;
  }
}

}  // namespace
}  // namespace neardup::engine
