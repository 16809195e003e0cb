#include "neardup/sif/similar.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <random>

#include "neardup/base/disk/file_id.h"
#include "neardup/sif/file_bytes.h"
#include "neardup/sif/shared_text.h"
#include "tests/unit/sif/temporary_tree.h"

namespace neardup::sif {
namespace {

std::string words(size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::string text(size, ' ');
  for (char& byte : text) byte = static_cast<char>("etaoin shrdlu\n"[random() % 14]);
  return text;
}

SimilarFiles search(SimilarOptions options) { return find_similar(options).value(); }

std::string name(const SimilarFiles& found, uint32_t file) {
  return std::filesystem::path(found.files[file].path).filename().string();
}

TEST(Similar, TellsBothDirections) {
  const TemporaryTree tree;
  tree.write("large", words(20000, 1));
  tree.write("part", words(20000, 1).substr(4000, 5000));
  tree.write("other", words(20000, 2));
  for (const bool verify : {false, true}) {
    SimilarOptions options;
    options.inputs = {tree.path()};
    options.verify = verify;
    const auto found = search(options);
    ASSERT_EQ(found.pairs.size(), 1U);
    EXPECT_EQ(name(found, found.pairs[0].a), "large");
    EXPECT_NEAR(found.pairs[0].a_in_b, 0.25, 0.02);
    EXPECT_NEAR(found.pairs[0].b_in_a, 1, 0.02);
    EXPECT_EQ(found.pairs[0].is_exact, verify);
  }
}

TEST(Similar, EqualFilesHaveOnePairWithTheFirst) {
  const TemporaryTree tree;
  for (const char* file : {"a", "b/c", "d"}) tree.write(file, words(3000, 3));
  tree.write("e", words(2000, 3));
  tree.write("empty1", "");
  tree.write("empty2", "");
  SimilarOptions options;
  options.inputs = {tree.path()};
  const auto found = search(options);
  ASSERT_EQ(found.pairs.size(), 4U);
  size_t num_equal = 0;
  for (const SimilarPair& pair : found.pairs) num_equal += pair.is_equal ? 1 : 0;
  EXPECT_EQ(num_equal, 3U);
  EXPECT_EQ(name(found, found.pairs[3].a), "a");
  EXPECT_EQ(name(found, found.pairs[3].b), "e");
  EXPECT_EQ(groups_of(found.pairs, found.files.size()).size(), 2U);
}

TEST(Similar, ReferencesAreComparedWithInputsAlone) {
  const TemporaryTree tree;
  tree.write("in/a", words(6000, 4));
  tree.write("in/b", words(6000, 4) + "x");
  tree.write("in/short", "short");
  tree.write("ref/a", words(6000, 4) + words(300, 5));
  tree.write("ref/c", words(6000, 4) + words(300, 6));
  tree.write("ref/short", "short");
  tree.write("ref/tiny", words(6000, 4).substr(100, 200));
  SimilarOptions options;
  options.inputs = {tree.path("in")};
  options.references = {tree.path("ref")};
  const auto found = search(options);
  EXPECT_EQ(found.pairs.size(), 7U);
  for (const SimilarPair& pair : found.pairs) {
    EXPECT_FALSE(found.files[pair.a].is_reference);
    EXPECT_TRUE(found.files[pair.b].is_reference);
  }
  EXPECT_TRUE(found.pairs[0].is_equal);
}

TEST(Similar, EqualReferencesAreToldWhereOneIsFound) {
  const TemporaryTree tree;
  tree.write("in/a", words(3000, 4));
  for (const char* file : {"ref/b", "ref/c"}) tree.write(file, words(3000, 4) + "x");
  for (const char* file : {"ref/d", "ref/e"}) tree.write(file, words(3000, 5));
  SimilarOptions options;
  options.inputs = {tree.path("in")};
  options.references = {tree.path("ref")};
  const auto found = search(options);
  ASSERT_EQ(found.pairs.size(), 2U);
  EXPECT_EQ(name(found, found.pairs[0].a), "b");
  EXPECT_EQ(name(found, found.pairs[0].b), "c");
  EXPECT_EQ(name(found, found.pairs[1].b), "b");
}

TEST(Similar, WhatIsNotComparedIsTold) {
  const TemporaryTree tree;
  tree.write("text", words(1000, 1));
  tree.write("binary", std::string("\0\1\2", 3));
  tree.write(".hidden", words(1000, 1));
  std::filesystem::create_symlink("text", tree.path("link"));
  std::filesystem::create_hard_link(tree.path("text"), tree.path("text2"));
  std::filesystem::create_symlink(tree.path(), tree.path("loop"));
  SimilarOptions options;
  options.inputs = {tree.path()};
  const auto found = search(options);
  EXPECT_EQ(found.num_read, 1U);
  EXPECT_EQ(found.skipped.size(), 4U);
  options.filter.hidden = options.filter.binary = true;
  const auto all = search(options);
  EXPECT_EQ(all.num_read, 3U);
  EXPECT_EQ(all.pairs.size(), 1U);
}

TEST(Similar, TheSameForAnyNumberOfThreads) {
  const TemporaryTree tree;
  for (unsigned i = 0; i < 60; ++i)
    tree.write("f" + std::to_string(i), words(200 + 300 * i, i % 7) + words(500, i % 5));
  SimilarOptions options;
  options.inputs = {tree.path()};
  options.num_threads = 1;
  const auto one = search(options);
  options.num_threads = 7;
  const auto seven = search(options);
  ASSERT_EQ(one.pairs.size(), seven.pairs.size());
  ASSERT_GT(one.pairs.size(), 60U);
  for (size_t i = 0; i < one.pairs.size(); ++i) {
    EXPECT_EQ(one.pairs[i].a, seven.pairs[i].a);
    EXPECT_EQ(one.pairs[i].b, seven.pairs[i].b);
    EXPECT_EQ(one.pairs[i].a_in_b, seven.pairs[i].a_in_b);
  }
}

TEST(Similar, CommonPassagesCanBeIgnored) {
  const TemporaryTree tree;
  const std::string licence = words(6000, 99);
  for (unsigned i = 0; i < 40; ++i) tree.write("f" + std::to_string(i), licence + words(6000, i));
  tree.write("g", licence + words(6000, 1).substr(0, 5000));
  SimilarOptions options;
  options.inputs = {tree.path()};
  EXPECT_EQ(search(options).pairs.size(), 41U * 40 / 2);
  options.common = CommonPassages::kIgnore;
  const auto found = search(options);
  ASSERT_EQ(found.pairs.size(), 1U);
  EXPECT_NEAR(found.pairs[0].b_in_a, 1, 0.05);
  options.common = CommonPassages::kWeigh;
  EXPECT_NEAR(search(options).pairs[0].similarity(), 1, 0.05);
}

TEST(Similar, PairsThatStandOnCommonPassagesAreCounted) {
  const TemporaryTree tree;
  for (unsigned i = 0; i < 30; ++i) tree.write("page" + std::to_string(i), words(2000, 1) + words(1500, 100 + i));
  tree.write("copy", words(2000, 1) + words(1500, 100) + words(20, 9));
  SimilarOptions options;
  options.inputs = {tree.path()};
  const auto found = search(options);
  EXPECT_EQ(found.pairs.size(), 31U * 30 / 2);
  EXPECT_EQ(found.num_by_common, found.pairs.size() - 1) << "all but the copy and its page";
  options.common = CommonPassages::kIgnore;
  const auto without = search(options);
  EXPECT_EQ(without.pairs.size(), 1U);
  EXPECT_EQ(without.num_by_common, 0U);
}

TEST(Similar, CommonPassagesOfSmallFilesWeighLess) {
  const TemporaryTree tree;
  const std::string licence = words(120, 99);
  for (unsigned i = 0; i < 30; ++i) tree.write("f" + std::to_string(i), licence + words(20, i));
  SimilarOptions options;
  options.inputs = {tree.path()};
  options.common_files = 20;
  options.common = CommonPassages::kWeigh;
  const auto found = search(options);
  ASSERT_EQ(found.pairs.size(), 30U * 29 / 2);
  for (const SimilarPair& pair : found.pairs) EXPECT_NEAR(pair.similarity(), 0.703, 0.08);  // 71 * 20 / 30 and 20 of 91
  options.common = CommonPassages::kIgnore;
  EXPECT_TRUE(search(options).pairs.empty());
}

TEST(Similar, RepeatedLinesAreNotGuessedTwice) {
  const TemporaryTree tree;
  const std::string line = words(79, 5) + "\n";
  std::string large;
  for (int i = 0; i < 20000; ++i) large += line;
  tree.write("large", large);
  tree.write("small", large.substr(0, 2400));
  SimilarOptions options;
  options.inputs = {tree.path()};
  const auto found = search(options);
  ASSERT_EQ(found.pairs.size(), 1U);
  EXPECT_NEAR(found.pairs[0].a_in_b, 1, 0.03);
  EXPECT_NEAR(found.pairs[0].b_in_a, 1, 0.03);
}

TEST(Similar, PipesAndFilesOfTheSystemAreLeftOut) {
  const TemporaryTree tree;
  tree.write("text", words(1000, 1));
  SimilarOptions options;
  options.inputs = {tree.path(), "/proc/self/status", "/proc/cpuinfo"};
  const auto found = search(options);
  EXPECT_EQ(found.num_read, 1U);
  ASSERT_EQ(found.skipped.size(), 2U);
  EXPECT_NE(found.skipped[0].reason.find("no regular file"), std::string::npos) << found.skipped[0].reason;
  ASSERT_EQ(::mkfifo(tree.path("pipe").c_str(), 0600), 0);
  std::string bytes;
  EXPECT_EQ(load_bytes(tree.path("pipe"), 1000, bytes).error().code, Code::kIo);
}

TEST(Similar, ExcludedFoldersAndOwnOutputAreNotCompared) {
  const TemporaryTree tree;
  for (const char* file : {"a/b", "build/x", "build/deep/y", "other/z", "out.tsv"}) tree.write(file, words(500, 1));
  SimilarOptions options;
  options.inputs = {tree.path()};
  EXPECT_EQ(search(options).num_read, 5U);
  for (const char* pattern : {"build", "build/", "build/**"}) {
    options.filter.exclude = {pattern};
    EXPECT_EQ(search(options).num_read, 3U) << pattern;
  }
  const auto written = file_id(tree.path("out.tsv"));
  ASSERT_TRUE(written);
  options.left_out = {*written};
  EXPECT_EQ(search(options).num_read, 2U);
}

TEST(Similar, AFileThatWillBeReplacedIsNoInput) {
  const TemporaryTree tree;
  for (const char* file : {"a/b", "a/c", "out.tsv"}) tree.write(file, words(500, 1));
  SimilarOptions options;
  options.inputs = {tree.path()};
  options.outputs = {tree.path("none"), tree.path("a/../out.tsv")};
  const auto found = find_similar(options);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, Code::kInvalidArgument);
  EXPECT_NE(found.error().message.find("--exclude out.tsv"), std::string::npos) << found.error().message;
  options.filter.exclude = {"out.tsv"};
  EXPECT_EQ(search(options).num_read, 2U);
  options.references = {tree.path("out.tsv")};
  EXPECT_FALSE(find_similar(options));
}

TEST(Similar, AFileThatChangedHasNoPassagesToShow) {
  const TemporaryTree tree;
  tree.write("a", words(3000, 1));
  tree.write("b", words(3000, 1) + "x");
  SimilarOptions options;
  options.inputs = {tree.path()};
  const auto found = search(options);
  ASSERT_EQ(found.pairs.size(), 1U);
  EXPECT_TRUE(shared_passages(found, found.pairs[0], options));
  EXPECT_EQ(passages_or_reason(found, found.pairs[0], options).value().reason, "");
  tree.write("b", words(3000, 2));
  const PassagesOrReason none = passages_or_reason(found, found.pairs[0], options).value();
  EXPECT_TRUE(none.passages.empty());
  EXPECT_NE(none.reason.find("has changed"), std::string::npos);
  EXPECT_EQ(shared_passages(found, found.pairs[0], options).error().code, Code::kIo);
}

TEST(Similar, PassagesHaveBytesAndLines) {
  const TemporaryTree tree;
  const std::string shared = words(400, 7);
  tree.write("a", "one\ntwo\n" + shared + "\n" + words(300, 8));
  tree.write("b", "zero\n" + shared + "\n" + words(200, 9));
  SimilarOptions options;
  options.inputs = {tree.path()};
  const auto found = search(options);
  ASSERT_EQ(found.pairs.size(), 1U);
  const auto passages = shared_passages(found, found.pairs[0], options, {.texts = true}).value();
  ASSERT_FALSE(passages.empty());
  EXPECT_GE(passages[0].a.end - passages[0].a.begin, 400U);
  EXPECT_EQ(passages[0].text_a, passages[0].text_b);
  EXPECT_NE(passages[0].text_a.find(shared), std::string::npos);
  EXPECT_EQ(passages[0].a.begin - passages[0].b.begin, 3U);
  EXPECT_EQ(passages[0].a.first_line, passages[0].b.first_line + 1);
}

TEST(Similar, OnlyPassagesThatAreAskedForAreMade) {
  const TemporaryTree tree;
  std::string a, b;
  for (unsigned i = 0; i < 9; ++i) {
    a += words(100 + 10 * i, i) + words(90, 50 + i);
    b += words(100 + 10 * i, i) + words(90, 70 + i);
  }
  tree.write("a", a);
  tree.write("b", b);
  SimilarOptions options;
  options.inputs = {tree.path()};
  const auto found = search(options);
  ASSERT_EQ(found.pairs.size(), 1U);
  const auto all = shared_passages(found, found.pairs[0], options).value();
  ASSERT_GE(all.size(), 9U);
  const auto three = shared_passages(found, found.pairs[0], options, {3, true}).value();
  ASSERT_EQ(three.size(), 3U);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(three[i].a, all[i].a);
    EXPECT_EQ(three[i].b, all[i].b);
    EXPECT_EQ(three[i].text_b, b.substr(all[i].b.begin, all[i].b.end - all[i].b.begin));
    EXPECT_TRUE(all[i].text_a.empty());
  }
}

