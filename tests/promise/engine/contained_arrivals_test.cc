// A Deduplicator with --contained: its definition document by document, and dedup over the same ones, longest first.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "neardup/engine/match/contained/contained.h"
#include "neardup/engine/online/deduplicator.h"
#include "neardup/verify/held.h"
#include "tests/own_path.h"
#include "tests/promise/engine/made_corpus.h"
#include "tests/promise/engine/quoting_texts.h"

namespace neardup::engine {
namespace {

using Kind = Arrival::Kind;

DedupOptions contained_options(double threshold = 0.6) {
  DedupOptions options;
  options.verify.kind = verify::Rule::Kind::kJaccard;  // by two texts alone
  options.verify.threshold = threshold;
  options.contained = 0.8;
  return options;
}

std::string name_of(size_t number) { return "d" + std::to_string(number); }

/// The definition: each text that is neither equal nor near goes to the longest new one before it that contains it.
class ByDefinition {
 public:
  explicit ByDefinition(const std::vector<std::string>& texts) : tokens_(tokens_of(texts)) {
    for (const auto& tokens : tokens_) passages_.push_back(passages_of(tokens));
  }

  /// Who contains `number`, by all pairs; itself where nobody does.
  size_t container_of(size_t number) const {
    size_t best = number;
    for (const size_t kept : kept_)
      if (contains(kept, number) && (best == number || tokens_[kept].size() > tokens_[best].size())) best = kept;
    return best;
  }
  void add(size_t number, bool is_kept) {
    if (is_kept) kept_.push_back(number);
    for (const uint64_t passage : passages_[number]) ++holders_[passage];
  }

 private:
  bool is_common(uint64_t passage) const {
    const auto holders = holders_.find(passage);
    return holders != holders_.end() && holders->second + 1 > kMostHolders;
  }
  bool contains(size_t longer, size_t shorter) const {
    if (!verify::is_longer(tokens_[longer].size(), tokens_[shorter].size(), 0.8)) return false;
    size_t num_own = 0, num_shared = 0;
    for (const uint64_t passage : passages_[shorter]) {
      num_own += !is_common(passage);
      num_shared += !is_common(passage) && passages_[longer].contains(passage);
    }
    if (num_shared == 0 || !have_enough_passages(num_shared, num_own, 0.8)) return false;
    std::vector<feature::Passage> selected;
    feature::select_passages(tokens_[shorter], selected);
    std::vector<bool> common;
    for (const feature::Passage& passage : selected) common.push_back(is_common(passage.hash));
    std::vector<uint8_t> marks;
    verify::mark_common(selected, common, tokens_[shorter].size(), marks);
    const double asked = verify::share_to_hold(tokens_[longer].size(), tokens_[shorter].size(), 0.8);
    return verify::held_tokens(tokens_[shorter], tokens_[longer], marks).reaches(asked);
  }

