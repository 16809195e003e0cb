// Runs with an index against runs without one, over random edits of a tree.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <string>

#include "neardup/sif/similar.h"
#include "tests/unit/sif/temporary_tree.h"

namespace neardup::sif {
namespace {

namespace fs = std::filesystem;

// A tree that changes.
class ChangingTree {
 public:
  explicit ChangingTree(unsigned seed) : random_(seed) {
    for (int i = 0; i < 30; ++i) {
      std::string piece(60 + random_() % 3000, ' ');
      for (char& byte : piece) byte = static_cast<char>("abcdefgh (){};\n"[random_() % 15]);
      pieces_.push_back(piece);
    }
    for (int i = 0; i < 25; ++i) edit();
  }

  void edit() {
    const std::string name = "f" + std::to_string(random_() % 40) + (random_() % 2 == 0 ? ".c" : ".txt");
    const std::string path = "tree/" + name, full = tree_.path(path);
    switch (random_() % 6) {
      case 0:
        fs::remove(full);
        return;
      case 1:
        if (fs::exists(full)) fs::rename(full, tree_.path("tree/g" + std::to_string(random_() % 9)));
        return;
      case 2:
        if (fs::exists(full)) age(full);  // the same bytes at another time
        return;
      case 3:
        if (fs::exists(full)) fs::copy_file(full, full + "~", fs::copy_options::overwrite_existing);
        return;
      default:
        tree_.write(path, made_up());
        if (random_() % 4 != 0) age(full);
    }
  }

  [[nodiscard]] std::string path(const std::string& below) const { return tree_.path(below); }

 private:
  std::string made_up() {
    std::string bytes;
    for (size_t n = random_() % (random_() % 5 == 0 ? 20 : 3); n > 0; --n) bytes += pieces_[random_() % pieces_.size()];
    if (random_() % 10 == 0) bytes += '\0';
    return bytes;
  }
  void age(const std::string& full) {
    fs::last_write_time(full, fs::file_time_type::clock::now() - std::chrono::minutes(1 + random_() % 100000));
  }

  TemporaryTree tree_;
  std::mt19937 random_;
  std::vector<std::string> pieces_;
};

void expect_equal(const SimilarFiles& with, const SimilarFiles& without) {
  ASSERT_EQ(with.files.size(), without.files.size());
  for (size_t i = 0; i < with.files.size(); ++i) {
    EXPECT_EQ(with.files[i].path, without.files[i].path);
    EXPECT_EQ(with.files[i].checksum, without.files[i].checksum);
    EXPECT_EQ(with.files[i].weight, without.files[i].weight);
    EXPECT_EQ(with.files[i].same_as, without.files[i].same_as);
    EXPECT_EQ(with.files[i].is_read, without.files[i].is_read);
  }
  EXPECT_EQ(with.skipped.size(), without.skipped.size());
  EXPECT_EQ(with.num_fingerprints, without.num_fingerprints);
  ASSERT_EQ(with.pairs.size(), without.pairs.size());
  for (size_t i = 0; i < with.pairs.size(); ++i) {
    const SimilarPair &x = with.pairs[i], &y = without.pairs[i];
    EXPECT_EQ(std::tuple(x.a, x.b, x.a_in_b, x.b_in_a, x.is_equal, x.is_exact),
              std::tuple(y.a, y.b, y.a_in_b, y.b_in_a, y.is_equal, y.is_exact));
  }
}

TEST(IndexAgrees, OverRandomEdits) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    ChangingTree tree(seed);
    SimilarOptions options;
    options.inputs = {tree.path("tree")};
    options.threshold = 0.05;
    options.fold = seed % 2 == 0 ? Fold::kCode : Fold::kNone;
    options.num_threads = static_cast<int>(1 + seed % 3);
    if (seed == 5) options.selection.kind = SelectionKind::kSample;
    uint64_t num_pairs = 0, num_reused = 0;
    for (int turn = 0; turn < 25; ++turn) {
      for (int edits = turn % 4; edits > 0; --edits) tree.edit();
      options.filter.binary = turn % 5 == 1;  // what such a run has stored must not show in the next one
      options.common = turn % 3 == 2 ? CommonPassages::kIgnore : CommonPassages::kCount;
      options.common_files = 3;
      const SimilarFiles without = find_similar(options).value();
      SimilarOptions kept = options;
      kept.index_folder = tree.path("index");
      const SimilarFiles with = find_similar(kept).value();
      expect_equal(with, without);
      num_pairs += with.pairs.size();
      num_reused += with.num_reused;
      if (testing::Test::HasFailure()) FAIL() << "seed " << seed << ", turn " << turn;
    }
    EXPECT_GT(num_pairs, 50U);
    EXPECT_GT(num_reused, 100U);
  }
}

}  // namespace
}  // namespace neardup::sif
