// Sums of weights over joined lists, against those over each fingerprint that two files share.
#include "neardup/sif/shared_counter.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace neardup::sif {
namespace {

using Weights = std::map<uint64_t, uint32_t>;  // by value, of one file

struct MadeUp {
  std::vector<Weights> weights;
  std::vector<File> files;

  [[nodiscard]] ReadFiles read() const {
    ReadFiles read;
    read.files = files;
    read.entries = {EntryBuckets(4), EntryBuckets(4)};
    for (uint32_t file = 0; file < files.size(); ++file)
      for (const auto& [value, weight] : weights[file]) read.entries[file % 2].add({value, file, weight});
    return read;
  }
};

// Passages are groups of values that most of their files hold all of, so that lists are equal, or nearly.
MadeUp made_up(unsigned seed, bool has_references, uint32_t most_weight) {
  std::mt19937_64 random(seed);
  MadeUp made;
  std::vector<std::vector<uint64_t>> passages(12);
  for (auto& passage : passages)
    for (size_t i = 1 + random() % 6; i > 0; --i) passage.push_back(random() << 24);
  for (uint32_t number = 0; number < 40; ++number) {
    Weights weights;
    for (const auto& passage : passages) {
      if (random() % 3 != 0) continue;
      for (const uint64_t value : passage)
        if (random() % 8 != 0)
          weights[value] = random() % 3 == 0 ? 0 : static_cast<uint32_t>(1 + random() % most_weight);
    }
    File file;
    file.same_as = number;
    file.is_read = true;
    file.is_small = random() % 2 == 0;
    file.is_reference = has_references && number >= 25;
    for (const auto& [value, weight] : weights) file.weight += weight;
    made.weights.push_back(weights);
    made.files.push_back(file);
  }
  return made;
}

float share(uint64_t part, uint64_t all) {
  return all == 0 ? 0 : std::min(1.0F, static_cast<float>(static_cast<double>(part) / static_cast<double>(all)));
}

// What two files share by the rules: two large ones what both keep, a small one what it keeps and the other one holds,
// and a large one as much of a small one as that has of it.
SimilarPair slow_pair(const MadeUp& made, uint32_t a, uint32_t b) {
  uint64_t of_a = 0, of_b = 0;
  const bool a_is_small = made.files[a].is_small, b_is_small = made.files[b].is_small;
  for (const auto& [value, weight] : made.weights[a]) {
    const auto other = made.weights[b].find(value);
    if (other == made.weights[b].end()) continue;
    if (!a_is_small && !b_is_small && (weight == 0 || other->second == 0)) continue;
    of_a += weight;
    of_b += other->second;
  }
  if (a_is_small && !b_is_small) of_b = of_a;
  if (b_is_small && !a_is_small) of_a = of_b;
  return {a, b, share(of_a, made.files[a].weight), share(of_b, made.files[b].weight)};
}

void expect_all_pairs(const MadeUp& made, bool has_references) {
  SimilarOptions options;
  if (has_references) options.references = {"references"};
  for (const int threads : {1, 3}) {
    options.num_threads = threads;
    ReadFiles read = made.read();
    const PostingLists lists = PostingLists::build(read, options).value();
    EXPECT_EQ(lists.num_crowds(), 0U);
    std::vector<float> least(made.files.size(), 0.2F);
    least[3] = 0.9F;
    std::map<std::pair<uint32_t, uint32_t>, std::pair<float, float>> found, expected;
    for (const SimilarPair& pair : count_shared(lists, read.files, least, options).value())
      EXPECT_TRUE((found.try_emplace({pair.a, pair.b}, pair.a_in_b, pair.b_in_a)).second);
    for (uint32_t a = 0; a < made.files.size(); ++a)
      for (uint32_t b = a + 1; b < made.files.size(); ++b) {
        if (has_references && made.files[a].is_reference == made.files[b].is_reference) continue;
        const SimilarPair pair = slow_pair(made, a, b);
        if (pair.a_in_b >= least[a] || pair.b_in_a >= least[b]) expected[{a, b}] = {pair.a_in_b, pair.b_in_a};
      }
    EXPECT_GT(expected.size(), 50U);
    EXPECT_EQ(found, expected);
  }
}

TEST(SharedCounterAgrees, OnFilesThatShareWholePassages) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    expect_all_pairs(made_up(seed, false, 9), false);
    expect_all_pairs(made_up(seed, true, 9), true);
  }
}

// Some sums of equal lists, and files, weigh more than 32 bits tell.
TEST(SharedCounterAgrees, OnWeightsThatAreTooGreatForOneSum) {
  for (unsigned seed = 1; seed <= 10; ++seed) expect_all_pairs(made_up(seed, false, kMaxWeight), false);
}

}  // namespace
}  // namespace neardup::sif