  std::vector<std::vector<uint32_t>> tokens_;
  std::vector<std::set<uint64_t>> passages_;
  std::vector<size_t> kept_;
  std::map<uint64_t, size_t> holders_;
};

TEST(ContainedArrivals, AgreeWithTheDefinition) {
  size_t num_contained = 0, num_near = 0;
  for (uint64_t seed = 51; seed <= 56; ++seed) {
    const std::vector<std::string> texts = quoting_texts(seed, 400);
    auto seen = *Deduplicator::create(contained_options());
    ByDefinition definition(texts);
    std::map<std::string, Arrival> told;  // of each text
    for (size_t i = 0; i < texts.size(); ++i) {
      const Arrival arrival = *seen.add(name_of(i), texts[i]);
      if (const auto before = told.emplace(texts[i], arrival); !before.second) {
        const Arrival& first = before.first->second;
        ASSERT_EQ(arrival.kind, first.kind == Kind::kNew ? Kind::kExact : first.kind);
        if (first.kind != Kind::kNew) ASSERT_EQ(arrival.duplicate_of, first.duplicate_of);
        continue;
      }
      if (arrival.kind == Kind::kExact || arrival.kind == Kind::kNear) {
        ++num_near;
        continue;
      }
      const size_t container = definition.container_of(i);
      ASSERT_EQ(arrival.kind, container == i ? Kind::kNew : Kind::kContained) << seed << " " << i;
      if (container != i) {
        ASSERT_EQ(arrival.duplicate_of, name_of(container));
        ASSERT_GE(arrival.similarity, 0.8F - 1e-6F);
        ++num_contained;
      }
      definition.add(i, container == i);
    }
  }
  EXPECT_GT(num_contained, 150U);
  EXPECT_GT(num_near, 150U);
}

// Where the longest come first, nothing is near and nothing common, nobody needs to know what comes later.
TEST(ContainedArrivals, LongestFirstTheyAreWhatDedupFinds) {
  const std::string folder = own_path();
  size_t num_contained = 0;
  for (uint64_t seed = 61; seed <= 84; ++seed) {
    std::filesystem::remove_all(folder);
    std::vector<std::string> texts = quoting_texts(seed, 20);
    const auto tokens = tokens_of(texts);
    std::vector<size_t> order(texts.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, std::greater(), [&](size_t i) { return tokens[i].size(); });
    std::vector<std::string> longest_first;
    for (const size_t i : order) longest_first.push_back(texts[i]);
    write_jsonl(folder + "/in.jsonl", longest_first);
    DedupOptions options = contained_options(1);
    options.inputs = {folder + "/in.jsonl"};
    options.output = folder + "/out";
    const auto report = dedup(options, {});
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_EQ(report->common_passages, 0U);
    std::map<std::string, std::pair<std::string, std::string>> expected, found;
    for (const nlohmann::json& line : read_jsonl(options.output + "/duplicates.jsonl"))
      expected[line["id"]] = {line["kind"], line["duplicate_of"]};
    auto seen = *Deduplicator::create(contained_options(1));
    for (size_t i = 0; i < longest_first.size(); ++i) {
      const Arrival arrival = *seen.add(name_of(i), longest_first[i]);
      if (arrival.kind == Kind::kNew) continue;
      const char* kind = arrival.kind == Kind::kExact ? "exact" : arrival.kind == Kind::kNear ? "near" : "contained";
      found[name_of(i)] = {kind, arrival.duplicate_of};
      num_contained += arrival.kind == Kind::kContained;
    }
    EXPECT_EQ(found, expected) << "seed " << seed;
  }
  std::filesystem::remove_all(folder);
  EXPECT_GT(num_contained, 30U);
}

TEST(ContainedArrivals, TheLongOneThatComesLaterRemovesNothing) {
  std::mt19937_64 random(71);
  const Words quote = story(random, 100);
  Words article = story(random, 200);
  append(article, quote);
  auto seen = *Deduplicator::create(contained_options());
  EXPECT_EQ(seen.add("quote", join_words(quote))->kind, Kind::kNew);
  EXPECT_EQ(seen.add("article", join_words(article))->kind, Kind::kNew);
  EXPECT_EQ(seen.add("quote", join_words(quote))->kind, Kind::kNew) << "the same again is told the same";
  const Arrival part_of_it = *seen.add("part", join_words(part(quote, 10, 60)));
  EXPECT_EQ(part_of_it.kind, Kind::kContained);
  EXPECT_EQ(part_of_it.duplicate_of, "article") << "the longest that holds it";
  const Arrival copy = *seen.add("copy of part", join_words(part(quote, 10, 60)));
  EXPECT_EQ(copy.kind, Kind::kContained) << "as contained as the first of them";
  EXPECT_EQ(copy.duplicate_of, "article");
  EXPECT_EQ(seen.figures().new_texts, 2U);
  EXPECT_EQ(seen.figures().different_texts, 3U);
}

TEST(ContainedArrivals, RefusesWhatDedupRefuses) {
  DedupOptions letters = contained_options();
  letters.recipe.tokenizer = "chars";
  EXPECT_EQ(Deduplicator::create(letters).error().code, Code::kInvalidArgument);
  DedupOptions little = contained_options();
  little.contained = 0.4;
  EXPECT_EQ(Deduplicator::create(little).error().code, Code::kInvalidArgument);
}

}  // namespace
}  // namespace neardup::engine
