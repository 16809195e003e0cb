// What a run keeps in its work folder: written, read back, and damaged.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "neardup/engine/checked_file.h"
#include "neardup/engine/checked_json.h"
#include "neardup/engine/match/auto_distance.h"
#include "neardup/engine/match/outcome.h"
#include "neardup/engine/read/part.h"
#include "neardup/engine/run/dedup.h"
#include "neardup/engine/write/clusters.h"
#include "tests/own_path.h"

namespace neardup::engine {
namespace {

class WorkFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = own_path();
    std::filesystem::remove_all(folder_);
    ASSERT_TRUE(create_directories(folder_));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string folder_;
};

Outcome example_outcome() {
  Outcome outcome;
  outcome.fates = {{.kept = 0},
                   {.kept = 0, .fate = Fate::kExact},
                   {.kept = 2},
                   {.kept = 0, .similarity = 0.5F, .distance = 9, .fate = Fate::kNear}};
  outcome.num_candidates = 7;
  outcome.contained = {.num_candidates = 5, .num_verified = 4, .num_common = 3};
  outcome.distance = 12;
  return outcome;
}

TEST_F(WorkFiles, AnOutcomeIsReadBack) {
  ASSERT_TRUE(save_outcome(folder_ + "/o", example_outcome()));
  const auto outcome = load_outcome(folder_ + "/o");
  ASSERT_TRUE(outcome) << outcome.error().message;
  ASSERT_EQ(outcome->fates.size(), 4u);
  EXPECT_EQ(outcome->fates[3].distance, 9);
  EXPECT_EQ(outcome->fates[3].fate, Fate::kNear);
  EXPECT_EQ(outcome->num_candidates, 7u);
  EXPECT_EQ(outcome->contained.num_candidates, 5u);
  EXPECT_EQ(outcome->contained.num_verified, 4u);
  EXPECT_EQ(outcome->contained.num_common, 3u);
  EXPECT_EQ(outcome->distance, 12u);
}

TEST_F(WorkFiles, EveryDamagedByteOfAnOutcomeIsNoticed) {
  ASSERT_TRUE(save_outcome(folder_ + "/o", example_outcome()));
  const std::string whole = *read_file(folder_ + "/o");
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    const auto outcome = outcome_from_bytes(damaged, "o");
    ASSERT_FALSE(outcome) << "byte " << i;
    EXPECT_EQ(outcome.error().code, Code::kCorruption);
    EXPECT_FALSE(outcome_from_bytes(std::string_view(whole).substr(0, i), "o")) << "cut at " << i;
  }
}

TEST_F(WorkFiles, ClustersListRemovedDocumentsByKeptOne) {
  const Clusters clusters(example_outcome().fates);
  ASSERT_EQ(clusters.size(), 1u);
  EXPECT_EQ(clusters.kept(0), 0u);
  EXPECT_EQ(std::vector<uint32_t>(clusters.removed(0).begin(), clusters.removed(0).end()),
            (std::vector<uint32_t>{1, 3}));
  EXPECT_EQ(clusters.find(0), 0u);
  EXPECT_EQ(clusters.find(2), kNoCluster);
}

TEST_F(WorkFiles, ACheckedFileGoesOnOnlyBehindWhatWasWritten) {
  FileMark mark;
  {
    auto file = CheckedFile::open(folder_ + "/c");
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->append("hello "));
    mark = *file->mark();
    ASSERT_TRUE(file->append("lost"));
    ASSERT_TRUE(file->mark());
  }
  {
    auto file = CheckedFile::open(folder_ + "/c", mark);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->append("world"));
    mark = *file->mark();
  }
  EXPECT_EQ(*read_file(folder_ + "/c"), "hello world");
  EXPECT_TRUE(check_file(folder_ + "/c", mark));
  ASSERT_TRUE(write_file_atomically(folder_ + "/c", "hello_world"));
  EXPECT_EQ(CheckedFile::open(folder_ + "/c", mark).error().code, Code::kCorruption);
  EXPECT_EQ(check_file(folder_ + "/c", mark).error().code, Code::kCorruption);
}

PartBatch example_batch(const std::string& id, const std::string& group) {
  PartBatch batch;
  Row row;
  row.id_size = static_cast<uint32_t>(id.size());
  row.num_tokens = 2;
  batch.rows = {row};
  batch.fingerprints = {1, 2};
  batch.ids = id;
  batch.tokens = {10, 20};
  batch.groups = {group};
  return batch;
}

/// A part of one batch, with a document for each of the values "0", "1", ...
Status append_values(PartWriter& writer, size_t num_values) {
  PartBatch batch;
  batch.rows.resize(num_values);
  for (size_t i = 0; i < num_values; ++i) batch.groups.push_back(std::to_string(i));
  return writer.append(batch);
}

