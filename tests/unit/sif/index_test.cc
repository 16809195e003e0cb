#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>

#include "neardup/sif/index_folder.h"
#include "neardup/sif/similar.h"
#include "tests/failing_file_system.h"
#include "tests/unit/sif/temporary_tree.h"

namespace neardup::sif {
namespace {

namespace fs = std::filesystem;

std::string prose(size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::string text(size, ' ');
  for (char& byte : text) byte = static_cast<char>("etaoin shrdlu\n"[random() % 14]);
  return text;
}

// A tree whose files are of yesterday, and an index beside it.
class KeptIndex : public testing::Test {
 protected:
  KeptIndex() {
    for (unsigned i = 0; i < 6; ++i) write("small" + std::to_string(i), prose(600 + 100 * i, i % 3));
    write("large1", prose(30000, 1));
    write("large2", prose(20000, 1) + prose(5000, 2));
    options_.inputs = {tree_.path("tree")};
    options_.index_folder = tree_.path("index");
  }
  void write(const std::string& name, const std::string& bytes) const {
    tree_.write("tree/" + name, bytes);
    age(name, std::chrono::hours(24));
  }
  void age(const std::string& name, std::chrono::minutes age) const {
    fs::last_write_time(tree_.path("tree/" + name), fs::file_time_type::clock::now() - age);
  }
  [[nodiscard]] SimilarFiles search() const { return find_similar(options_).value(); }
  [[nodiscard]] SimilarFiles search_without() const {
    SimilarOptions options = options_;
    options.index_folder.clear();
    return find_similar(options).value();
  }
  [[nodiscard]] size_t num_data_files() const {
    const auto names = list_folder(options_.index_folder).value();
    return static_cast<size_t>(
        std::ranges::count_if(names, [](const std::string& name) { return name.starts_with("fingerprints-"); }));
  }
  void expect_same_as_without(const SimilarFiles& found) const {
    const SimilarFiles other = search_without();
    ASSERT_EQ(found.pairs.size(), other.pairs.size());
    for (size_t i = 0; i < found.pairs.size(); ++i) {
      EXPECT_EQ(found.files[found.pairs[i].a].path, other.files[other.pairs[i].a].path);
      EXPECT_EQ(found.files[found.pairs[i].b].path, other.files[other.pairs[i].b].path);
      EXPECT_EQ(found.pairs[i].a_in_b, other.pairs[i].a_in_b);
      EXPECT_EQ(found.pairs[i].b_in_a, other.pairs[i].b_in_a);
    }
  }

