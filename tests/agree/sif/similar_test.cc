// Pairs against the sets of all substrings, and WindowSet against the same.
#include "neardup/sif/similar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include "neardup/sif/fingerprint_file.h"
#include "neardup/sif/window_set.h"
#include "tests/unit/sif/temporary_tree.h"

namespace neardup::sif {
namespace {

std::set<std::string> substrings(const std::string& text, size_t length) {
  std::set<std::string> all;
  for (size_t i = 0; i + length <= text.size(); ++i) all.insert(text.substr(i, length));
  return all;
}

uint64_t num_shared(const std::set<std::string>& a, const std::set<std::string>& b) {
  uint64_t count = 0;
  for (const std::string& one : a) count += b.count(one);
  return count;
}

TEST(WindowSetAgrees, OnAllSmallTexts) {
  std::vector<std::string> texts;
  for (int size = 0; size <= 7; ++size)
    for (uint32_t bits = 0; bits < 1U << size; ++bits) {
      std::string text;
      for (int i = 0; i < size; ++i) text += (bits >> i & 1) != 0 ? 'b' : 'a';
      texts.push_back(text);
    }
  WindowScratch scratch;
  Pieces pieces;
  for (const std::string& a : texts) {
    WindowSet windows;
    windows.assign(a, 3, scratch);
    const auto all = substrings(a, 3);
    ASSERT_EQ(windows.num_distinct(), all.size());
    for (const std::string& b : texts) {
      find_pieces(b, 3, scratch, pieces);
      ASSERT_EQ(windows.count_shared(b, pieces, scratch), num_shared(all, substrings(b, 3))) << a << " " << b;
      uint64_t end = 0;
      std::set<std::string> covered;
      for (const Passage& passage : windows.passages(b, scratch)) {
        ASSERT_EQ(a.substr(passage.a, passage.size_bytes), b.substr(passage.b, passage.size_bytes));
        ASSERT_GE(passage.b, end);
        end = passage.b + passage.size_bytes;
      }
    }
  }
}

// Whole texts of few words: substrings repeat, overlap and come in another order.
TEST(WindowSetAgrees, OnTextsThatRepeat) {
  std::mt19937 random(3);
  const auto text_of = [&](size_t size) {
    static constexpr const char* kWords[] = {"abcabcab", "aaaaaaaaaaaa", "the end.", "\n", "abcabx"};
    std::string text;
    while (text.size() < size) text += kWords[random() % std::size(kWords)];
    return text;
  };
  WindowScratch scratch;
  Pieces pieces;
  for (const size_t length : {4U, 13U, 50U})
    for (int round = 0; round < 100; ++round) {
      const std::string a = text_of(random() % 2000), rest = text_of(random() % 500);
      const size_t begin = a.empty() ? 0 : random() % a.size();
      const std::string b = rest + a.substr(begin, random() % 800) + rest;
      WindowSet windows;
      windows.assign(a, length, scratch);
      ASSERT_EQ(windows.num_distinct(), substrings(a, length).size());
      find_pieces(b, length, scratch, pieces);
      ASSERT_EQ(windows.count_shared(b, pieces, scratch), num_shared(substrings(a, length), substrings(b, length)));
    }
}

// Files made of pieces that they share in part.
std::vector<std::string> made_up_files(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::string> pieces, files;
  for (int i = 0; i < 40; ++i) {
    std::string piece(60 + random() % 900, ' ');
    for (char& byte : piece) byte = static_cast<char>('a' + random() % 26);
    pieces.push_back(piece);
  }
  for (int i = 0; i < 60; ++i) {
    std::string file;
    for (size_t n = 1 + random() % (i % 10 == 0 ? 30 : 5); n > 0; --n) file += pieces[random() % pieces.size()] + "\n";
    files.push_back(file);
  }
  return files;
}

struct Share {
  double a_in_b, b_in_a;
};

std::map<std::pair<std::string, std::string>, Share> slow_pairs(const TemporaryTree& tree,
                                                                const std::vector<std::string>& files) {
  std::vector<std::set<std::string>> sets;
  for (const std::string& file : files) sets.push_back(substrings(file, 50));
  std::map<std::pair<std::string, std::string>, Share> pairs;
  for (size_t a = 0; a < files.size(); ++a)
    for (size_t b = a + 1; b < files.size(); ++b) {
      const auto shared = static_cast<double>(num_shared(sets[a], sets[b]));
      pairs[{tree.path("f" + std::to_string(1000 + a)), tree.path("f" + std::to_string(1000 + b))}] = {
          shared / static_cast<double>(sets[a].size()), shared / static_cast<double>(sets[b].size())};
    }
  return pairs;
}

TEST(SimilarAgrees, VerifiedPairsAreTheExactOnesAndEstimatesAreNear) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const TemporaryTree tree;
    auto files = made_up_files(seed);
    std::sort(files.begin(), files.end());
    files.erase(std::unique(files.begin(), files.end()), files.end());
    for (size_t i = 0; i < files.size(); ++i) tree.write("f" + std::to_string(1000 + i), files[i]);
    const auto truth = slow_pairs(tree, files);
    SimilarOptions options;
    options.inputs = {tree.path()};
    options.fold = Fold::kNone;
    const auto estimated = find_similar(options).value();
    double error = 0;
    for (const SimilarPair& pair : estimated.pairs) {
      const Share share = truth.at({estimated.files[pair.a].path, estimated.files[pair.b].path});
      const double off = std::abs(static_cast<double>(pair.similarity()) - std::max(share.a_in_b, share.b_in_a));
      EXPECT_LE(off, 0.15);  // pieces of 60 bytes, of which a large file may have kept nothing
      error += off;
    }
    ASSERT_GT(estimated.pairs.size(), 100U);
    EXPECT_LE(error / static_cast<double>(estimated.pairs.size()), 0.02);
    size_t num_counted = 0;
    const auto is_sure = [&](uint32_t file, float share) {
      return share - doubt_of(estimated.files[file], options) > 0.25F;
    };
    for (const SimilarPair& pair : estimated.pairs) {
      EXPECT_TRUE(pair.is_exact || is_sure(pair.a, pair.a_in_b) || is_sure(pair.b, pair.b_in_a));
      num_counted += pair.is_exact ? 1 : 0;
    }
    EXPECT_GT(num_counted, 0U);
    EXPECT_LT(num_counted, estimated.pairs.size());
    options.verify = true;
    const auto verified = find_similar(options).value();
    size_t num_true = 0;
    for (const auto& [names, share] : truth) num_true += std::max(share.a_in_b, share.b_in_a) >= 0.25 ? 1 : 0;
    EXPECT_EQ(verified.pairs.size(), num_true);
    for (const SimilarPair& pair : verified.pairs) {
      const Share share = truth.at({verified.files[pair.a].path, verified.files[pair.b].path});
      EXPECT_TRUE(pair.is_exact);
      EXPECT_NEAR(static_cast<double>(pair.a_in_b), share.a_in_b, 1e-6);
      EXPECT_NEAR(static_cast<double>(pair.b_in_a), share.b_in_a, 1e-6);
    }
  }
}

TEST(SimilarAgrees, ManyPairsOfAboutTheSameSimilarityAreInOrder) {
  const TemporaryTree tree;
  std::mt19937 random(11);
  const auto letters = [&](size_t size) {
    std::string text(size, ' ');
    for (char& byte : text) byte = static_cast<char>('a' + random() % 26);
    return text;
  };
  const std::string licence = letters(700);
  for (int i = 0; i < 70; ++i) tree.write("f" + std::to_string(1000 + i), licence + letters(695 + random() % 10));
  SimilarOptions options;
  options.inputs = {tree.path()};
  const auto found = find_similar(options).value();
  EXPECT_EQ(found.pairs.size(), 70U * 69 / 2);
  const auto before = [](const SimilarPair& x, const SimilarPair& y) {
    return std::tuple(-x.similarity(), x.a, x.b) < std::tuple(-y.similarity(), y.a, y.b);
  };
  EXPECT_TRUE(std::is_sorted(found.pairs.begin(), found.pairs.end(), before));
}

}  // namespace
}  // namespace neardup::sif