TEST_F(WorkFiles, GroupValuesBeyondTheLimitCountTogether) {
  auto writer = PartWriter::open(folder_, std::nullopt, {.num_values = 3});
  ASSERT_TRUE(append_values(*writer, 5));
  ASSERT_TRUE(writer->checkpoint(true));
  EXPECT_EQ(*load_groups(folder_), (std::vector<std::string>{"0", "1", "2", "(other values)"}));
}

TEST_F(WorkFiles, GroupValuesThatPassTheMemoryAreAnError) {
  auto writer = PartWriter::open(folder_, std::nullopt, {.num_values = 1000, .memory_bytes = 1000});
  const Status appended = append_values(*writer, 100);
  ASSERT_FALSE(appended);
  EXPECT_EQ(appended.error().code, Code::kMemory);
}

TEST_F(WorkFiles, APartPlacesItsBatchesOneBehindTheOther) {
  {
    auto writer = PartWriter::open(folder_, std::nullopt);
    ASSERT_TRUE(writer);
    PartBatch first = example_batch("a", "red"), second = example_batch("bcd", "blue");
    ASSERT_TRUE(writer->append(first));
    ASSERT_TRUE(writer->append(second));
    ASSERT_TRUE(writer->checkpoint(false));
    PartBatch lost = example_batch("lost", "green");
    ASSERT_TRUE(writer->append(lost));
  }
  const auto checkpoint = load_checkpoint(folder_);
  ASSERT_TRUE(checkpoint);
  EXPECT_FALSE(checkpoint->complete);
  auto writer = PartWriter::open(folder_, *checkpoint);
  ASSERT_TRUE(writer) << writer.error().message;
  PartBatch third = example_batch("e", "red");
  ASSERT_TRUE(writer->append(third));
  ASSERT_TRUE(writer->checkpoint(true));
  const auto rows = *MappedFile::open(part_path(folder_, PartFile::kRows));
  ASSERT_EQ(rows.as<Row>().size(), 3u);
  EXPECT_EQ(rows.as<Row>()[2].id_offset, 4u);
  EXPECT_EQ(rows.as<Row>()[2].tokens_offset, 4u);
  EXPECT_EQ(rows.as<Row>()[2].batch, 2u);
  EXPECT_EQ(rows.as<Row>()[2].group, 0u);
  EXPECT_EQ(*read_file(part_path(folder_, PartFile::kIds)), "abcde");
  EXPECT_EQ(*load_groups(folder_), (std::vector<std::string>{"red", "blue"}));
}

TEST_F(WorkFiles, CheckpointsMustBeWhole) {
  EXPECT_EQ(load_checkpoint(folder_).error().code, Code::kNotFound);
  for (const char* json : {"", "{", "{}", "[]", R"({"batches":1,"documents":-1,"complete":true,"files":{}})"})
    EXPECT_EQ(checkpoint_from_json(json, "part.json").error().code, Code::kCorruption) << json;
}

TEST_F(WorkFiles, NumbersOfCheckpointsAreWholeNumbers) {
  {
    auto writer = PartWriter::open(folder_, std::nullopt);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->checkpoint(true));
  }
  const nlohmann::ordered_json whole = *checked_json(*read_file(folder_ + "/part.json"), "part.json");
  ASSERT_TRUE(checkpoint_from_json(with_checksum(whole), "part.json"));
  for (const char* member : {"/of", "/batches", "/documents", "/files/rows.bin/size_bytes", "/files/ids.bin/xxh3"}) {
    for (const char* number : {"35624178901234567890", "1.5", "-1", "true", "null"}) {
      nlohmann::ordered_json damaged = whole;
      damaged[nlohmann::ordered_json::json_pointer(member)] = nlohmann::ordered_json::parse(number);
      const auto checkpoint = checkpoint_from_json(with_checksum(damaged), "part.json");
      ASSERT_FALSE(checkpoint) << member << " " << number;
      EXPECT_EQ(checkpoint.error().code, Code::kCorruption);
    }
  }
}

TEST(AutoDistance, NarrowsAsDocumentsGrow) {
  EXPECT_EQ(auto_distance(0), kWidestAutoDistance);
  EXPECT_EQ(auto_distance(1'000'000), 13);
  EXPECT_EQ(auto_distance(4'000'000), 12);
  EXPECT_EQ(auto_distance(100'000'000), 10);
  int last = kWidestAutoDistance;
  for (uint64_t n = 1; n < uint64_t{1} << 40; n *= 2) {
    EXPECT_LE(auto_distance(n), last);
    last = auto_distance(n);
  }
  EXPECT_GE(last, 3);
}

}  // namespace
}  // namespace neardup::engine
