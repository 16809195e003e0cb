// Records: what was written is read, and nothing that is cut or goes on.
#include "neardup/store/record.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "neardup/base/bytes.h"

namespace neardup::store {
namespace {

const std::vector<uint64_t> kFingerprints{1, ~uint64_t{0}};
const std::vector<uint64_t> kKeys{5, 6, uint64_t{1} << 63};
const std::vector<uint64_t> kPassages{3, ~uint64_t{0}};

Record whole_record() {
  Record record;
  record.number = uint64_t{1} << 40;
  record.id = std::string_view("id\0\n", 4);
  record.checksum = {~uint64_t{0}, 3};
  record.size_bytes = 12345;
  record.time = 1'790'000'000;
  record.within = "de";
  record.tag = "crawl 7";
  record.fate = {Kind::kNear, 77, .875F, 300};
  record.fingerprints = kFingerprints;
  record.keys = kKeys;
  record.body = "tokens";
  return record;
}

std::string bytes_of(const Record& record) {
  std::string bytes;
  append_record(bytes, record);
  return bytes;
}

void expect_equal(const Record& a, const Record& b) {
  EXPECT_EQ(a.number, b.number);
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.checksum, b.checksum);
  EXPECT_EQ(a.size_bytes, b.size_bytes);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.within, b.within);
  EXPECT_EQ(a.tag, b.tag);
  EXPECT_EQ(a.fate, b.fate);
  EXPECT_EQ(std::vector(a.fingerprints.begin(), a.fingerprints.end()),
            std::vector(b.fingerprints.begin(), b.fingerprints.end()));
  EXPECT_EQ(std::vector(a.keys.begin(), a.keys.end()), std::vector(b.keys.begin(), b.keys.end()));
  EXPECT_EQ(std::vector(a.passages.begin(), a.passages.end()), std::vector(b.passages.begin(), b.passages.end()));
  EXPECT_EQ(a.body, b.body);
}

TEST(Record, SaysOfAVerdictWhetherItIsAnEstimateOrTruncated) {
  RecordReader reader;
  for (const Fate& fate :
       {Fate{}, Fate{.is_truncated = true}, Fate{Kind::kNear, 1, .5F, 2, true}, Fate{Kind::kNear, 1, .5F, 2, false},
        Fate{Kind::kExact, 1}, Fate{Kind::kContained, 1, .9F}}) {
    Record record = whole_record();
    record.fate = fate;
    const std::string bytes = bytes_of(record);
    const auto read = reader.read(bytes);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->fate, fate);
  }
}

TEST(Record, IsReadAsItWasWritten) {
  RecordReader reader;
  for (const int64_t time : {int64_t{0}, int64_t{-1}, std::numeric_limits<int64_t>::min()}) {
    Record record = whole_record();
    record.time = time;
    const std::string bytes = bytes_of(record);
    const auto read = reader.read(bytes);
    ASSERT_TRUE(read) << read.error().message;
    expect_equal(*read, record);
    const size_t size = bytes.size();
    record.passages = kPassages;
    const std::string longer = bytes_of(record);
    EXPECT_EQ(longer.size(), size + 1 + kPassages.size() * sizeof(uint64_t)) << "nothing of those that have none";
    const auto with_passages = reader.read(longer);
    ASSERT_TRUE(with_passages) << with_passages.error().message;
    expect_equal(*with_passages, record);
  }
  const std::string empty = bytes_of({});
  const auto read = reader.read(empty);
  ASSERT_TRUE(read);
  expect_equal(*read, {});
}

TEST(Record, IsSmall) {
  Record record;
  record.number = 10'000'000;
  record.id = "http://example.org/a/page/1234";
  record.size_bytes = 2000;
  record.time = 1'790'000'000;
  const std::vector<uint64_t> one{1};
  record.fingerprints = one;
  EXPECT_LE(bytes_of(record).size(), 75u);
}

TEST(Record, IsRefusedWhereItIsCutOrGoesOn) {
  Record whole = whole_record();
  whole.passages = kPassages;
  const std::string bytes = bytes_of(whole);
  RecordReader reader;
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto read = reader.read(std::string_view(bytes).substr(0, size));
    ASSERT_FALSE(read) << size;
    EXPECT_EQ(read.error().code, Code::kCorruption);
  }
  EXPECT_FALSE(reader.read(bytes + '\0'));
}

TEST(Varint, TakesWhatWasAppendedAndNoOtherForm) {
  for (int bit = 0; bit < 64; ++bit) {
    for (const uint64_t value : {uint64_t{1} << bit, (uint64_t{1} << bit) - 1, ~uint64_t{0} >> bit}) {
      std::string bytes;
      append_varint(bytes, value);
      EXPECT_LE(bytes.size(), 10u);
      ByteReader reader(bytes);
      EXPECT_EQ(reader.varint(), value);
      EXPECT_TRUE(reader.ok() && reader.rest().empty());
      ByteReader cut(std::string_view(bytes).substr(0, bytes.size() - 1));
      EXPECT_EQ(cut.varint(), 0u);
      EXPECT_FALSE(cut.ok());
      std::string longer = bytes;
      longer.back() = static_cast<char>(longer.back() | 0x80);
      longer += '\0';
      ByteReader other(longer);
      static_cast<void>(other.varint());
      EXPECT_FALSE(other.ok()) << value;
    }
  }
  ByteReader too_great(std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"));
  static_cast<void>(too_great.varint());
  EXPECT_FALSE(too_great.ok());
}

}  // namespace
}  // namespace neardup::store