  TemporaryTree tree_;
  SimilarOptions options_;
};

TEST_F(KeptIndex, ASecondRunReadsNothing) {
  const SimilarFiles first = search();
  EXPECT_EQ(first.num_reused, 0U);
  EXPECT_GT(first.pairs.size(), 5U);
  const SimilarFiles second = search();
  EXPECT_EQ(second.num_reused, second.num_read);
  EXPECT_EQ(second.read_bytes, 0U);
  expect_same_as_without(second);
}

TEST_F(KeptIndex, OnlyWhatChangedIsRead) {
  (void)search();
  write("small1", prose(640, 7));
  write("new", prose(900, 1));
  age("large1", std::chrono::minutes(5));  // another time, the same bytes
  const SimilarFiles found = search();
  EXPECT_EQ(found.num_reused, found.num_read - 3);
  EXPECT_EQ(found.read_bytes, 640U + 900 + 30000);
  expect_same_as_without(found);
  EXPECT_EQ(search().read_bytes, 0U);
}

TEST_F(KeptIndex, FilesThatAreGoneAreForgotten) {
  (void)search();
  const auto bytes_of_catalogue = fs::file_size(options_.index_folder + "/CATALOGUE");
  fs::remove(tree_.path("tree/large1"));
  fs::rename(tree_.path("tree/small2"), tree_.path("tree/small9"));
  const SimilarFiles found = search();
  expect_same_as_without(found);
  EXPECT_LT(fs::file_size(options_.index_folder + "/CATALOGUE"), bytes_of_catalogue);
  fs::remove(tree_.path("tree/large2"));
  const auto file = [&] {
    uint64_t bytes = 0;
    for (const auto& entry : fs::directory_iterator(options_.index_folder)) bytes += entry.file_size();
    return bytes;
  };
  const uint64_t before = file();
  (void)search();  // less than half of the fingerprints is of use now
  EXPECT_LT(file(), before / 2);
  expect_same_as_without(search());
}

TEST_F(KeptIndex, FilesOfOtherTreesStay) {
  (void)search();
  tree_.write("other/a", prose(2000, 1));
  SimilarOptions options = options_;
  options.inputs = {tree_.path("other")};
  options.references = {tree_.path("tree")};
  const SimilarFiles found = find_similar(options).value();
  EXPECT_EQ(found.num_reused, found.num_read - 1);
  options.references.clear();
  (void)find_similar(options).value();
  EXPECT_EQ(search().read_bytes, 0U);
}

TEST_F(KeptIndex, AFileWrittenJustNowIsReadAgain) {
  tree_.write("tree/now", prose(3000, 5));
  (void)search();
  EXPECT_EQ(search().read_bytes, 3000U);
}

TEST_F(KeptIndex, BinaryFilesAreKnownToBeSo) {
  write("binary", std::string(5000, '\0'));
  EXPECT_EQ(search().skipped.size(), 1U);
  const SimilarFiles again = search();
  EXPECT_EQ(again.skipped.size(), 1U);
  EXPECT_EQ(again.read_bytes, 0U);
  options_.filter.binary = true;
  const SimilarFiles with = search();
  EXPECT_EQ(with.read_bytes, 5000U);
  EXPECT_EQ(search().read_bytes, 0U);
}

TEST_F(KeptIndex, BinaryFilesThatAreLeftOutSayNothing) {
  std::string binary(1, '\0'), large[2];
  for (unsigned i = 0; i < 20; ++i) {
    const std::string shared = prose(130, 200 + i);
    binary += shared;
    for (unsigned k = 0; k < 2; ++k) large[k] += shared + prose(400, 300 + 2 * i + k);
  }
  write("binary", binary);
  write("large3", large[0]);
  write("large4", large[1]);
  options_.threshold = 0.01;
  options_.common_files = 1;
  options_.filter.binary = true;
  (void)search();
  options_.filter.binary = false;
  for (const auto common : {CommonPassages::kCount, CommonPassages::kIgnore, CommonPassages::kWeigh}) {
    options_.common = common;
    expect_same_as_without(search());
  }
}

TEST_F(KeptIndex, ManyRunsLeaveFewFiles) {
  for (unsigned i = 0; i < 30; ++i) {
    write("changing", prose(1000, 100 + i));
    (void)search();
    ASSERT_LE(num_data_files(), 9U);
  }
  expect_same_as_without(search());
}

TEST_F(KeptIndex, OtherSettingsAreRefused) {
  (void)search();
  options_.selection.window = 32;
  const auto found = find_similar(options_);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, Code::kMismatch);
  EXPECT_NE(found.error().message.find("--window 64"), std::string::npos) << found.error().message;
  EXPECT_NE(found.error().message.find("--window 32"), std::string::npos) << found.error().message;
  options_.selection.window = 64;
  options_.fold = Fold::kCode;
  EXPECT_EQ(find_similar(options_).error().code, Code::kMismatch);
}

TEST_F(KeptIndex, AFolderOfOtherFilesIsRefused) {
  options_.index_folder = tree_.path("tree");
  EXPECT_EQ(find_similar(options_).error().code, Code::kInvalidArgument);
  EXPECT_FALSE(fs::exists(tree_.path("tree/LOCK")));
}

TEST_F(KeptIndex, AnotherMethodIsRefused) {
  (void)search();
  const std::string path = options_.index_folder + "/CATALOGUE";
  Catalogue catalogue = parse_catalogue(read_file(path).value(), path).value();
  ASSERT_TRUE(catalogue.settings.starts_with("method 2\n")) << catalogue.settings;
  for (const std::string method : {"", "method 1\n"}) {
    Catalogue other = catalogue;
    other.settings.replace(0, 9, method);
    ASSERT_TRUE(write_file_atomically(path, catalogue_bytes(other)));
    const auto found = find_similar(options_);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, Code::kMismatch);
    EXPECT_NE(found.error().message.find("another version of neardup"), std::string::npos) << found.error().message;
  }
}

