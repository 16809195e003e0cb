#include "neardup/feature/idf.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <random>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/base/hash.h"

namespace neardup::feature::idf_test {
namespace {

using Documents = std::vector<std::vector<uint64_t>>;

float expected_weight(double num_documents, double df) {
  return static_cast<float>(std::log((1 + num_documents) / (1 + df)) + 1);
}

/// Documents of random distinct words, where small numbers are frequent words.
Documents random_documents(size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  Documents documents(count);
  for (std::vector<uint64_t>& document : documents) {
    std::map<uint64_t, int> words;
    for (int i = 0; i < 200; ++i) words[mix64(random() % (1 + random() % 5000))] = 1;
    for (const auto& [word, one] : words) document.push_back(word);
  }
  return documents;
}

std::map<uint64_t, uint32_t> document_frequencies(const Documents& documents) {
  std::map<uint64_t, uint32_t> frequencies;
  for (const auto& document : documents) {
    for (const uint64_t word : document) ++frequencies[word];
  }
  return frequencies;
}

IdfBuilder builder_of(const Documents& documents) {
  IdfBuilder builder;
  for (const auto& document : documents) builder.add(document);
  return builder;
}

class IdfFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("neardup_idf_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

TEST(Idf, WeightsAreTheFormula) {
  const Documents documents = random_documents(300, 1);
  const auto idf = builder_of(documents).build();
  const auto frequencies = document_frequencies(documents);
  EXPECT_EQ(idf->num_documents(), 300U);
  EXPECT_EQ(idf->num_tokens(), frequencies.size());
  for (const auto& [word, df] : frequencies) ASSERT_EQ(idf->weight(word), expected_weight(300, df)) << df;
}

TEST(Idf, UnknownTokensWeighTheMedian) {
  IdfBuilder builder;
  builder.add(std::vector<uint64_t>{mix64(1), mix64(2), mix64(3)});
  builder.add(std::vector<uint64_t>{mix64(1), mix64(2)});
  builder.add(std::vector<uint64_t>{mix64(1)});
  const auto idf = builder.build();
  EXPECT_EQ(idf->median(), expected_weight(3, 2));
  EXPECT_EQ(idf->weight(mix64(99)), expected_weight(3, 2));
  EXPECT_EQ(idf->weight(mix64(1)), 1.0F);
  EXPECT_EQ(idf->weight(mix64(3)), expected_weight(3, 1));
}

TEST(Idf, EmptyOneWeighsOne) {
  const auto idf = IdfBuilder().build();
  EXPECT_EQ(idf->num_documents(), 0U);
  EXPECT_EQ(idf->num_tokens(), 0U);
  EXPECT_EQ(idf->weight(7), 1.0F);
}

TEST(Idf, MultiplyWeightsIsWeightOfEach) {
  const Documents documents = random_documents(100, 2);
  const auto idf = builder_of(documents).build();
  for (const auto& document : documents) {
    std::vector<uint64_t> words = document;
    words.push_back(mix64(1000000));
    std::vector<float> weights(words.size(), 2.0F);
    idf->multiply_weights(words, weights);
    for (size_t i = 0; i < words.size(); ++i) ASSERT_EQ(weights[i], 2 * idf->weight(words[i]));
  }
}

TEST(Idf, TheHashesZeroAndAllOnesAreTokensToo) {
  IdfBuilder builder;
  builder.add(std::vector<uint64_t>{0, ~uint64_t{0}, 5});
  builder.add(std::vector<uint64_t>{0, ~uint64_t{0}});
  builder.add(std::vector<uint64_t>{0});
  const auto idf = builder.build();
  EXPECT_EQ(idf->num_tokens(), 3U);
  EXPECT_EQ(idf->weight(0), expected_weight(3, 3));
  EXPECT_EQ(idf->weight(~uint64_t{0}), expected_weight(3, 2));
  EXPECT_EQ(idf->weight(5), expected_weight(3, 1));
}

TEST(IdfBuilder, OrderAndSplitDoNotMatter) {
  const Documents documents = random_documents(200, 3);
  const auto one = builder_of(documents).build();
  for (const size_t parts : {2, 3, 7}) {
    std::vector<IdfBuilder> builders(parts);
    for (size_t i = documents.size(); i-- > 0;) {
      std::vector<uint64_t> reversed(documents[i].rbegin(), documents[i].rend());
      builders[i % parts].add(reversed);
    }
    IdfBuilder all;
    for (const IdfBuilder& builder : builders) all.merge(builder);
    EXPECT_EQ(all.build()->id(), one->id());
    EXPECT_EQ(all.num_documents(), 200U);
  }
}

TEST(IdfBuilder, IdChangesWithAnyCount) {
  Documents documents = random_documents(50, 4);
  const std::string id = builder_of(documents).build()->id();
  EXPECT_EQ(id.size(), 16U);
  documents[7].push_back(mix64(777777));
  const std::string other = builder_of(documents).build()->id();
  EXPECT_NE(id, other);
  documents[8].push_back(mix64(777777));
  EXPECT_NE(builder_of(documents).build()->id(), other);
  documents.emplace_back();
  EXPECT_NE(builder_of(documents).build()->id(), id);
}

TEST(IdfBuilder, RareTokensCanBeLeftOut) {
  const Documents documents = random_documents(300, 5);
  const IdfBuilder builder = builder_of(documents);
  const auto all = builder.build();
  const auto pruned = builder.build({.min_documents = 4});
  EXPECT_EQ(pruned->median(), all->median());
  EXPECT_EQ(pruned->num_tokens(), all->num_tokens());
  EXPECT_NE(pruned->id(), all->id());
  for (const auto& [word, df] : document_frequencies(documents)) {
    ASSERT_EQ(pruned->weight(word), df < 4 ? all->median() : expected_weight(300, df));
  }
}

TEST(IdfBuilder, MemoryStaysCompact) {
  IdfBuilder builder;
  for (uint64_t i = 0; i < 1000; ++i) {
    std::vector<uint64_t> words;
    for (uint64_t j = 0; j < 300; ++j) words.push_back(mix64(i * 300 + j));
    builder.add(words);
  }
  EXPECT_EQ(builder.num_tokens(), 300000U);
  EXPECT_LE(builder.memory_bytes(), 300000U * 24 + 100000);
}

TEST_F(IdfFile, SaveAndLoadGiveTheSame) {
  const Documents documents = random_documents(300, 6);
  const auto idf = builder_of(documents).build();
  ASSERT_TRUE(idf->save(path("a.idf")));
  const auto loaded = Idf::load(path("a.idf"));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ((*loaded)->id(), idf->id());
  EXPECT_EQ((*loaded)->num_documents(), idf->num_documents());
  EXPECT_EQ((*loaded)->num_tokens(), idf->num_tokens());
  EXPECT_EQ((*loaded)->median(), idf->median());
  for (const auto& [word, df] : document_frequencies(documents)) ASSERT_EQ((*loaded)->weight(word), idf->weight(word));
  const std::filesystem::directory_iterator files(path(""));
  EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "a temporary file was left";
}

TEST_F(IdfFile, SavedShardsMergeToTheWhole) {
  const Documents documents = random_documents(200, 7);
  const Documents first(documents.begin(), documents.begin() + 80);
  const Documents second(documents.begin() + 80, documents.end());
  ASSERT_TRUE(builder_of(first).build()->save(path("1.idf")));
  ASSERT_TRUE(builder_of(second).build()->save(path("2.idf")));
  IdfBuilder merged;
  for (const char* name : {"2.idf", "1.idf"}) ASSERT_TRUE(merged.merge(**Idf::load(path(name))));
  EXPECT_EQ(merged.build()->id(), builder_of(documents).build()->id());
}

TEST_F(IdfFile, WithoutCountsItCannotBeSavedOrMerged) {
  const IdfBuilder builder = builder_of(random_documents(20, 8));
  const auto lean = builder.build({.keep_counts = false});
  EXPECT_EQ(lean->id(), builder.build()->id());
  EXPECT_EQ(lean->save(path("lean.idf")).error().code, Code::kUnsupported);
  EXPECT_EQ(IdfBuilder().merge(*lean).error().code, Code::kUnsupported);
}

TEST_F(IdfFile, EveryChangedByteIsNoticed) {
  ASSERT_TRUE(builder_of(random_documents(1, 9)).build()->save(path("b.idf")));
  const std::string bytes = *read_file(path("b.idf"));
  ASSERT_TRUE(Idf::from_bytes(bytes));
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string broken = bytes;
    broken[i] = static_cast<char>(broken[i] ^ 0x10);
    const auto result = Idf::from_bytes(broken);
    ASSERT_FALSE(result) << i;
    ASSERT_EQ(result.error().code, Code::kCorruption);
  }
  for (size_t size = 0; size < bytes.size(); ++size) ASSERT_FALSE(Idf::from_bytes(bytes.substr(0, size))) << size;
  EXPECT_FALSE(Idf::from_bytes(bytes + "x"));
}

TEST_F(IdfFile, MoreThanAQuarterOfTheMemoryIsRefused) {
  ASSERT_TRUE(builder_of(random_documents(300, 10)).build()->save(path("a.idf")));
  const uint64_t enough = 4 * 4 * std::filesystem::file_size(path("a.idf"));
  EXPECT_TRUE(Idf::load(path("a.idf"), enough));
  const auto refused = Idf::load(path("a.idf"), enough - 4);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kMemory);
  EXPECT_NE(refused.error().message.find("--min-documents 2"), std::string::npos) << refused.error().message;
}

TEST_F(IdfFile, MissingFileIsNotFound) { EXPECT_EQ(Idf::load(path("nothing.idf")).error().code, Code::kNotFound); }

TEST_F(IdfFile, FolderThatIsNotThereIsAnError) { EXPECT_FALSE(IdfBuilder().build()->save(path("no/such/folder.idf"))); }

}  // namespace
}  // namespace neardup::feature::idf_test
