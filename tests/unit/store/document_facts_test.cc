#include "neardup/store/document_facts.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "neardup/base/bytes.h"
#include "neardup/base/checked_bytes.h"
#include "neardup/base/disk/file.h"
#include "tests/own_path.h"

namespace neardup::store {
namespace {

struct Fact {
  int64_t time = 0;
  std::string tag;
  bool operator==(const Fact&) const = default;
};

std::vector<Fact> facts_in(const DocumentFacts& facts) {
  std::vector<Fact> all;
  for (uint64_t number = facts.first(); number < facts.end(); ++number)
    all.push_back({facts.time(number), facts.tags()[facts.tag(number)]});
  return all;
}

class DocumentFactsTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  void expect_kept(uint64_t first, const std::vector<Fact>& given) {
    DocumentFacts facts(first);
    for (const Fact& fact : given) facts.add(facts.end(), fact.time, fact.tag);
    const auto checksum = write_facts(path_, facts);
    ASSERT_TRUE(checksum) << checksum.error().message;
    const auto read = read_facts(path_, given.size());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->checksum, *checksum);
    EXPECT_EQ(read->facts.first(), first);
    EXPECT_EQ(read->facts.oldest(), facts.oldest());
    EXPECT_EQ(facts_in(read->facts), given);
  }

  const std::string path_ = own_path();
};

TEST_F(DocumentFactsTest, AreReadAsTheyWereWritten) {
  std::mt19937_64 random(5);
  const std::vector<int64_t> times{0, 1, -1, INT64_MIN, INT64_MAX, 1700000000};
  const std::vector<std::string> tags{"", "a", std::string("b\0c", 3)};
  for (int round = 0; round < 200; ++round) {
    std::vector<Fact> facts(random() % 50);
    for (size_t i = 0; i < facts.size(); ++i) {
      const bool goes_on = i > 0 && random() % 3 != 0;
      const int64_t time = random() % 4 == 0 ? std::bit_cast<int64_t>(random()) : times[random() % times.size()];
      facts[i] = goes_on ? facts[i - 1] : Fact{time, tags[random() % tags.size()]};
    }
    expect_kept(random() % 3 * 1000, facts);
  }
}

TEST_F(DocumentFactsTest, DocumentsOfOneSecondAndTagTakeSomeBytesTogether) {
  expect_kept(7, std::vector<Fact>(100'000, Fact{1'700'000'000, "crawl"}));
  EXPECT_LT(std::filesystem::file_size(path_), 64u);
}

TEST_F(DocumentFactsTest, FilesOfVersionOneAreRead) {
  std::string bytes = begin_frame({"NDUPFACT", 1, "", ""});
  append_little(bytes, uint64_t{40});
  append_varint(bytes, 1);
  append_text(bytes, "crawl");
  for (const uint32_t tag : {0u, 1u}) {
    append_little(bytes, uint64_t{1'700'000'000} + tag);
    append_little(bytes, tag);
  }
  end_frame(bytes);
  const auto read = parse_facts(bytes, "old", 2);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->facts.first(), 40u);
  EXPECT_EQ(facts_in(read->facts), (std::vector<Fact>{{1'700'000'000, ""}, {1'700'000'001, "crawl"}}));
}

TEST_F(DocumentFactsTest, NoFileStandsForMoreDocumentsThanItsLogHas) {
  std::string bytes = begin_frame({"NDUPFACT", 2, "", ""});
  append_little(bytes, uint64_t{0});
  append_varint(bytes, 0);
  for (const uint64_t number : {UINT64_MAX, uint64_t{0}, uint64_t{0}}) append_varint(bytes, number);
  end_frame(bytes);
  const auto read = parse_facts(bytes, "long", 1000);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, Code::kCorruption);
  EXPECT_NE(read.error().message.find("more documents than its log has"), std::string::npos) << read.error().message;
}

}  // namespace
}  // namespace neardup::store