TEST_F(KeptIndex, OtherBytesOfTheSameSizeAndTimeAreFound) {
  (void)search();
  const auto time = fs::last_write_time(tree_.path("tree/small1"));
  tree_.write("tree/small1", prose(700, 60));  // as large as before
  fs::last_write_time(tree_.path("tree/small1"), time);
  tree_.write("other", prose(800, 61));
  fs::last_write_time(tree_.path("other"), fs::last_write_time(tree_.path("tree/small2")));
  fs::rename(tree_.path("other"), tree_.path("tree/small2"));
  const SimilarFiles found = search();
  EXPECT_EQ(found.read_bytes, 1500U);
  expect_same_as_without(found);
}

TEST_F(KeptIndex, WhatBearsSimilarNamesIsNotRemoved) {
  (void)search();
  const std::vector<std::string> others = {
      "fingerprints-of-suspects/sub/x", "fingerprints-", "fingerprints-1.bin",
      "fingerprints-000007.bin",        "CATALOGUE.old", "fingerprints-000008.bin/x",
      "fingerprints-000009.tmp1-1"};
  for (const std::string& name : others) tree_.write("index/" + name, "mine");
  fs::copy_file(tree_.path("index/fingerprints-000001.bin"), tree_.path("index/fingerprints-000050.bin"));
  tree_.write("index/fingerprints-000051.bin.tmp1-1", "left");
  (void)search();
  for (const std::string& name : others) EXPECT_TRUE(fs::exists(tree_.path("index/" + name))) << name;
  EXPECT_FALSE(fs::exists(tree_.path("index/fingerprints-000050.bin")));
  EXPECT_FALSE(fs::exists(tree_.path("index/fingerprints-000051.bin.tmp1-1")));
}

TEST_F(KeptIndex, AFolderWithSimilarNamesIsRefused) {
  for (const std::string name : {"fingerprints-of-suspects", "CATALOGUE", "CATALOGUE.old", "fingerprints-000001.bin"}) {
    tree_.write("of " + name + "/" + name, "mine");
    options_.index_folder = tree_.path("of " + name);
    const auto found = find_similar(options_);
    ASSERT_FALSE(found) << name;
    EXPECT_EQ(found.error().code, Code::kInvalidArgument);
    EXPECT_NE(found.error().message.find("holds other files"), std::string::npos) << found.error().message;
    EXPECT_TRUE(fs::exists(options_.index_folder + "/" + name));
  }
}

TEST_F(KeptIndex, NoFolderIsMadeWhereNothingIsFound) {
  options_.inputs = {tree_.path("nowhere")};
  EXPECT_EQ(find_similar(options_).error().code, Code::kNotFound);
  EXPECT_FALSE(fs::exists(options_.index_folder));
}

TEST_F(KeptIndex, OneRunAtATime) {
  const auto held = IndexFolder::open(options_.index_folder, options_);
  ASSERT_TRUE(held);
  EXPECT_EQ(find_similar(options_).error().code, Code::kIo);
}

TEST_F(KeptIndex, AnIndexInTheTreeIsNotCompared) {
  options_.index_folder = tree_.path("tree/known");
  options_.filter.binary = true;
  (void)search();
  const SimilarFiles found = search();
  EXPECT_EQ(found.num_read, 8U);
  EXPECT_EQ(found.num_reused, 8U);
  ASSERT_EQ(found.skipped.size(), 1U);
  EXPECT_EQ(found.skipped[0].path, tree_.path("tree/known"));
}

TEST_F(KeptIndex, DamageIsFoundAndTold) {
  (void)search();
  for (const auto& entry : fs::directory_iterator(options_.index_folder)) {
    const fs::path path = entry.path();
    if (path.filename() == "LOCK") continue;
    const auto size = fs::file_size(path);
    for (const uint64_t at : {uint64_t{0}, uint64_t{9}, uint64_t{17}, size / 2, size - 1}) {
      std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
      file.seekg(static_cast<std::streamoff>(at));
      const int before = file.get();
      const auto put = [&](int byte) {
        file.seekp(static_cast<std::streamoff>(at));
        file.put(static_cast<char>(byte));
        file.flush();
      };
      put(before ^ 0x40);
      const auto found = find_similar(options_);
      if (found) {  // the head of a file of fingerprints says nothing that is used
        EXPECT_LT(at, 16U) << path;
        EXPECT_EQ(found->num_reused, found->num_read);
      } else if (at == 0 && path.filename() == "CATALOGUE") {  // it may be somebody's
        EXPECT_EQ(found.error().code, Code::kInvalidArgument) << found.error().message;
        EXPECT_NE(found.error().message.find("holds other files (CATALOGUE)"), std::string::npos);
      } else {
        EXPECT_EQ(found.error().code, Code::kCorruption) << found.error().message;
        EXPECT_NE(found.error().message.find(path.string()), std::string::npos) << found.error().message;
        EXPECT_NE(found.error().message.find("remove CATALOGUE and fingerprints-*.bin"), std::string::npos);
      }
      put(before);
    }
  }
  EXPECT_EQ(search().read_bytes, 0U);
}

