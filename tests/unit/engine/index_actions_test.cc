#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/engine/index/actions.h"
#include "neardup/engine/index/query.h"
#include "tests/own_path.h"

namespace neardup::engine {
namespace {

class IndexActions : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(create_directories(folder_)); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string file(const std::string& name, const std::string& lines) const {
    const std::string path = folder_ + "/" + name;
    EXPECT_TRUE(write_file_atomically(path, lines));
    return path;
  }
  [[nodiscard]] std::string index() const { return folder_ + "/index"; }

  const std::string folder_ = own_path();
  const store::DirectoryOptions options_ = index_options(1, 0, {});
};

struct Match {
  std::string query, id;
  int distance = 0;
  bool operator==(const Match&) const = default;
};

Result<std::vector<Match>> matches(const std::string& index, const std::string& path, std::optional<int> distance) {
  std::vector<Match> found;
  NEARDUP_TRY(query_index(index, path, distance, index_options(1, 0, {}),
                          {[] { return Status(); },
                           [&](std::string_view query, std::string_view id, int bits) {
                             found.push_back({std::string(query), std::string(id), bits});
                           },
                           [] { return Status(); }}));
  return found;
}

TEST_F(IndexActions, WhatIsAddedIsFoundUntilItIsDeleted) {
  const std::string first = file("first.tsv", "a\t0000000000000000\nb\t0000000000000001\nfar\t00000000000000ff\n");
  const auto created = create_index(index(), {}, {first}, options_);
  ASSERT_TRUE(created) << created.error().message;
  EXPECT_EQ(created->documents, 3U);
  EXPECT_EQ(created->replaced, 0U);
  const auto added = add_to_index(index(), {file("more.tsv", "b\t0000000000000003\nc\t0000000000000007\n")}, options_);
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(added->documents, 2U);
  EXPECT_EQ(added->replaced, 1U);
  EXPECT_EQ(added->held, 4U);
  const std::string query = file("query.tsv", "q\t0000000000000000\n");
  EXPECT_EQ(matches(index(), query, {}).value(), (std::vector<Match>{{"q", "a", 0}, {"q", "b", 2}, {"q", "c", 3}}));
  EXPECT_EQ(matches(index(), query, 1).value(), (std::vector<Match>{{"q", "a", 0}}));
  const auto deletion = delete_from_index(index(), {"a", "nobody"}, options_);
  ASSERT_TRUE(deletion) << deletion.error().message;
  EXPECT_EQ(deletion->deleted, 1U);
  EXPECT_EQ(deletion->missing, std::vector<std::string>{"nobody"});
  EXPECT_EQ(matches(index(), query, {}).value(), (std::vector<Match>{{"q", "b", 2}, {"q", "c", 3}}));
}

TEST_F(IndexActions, ADistanceBeyondTheIndexIsRefusedBeforeAnythingBegins) {
  ASSERT_TRUE(create_index(index(), {}, {}, options_));
  const auto found = matches(index(), file("query.tsv", "q\t0000000000000000\n"), 9);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, Code::kInvalidArgument);
}

TEST_F(IndexActions, AMissingFileLeavesNoIndex) {
  const auto created = create_index(index(), {}, {folder_ + "/nowhere.tsv"}, options_);
  ASSERT_FALSE(created);
  EXPECT_EQ(created.error().code, Code::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(index()));
}

TEST_F(IndexActions, IdsAreThoseOfTheFirstColumn) {
  EXPECT_EQ(read_ids(file("ids", "a\n\nb\\tc\tignored\nlast")).value(),
            (std::vector<std::string>{"a", "b\tc", "last"}));
}

TEST_F(IndexActions, FactsAndSizeTellOfTheSameDocuments) {
  ASSERT_TRUE(create_index(index(), {}, {file("f.tsv", "a\t0000000000000000\n")}, options_));
  EXPECT_EQ(index_facts(index(), options_)->figures.documents, 1U);
  EXPECT_EQ(check_index(index(), options_)->documents, 1U);
  const auto compacted = compact_index(index(), options_);
  ASSERT_TRUE(compacted) << compacted.error().message;
  EXPECT_EQ(compacted->documents, 1U);
}

}  // namespace
}  // namespace neardup::engine
