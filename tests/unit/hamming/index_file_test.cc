// The container of a static index: what is written is read back, and nothing damaged is taken for whole.
#include "neardup/hamming/index_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "neardup/base/disk/file.h"
#include "neardup/base/hash.h"
#include "neardup/hamming/index_file_layout.h"
#include "tests/own_path.h"

namespace neardup::hamming {
namespace {

class IndexFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = own_path();
    std::filesystem::create_directories(folder_);
    header_.codec = Codec::kPlain;
    header_.num_documents = 12;
    header_.num_distinct = 11;
    header_.plan = permuted_plan(64, 4, 1);
    header_.note = "{\"recipe\":\"r1\"}";
    std::mt19937_64 random(7);
    for (const size_t size : {0U, 1U, 100U, 4096U, 10000U}) {
      std::string& bytes = arrays_.emplace_back(size, '\0');
      for (char& byte : bytes) byte = static_cast<char>(random());
    }
    for (uint32_t i = 0; i < arrays_.size(); ++i)
      sections_.push_back({i < 2 ? i : kWholeIndex, {names_[i], std::as_bytes(std::span(arrays_[i]))}});
    ASSERT_TRUE(write_index_file(path(), header_, sections_));
    bytes_ = *read_file(path());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path() const { return folder_ + "/index"; }
  // Fails with a message that names the file and the cure, by whatever way it is opened.
  void expect_damaged(const std::string& bytes, const std::string& what) const {
    const auto file = IndexFile::from_bytes(bytes, "some.ndx", true);
    ASSERT_FALSE(file) << what;
    EXPECT_EQ(file.error().code, Code::kCorruption) << what;
    EXPECT_NE(file.error().message.find("some.ndx"), std::string::npos) << file.error().message;
  }

  const char* names_[5] = {"empty", "one", "hundred", "page", "a name of twenty-four b."};
  std::string folder_;
  IndexFileHeader header_;
  std::vector<std::string> arrays_;
  std::vector<FileSection> sections_;
  std::string bytes_;
};

TEST_F(IndexFileTest, GivesBackWhatWasWritten) {
  for (const Access access : {Access::kMap, Access::kLoad}) {
    const auto file = IndexFile::open(path(), access, true);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->header(), header_);
    ASSERT_EQ(file->sections(0).size(), 1u);
    ASSERT_EQ(file->sections(kWholeIndex).size(), 3u);
    EXPECT_TRUE(file->sections(2).empty());
    for (size_t i = 2; i < 5; ++i) {
      const TableSection section = file->sections(kWholeIndex)[i - 2];
      EXPECT_EQ(section.name, names_[i]);
      ASSERT_EQ(section.bytes.size(), arrays_[i].size());
      EXPECT_TRUE(std::equal(section.bytes.begin(), section.bytes.end(), std::as_bytes(std::span(arrays_[i])).begin()));
      EXPECT_EQ(reinterpret_cast<uintptr_t>(section.bytes.data()) % (arrays_[i].size() >= 4096 ? 4096 : 64), 0u);
    }
  }
}

TEST_F(IndexFileTest, EveryByteThatIsChangedIsNoticed) {
  for (size_t at = 0; at < bytes_.size(); at += at < 4096 ? 1 : 37) {
    std::string changed = bytes_;
    changed[at] = static_cast<char>(changed[at] ^ (1 << at % 8));
    expect_damaged(changed, "byte " + std::to_string(at));
  }
}

TEST_F(IndexFileTest, HeaderAndLengthsAreCheckedWithoutReadingTheSections) {
  const size_t header_bytes = read_fixed_header(bytes_).header_bytes;
  for (size_t at = 0; at < header_bytes; ++at) {
    std::string changed = bytes_;
    changed[at] = static_cast<char>(changed[at] ^ (1 << at % 8));
    EXPECT_FALSE(IndexFile::from_bytes(changed, "some.ndx", false)) << "byte " << at;
  }
  std::string changed = bytes_;
  changed[changed.size() - 100] ^= 1;
  EXPECT_TRUE(IndexFile::from_bytes(changed, "some.ndx", false));
}

TEST_F(IndexFileTest, EveryTruncationIsNoticed) {
  for (size_t size = 0; size < bytes_.size(); size += size < 4096 ? 1 : 41) {
    expect_damaged(bytes_.substr(0, size), std::to_string(size) + " bytes");
    EXPECT_FALSE(IndexFile::from_bytes(bytes_.substr(0, size), "some.ndx", false)) << size;
  }
  expect_damaged(bytes_ + '\0', "one byte more");
}

// With a checksum that fits, the numbers themselves are what must be refused.
TEST_F(IndexFileTest, ImpossibleNumbersAreRefusedThoughTheChecksumFits) {
  const size_t header_bytes = read_fixed_header(bytes_).header_bytes;
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    std::string changed = bytes_;
    const size_t at = 16 + random() % (header_bytes - 24);
    changed[at] = static_cast<char>(random());
    const uint64_t checksum = hash64(std::string_view(changed).substr(0, header_bytes - 8));
    std::string number;
    append_little(number, checksum);
    changed.replace(header_bytes - 8, 8, number);
    changed.replace(changed.size() - kFooterBytes, kFooterBytes, footer_bytes(checksum));
    const auto file = IndexFile::from_bytes(changed, "some.ndx", false);
    if (!file) continue;
    EXPECT_TRUE(check_plan(file->header().plan)) << "byte " << at;
    for (const TableSection& section : file->sections(kWholeIndex))
      EXPECT_LE(reinterpret_cast<const char*>(section.bytes.data()) + section.bytes.size(),
                changed.data() + changed.size());
  }
}

TEST_F(IndexFileTest, SaysWhatIsWrong) {
  const auto message_of = [](const std::string& bytes) {
    return IndexFile::from_bytes(bytes, "some.ndx", false).error().message;
  };
  EXPECT_EQ(message_of("hello"),
            "'some.ndx' is not an index file: it does not begin with 'NDUPINDX'; such files are written by "
            "`neardup index`");
  std::string newer = bytes_;
  newer[8] = 9;
  EXPECT_EQ(message_of(newer),
            "index file 'some.ndx' has version 9, this program reads version 1; make the index again");
  EXPECT_EQ(message_of(bytes_.substr(0, 50)),
            "index file 'some.ndx' is damaged: it is cut short; restore it from a copy, or make the index again");
  EXPECT_EQ(IndexFile::open(folder_ + "/none", Access::kLoad, false).error().code, Code::kNotFound);
  ASSERT_TRUE(write_file_atomically(folder_ + "/zero", ""));
  EXPECT_EQ(IndexFile::open(folder_ + "/zero", Access::kMap, false).error().code, Code::kCorruption);
  sections_[0].section.name = "a name of more than twenty-four bytes";
  EXPECT_EQ(write_index_file(path(), header_, sections_).error().code, Code::kInvalidArgument);
}

}  // namespace
}  // namespace neardup::hamming