TEST_F(KeptIndex, AFileOfFingerprintsThatIsGoneIsDamage) {
  (void)search();
  fs::remove(tree_.path("index/fingerprints-000001.bin"));
  EXPECT_EQ(find_similar(options_).error().code, Code::kCorruption);
}

TEST_F(KeptIndex, AFullDiskLeavesTheIndexAsItWas) {
  (void)search();
  write("new", prose(50000, 77));
  bool has_failed = true;
  for (uint64_t n = 1; has_failed; ++n) {
    FailingFileSystem disk({.n = n, .error = ENOSPC, .lasts = true});
    const ReplacedFileSystem replaced(disk);
    const auto found = find_similar(options_);
    has_failed = disk.failed();
    if (found) continue;
    ASSERT_EQ(found.error().code, Code::kDiskFull) << found.error().message;
    ASSERT_LT(n, 100U);
  }
  const SimilarFiles found = search();
  EXPECT_EQ(found.read_bytes, 0U);
  expect_same_as_without(found);
}

TEST(IndexFormat, WhatIsWrittenIsRead) {
  Catalogue catalogue{"select winnow\n",
                      {{1, 100}, {3, 5000}},
                      {{{{1, 2}, 10, 0}, 1, 16, 20, 7}, {{{1, 2}, 100, 4}, 3, 4000, 1000, 8}},
                      {{"/a", {{1, 2}, 10, 0}, {10, 1234, 5678, 9}, false},
                       {"/b\n", {{1, 3}, 0, 0}, {7, kUnsure, -1, ~uint64_t{0}}, true}}};
  EXPECT_EQ(parse_catalogue(catalogue_bytes(catalogue), "x").value(), catalogue);
  for (const uint64_t number : {uint64_t{0}, (uint64_t{1} << 62) + 1}) {
    Catalogue other = catalogue;
    other.data.back().number = other.records.back().file = number;
    if (number == 0) other.data = {other.data.back()}, other.records = {other.records.back()};
    EXPECT_FALSE(parse_catalogue(catalogue_bytes(other), "x")) << number;
  }
  catalogue.records[1].content.size_bytes = 80;  // 992 bytes are the most
  EXPECT_FALSE(parse_catalogue(catalogue_bytes(catalogue), "x"));
  catalogue.records[1].content.size_bytes = 81;
  EXPECT_TRUE(parse_catalogue(catalogue_bytes(catalogue), "x"));
  catalogue.records[1].offset = 4001;
  EXPECT_FALSE(parse_catalogue(catalogue_bytes(catalogue), "x"));
  catalogue.records.pop_back();
  std::swap(catalogue.files[0], catalogue.files[1]);
  EXPECT_FALSE(parse_catalogue(catalogue_bytes(catalogue), "x"));

  const uint64_t one = uint64_t{0x01'2345'6789} << 24, two = ~uint64_t{0xffffff};
  const FileFingerprints fingerprints{false, {{one, 3}, {two, kMaxWeight}, {one, 0}}, {two, one}};
  FileFingerprints out;
  EXPECT_TRUE(parse_record(record_bytes(fingerprints), out));
  EXPECT_EQ(out, fingerprints);
  EXPECT_FALSE(parse_record(record_bytes(fingerprints) + "x", out));
  EXPECT_FALSE(parse_record("\2" + record_bytes(fingerprints).substr(1), out));
  EXPECT_FALSE(parse_record(record_bytes(fingerprints).substr(0, 20), out));
}

}  // namespace
}  // namespace neardup::sif
