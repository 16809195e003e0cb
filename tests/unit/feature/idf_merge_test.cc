#include "neardup/feature/idf_merge.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/base/hash.h"
#include "neardup/feature/idf.h"

namespace neardup::feature::idf_merge_test {
namespace {

using Documents = std::vector<std::vector<uint64_t>>;

Documents random_documents(size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  Documents documents(count);
  for (std::vector<uint64_t>& document : documents) {
    std::vector<uint64_t> words(random() % 60);
    for (uint64_t& word : words) word = mix64(random() % (1 + random() % 300));
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    document = words;
  }
  return documents;
}

IdfBuilder builder_of(const Documents& documents, size_t first, size_t step) {
  IdfBuilder builder;
  for (size_t i = first; i < documents.size(); i += step) builder.add(documents[i]);
  return builder;
}

class IdfMerge : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("neardup_idf_merge_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

  /// Saves `parts` dictionaries of the documents, dealt out in turn, and returns their paths.
  std::vector<std::string> save_parts(const Documents& documents, size_t parts, const IdfOptions& options) {
    std::vector<std::string> paths;
    for (size_t i = 0; i < parts; ++i) {
      paths.push_back(path("part" + std::to_string(i)));
      EXPECT_TRUE(builder_of(documents, i, parts).save(paths.back(), options));
    }
    return paths;
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(IdfMerge, IsTheFileOfOneBuilderOfAllDocuments) {
  const Documents documents = random_documents(240, 1);
  for (const uint32_t min_documents : {1U, 2U, 7U, 1000U}) {
    const IdfOptions options{.min_documents = min_documents, .tokens = "{\"words\":1}"};
    ASSERT_TRUE(builder_of(documents, 0, 1).save(path("whole"), options));
    for (const size_t parts : {1, 2, 3, 9}) {
      std::vector<std::string> paths = save_parts(documents, parts, {.tokens = options.tokens});
      std::reverse(paths.begin(), paths.end());
      ASSERT_TRUE(merge_idf_files(paths, path("merged"), {.min_documents = min_documents}));
      EXPECT_EQ(*read_file(path("merged")), *read_file(path("whole"))) << parts << " " << min_documents;
    }
  }
}

TEST_F(IdfMerge, BuilderSavesWhatItsDictionarySaves) {
  const IdfBuilder builder = builder_of(random_documents(100, 2), 0, 1);
  const IdfOptions options{.min_documents = 3, .tokens = "abcde"};
  ASSERT_TRUE(builder.save(path("streamed"), options));
  ASSERT_TRUE(builder.build(options)->save(path("whole")));
  EXPECT_EQ(*read_file(path("streamed")), *read_file(path("whole")));
  const auto loaded = Idf::load(path("streamed"));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ((*loaded)->tokens(), "abcde");
  EXPECT_EQ((*loaded)->min_documents(), 3U);
  EXPECT_LT((*loaded)->num_entries(), (*loaded)->num_tokens());
  EXPECT_EQ((*loaded)->id(), builder.build(options)->id());
}

TEST_F(IdfMerge, OtherTokensAreRefused) {
  const Documents documents = random_documents(10, 3);
  ASSERT_TRUE(builder_of(documents, 0, 1).save(path("a"), {.tokens = "words"}));
  ASSERT_TRUE(builder_of(documents, 0, 1).save(path("b"), {.tokens = "characters"}));
  const std::vector<std::string> both = {path("a"), path("b")};
  EXPECT_EQ(merge_idf_files(both, path("out")).error().code, Code::kMismatch);
  EXPECT_FALSE(file_info(path("out")));
}

TEST_F(IdfMerge, LostCountsAreRefused) {
  const Documents documents = random_documents(50, 4);
  const std::vector<std::string> paths = save_parts(documents, 2, {.min_documents = 2});
  EXPECT_EQ(merge_idf_files(paths, path("out")).error().code, Code::kUnsupported);
  const std::vector<std::string> one = {paths[0]};
  EXPECT_EQ(merge_idf_files(one, path("out")).error().code, Code::kUnsupported);
  ASSERT_TRUE(merge_idf_files(one, path("out"), {.min_documents = 5}));  // leaves out even more
  ASSERT_TRUE(builder_of(documents, 0, 2).save(path("direct"), {.min_documents = 5}));
  EXPECT_EQ(*read_file(path("out")), *read_file(path("direct")));
}

TEST_F(IdfMerge, EmptyDictionariesMerge) {
  const std::vector<std::string> paths = save_parts({}, 3, {});
  ASSERT_TRUE(merge_idf_files(paths, path("out")));
  EXPECT_EQ((*Idf::load(path("out")))->num_documents(), 0U);
}

TEST_F(IdfMerge, DamagedAndMissingInputsAreErrors) {
  const std::vector<std::string> paths = save_parts(random_documents(20, 5), 2, {});
  const std::string bytes = *read_file(paths[1]);
  ASSERT_TRUE(write_file_atomically(paths[1], bytes.substr(0, bytes.size() - 5)));
  EXPECT_EQ(merge_idf_files(paths, path("out")).error().code, Code::kCorruption);
  const std::vector<std::string> missing = {paths[0], path("nothing")};
  EXPECT_EQ(merge_idf_files(missing, path("out")).error().code, Code::kNotFound);
}

}  // namespace
}  // namespace neardup::feature::idf_merge_test