TEST(Similar, TooLittleMemoryIsToldBeforeTheWork) {
  const TemporaryTree tree;
  tree.write("a", words(100000, 1));
  SimilarOptions options;
  options.inputs = {tree.path()};
  options.memory_bytes = 1000;
  const auto found = find_similar(options);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, Code::kMemory);
}

TEST(Similar, ASmallerWindowNeedsMoreMemory) {
  const TemporaryTree tree;
  tree.write("a", words(100000, 1));
  SimilarOptions options;
  options.inputs = {tree.path()};
  options.memory_bytes = 1 << 20;
  EXPECT_TRUE(find_similar(options));
  options.selection.window = 1;
  const auto found = find_similar(options);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, Code::kMemory);
}

TEST(Similar, MorePairsThanThereIsRoomForAreAnError) {
  const TemporaryTree tree;
  const std::string licence = words(400, 99);
  for (unsigned i = 0; i < 600; ++i) tree.write("f" + std::to_string(i), licence + words(100, i));
  SimilarOptions options;
  options.inputs = {tree.path()};
  EXPECT_EQ(search(options).pairs.size(), 600U * 599 / 2);
  options.memory_bytes = 6 << 20;
  const auto found = find_similar(options);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, Code::kMemory);
}

TEST(Similar, NamesAreShownOnOneLineAndStayDifferent) {
  EXPECT_EQ(printable_path("a/b ü"), "a/b ü");
  EXPECT_EQ(printable_path("a\tb\nc\\"), "a\\tb\\nc\\\\");
  EXPECT_EQ(printable_path("\xff\x1b"), "\\xff\\x1b");
  EXPECT_EQ(printable_path("\xc2\x9b"), "\\xc2\\x9b");
  EXPECT_EQ(printable_path("\xc3"), "\\xc3");
  EXPECT_NE(printable_path("\\xff"), printable_path("\xff"));
}

TEST(Similar, PathsThatAreNotThereAreErrors) {
  SimilarOptions options;
  EXPECT_EQ(find_similar(options).error().code, Code::kInvalidArgument);
  options.inputs = {"/there/is/no/such/file"};
  EXPECT_EQ(find_similar(options).error().code, Code::kNotFound);
}

}  // namespace
}  // namespace neardup::sif
