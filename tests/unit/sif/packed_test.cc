// Files that are compressed are what they hold.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <random>

#include "neardup/corpus/output.h"
#include "neardup/sif/file_bytes.h"
#include "neardup/sif/shared_text.h"
#include "neardup/sif/similar.h"
#include "tests/unit/sif/temporary_tree.h"

namespace neardup::sif::packed_test {
namespace {

namespace fs = std::filesystem;
using corpus::Compression;

std::string prose(size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::string text(size, ' ');
  for (char& byte : text) byte = "etaoinshrdlu  \n\n"[random() % 16];
  return text;
}

std::string packed(Compression compression, const std::string& bytes) {
  return corpus::compress(compression, bytes).value();
}

std::string name(const SimilarFiles& found, uint32_t file) {
  return fs::path(found.files[file].path).filename().string();
}

class PackedFiles : public testing::Test {
 protected:
  PackedFiles() {
    write("tree/a.txt", prose(20000, 1));
    write("tree/b.gz", packed(Compression::kGzip, prose(20000, 1)));
    write("tree/c.dat", packed(Compression::kZstd, prose(20000, 1).substr(0, 15000)));
    write("tree/d.zst", packed(Compression::kZstd, prose(300, 2)));
    write("tree/e.txt", prose(300, 2) + "x");
    write("tree/f.tgz", packed(Compression::kGzip, std::string(3000, '\0')));
    options_.inputs = {tree_.path("tree")};
  }

  void write(const std::string& below, const std::string& bytes) const {
    tree_.write(below, bytes);
    fs::last_write_time(tree_.path(below), fs::file_time_type::clock::now() - std::chrono::hours(1));
  }

  void expect_pairs(const SimilarFiles& found) const {
    ASSERT_EQ(found.pairs.size(), 3U);
    EXPECT_TRUE(found.pairs[0].is_equal);
    EXPECT_EQ(name(found, found.pairs[0].a) + name(found, found.pairs[0].b), "a.txtb.gz");
    EXPECT_EQ(name(found, found.pairs[1].a) + name(found, found.pairs[1].b), "a.txtc.dat");
    EXPECT_NEAR(found.pairs[1].a_in_b, 0.75, 0.02);
    EXPECT_EQ(name(found, found.pairs[2].a) + name(found, found.pairs[2].b), "d.zste.txt");
    EXPECT_EQ(found.files[found.pairs[2].a].size_bytes, 300U);
    ASSERT_EQ(found.skipped.size(), 1U);
    EXPECT_EQ(found.skipped[0].reason, "looks binary");
  }

  TemporaryTree tree_;
  SimilarOptions options_;
};

TEST_F(PackedFiles, AreComparedByWhatTheyHold) {
  for (const bool verify : {false, true}) {
    options_.verify = verify;
    const SimilarFiles found = find_similar(options_).value();
    expect_pairs(found);
    const auto passages = shared_passages(found, found.pairs[1], options_, {1, true}).value();
    ASSERT_EQ(passages.size(), 1U);
    EXPECT_EQ(passages[0].a.begin, 0U);
    EXPECT_EQ(passages[0].text_b, prose(20000, 1).substr(0, passages[0].b.end));
  }
}

TEST_F(PackedFiles, AreKnownToTheIndex) {
  options_.index_folder = tree_.path("index");
  expect_pairs(find_similar(options_).value());
  const SimilarFiles again = find_similar(options_).value();
  EXPECT_EQ(again.read_bytes, 0U);
  expect_pairs(again);
}

TEST_F(PackedFiles, ThatAreDamagedAreToldByTheirNames) {
  const std::string cut = packed(Compression::kGzip, prose(20000, 1)).substr(0, 900);
  write("tree/cut.gz", cut);
  write("tree/cut.txt", cut + std::string(9000, '\0'));
  const SimilarFiles found = find_similar(options_).value();
  ASSERT_EQ(found.skipped.size(), 3U);
  EXPECT_TRUE(found.skipped[0].is_failure);
  EXPECT_NE(found.skipped[0].reason.find("ends in the middle of compressed data"), std::string::npos);
  EXPECT_EQ(found.skipped[1].reason, "looks binary") << "any file may begin so";
}

TEST_F(PackedFiles, HoldNoMoreThanThereIsMemoryFor) {
  write("tree/bomb.gz", packed(Compression::kGzip, std::string(40 << 20, 'a')));
  options_.memory_bytes = uint64_t{64} << 20;
  const SimilarFiles found = find_similar(options_).value();
  ASSERT_EQ(found.skipped.size(), 2U);
  EXPECT_NE(found.skipped[0].reason.find("more than is read at once"), std::string::npos);
  options_.memory_bytes = uint64_t{4} << 30;
  EXPECT_EQ(find_similar(options_)->skipped.size(), 1U) << "read again with more room";
  std::string bytes;
  EXPECT_EQ(load_bytes(tree_.path("tree/bomb.gz"), (40 << 20) - 1, bytes).error().code, Code::kMemory);
  EXPECT_TRUE(load_bytes(tree_.path("tree/bomb.gz"), 40 << 20, bytes).has_value());
  EXPECT_EQ(bytes.size(), size_t{40} << 20);
}

}  // namespace
}  // namespace neardup::sif::packed_test
