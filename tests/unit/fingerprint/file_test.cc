#include "neardup/fingerprint/file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "neardup/fingerprint/file_layout.h"
#include "tests/fuzz/fingerprint_file_fuzz.h"
#include "tests/own_path.h"

namespace neardup::fingerprint {
namespace {

struct Row {
  std::string id;
  std::vector<Fingerprint> value_bytes;
  Hash128 checksum;
  uint64_t size_bytes = 0, num_tokens = 0;
  bool operator==(const Row&) const = default;
};

class FingerprintFile : public ::testing::Test {
 protected:
  void SetUp() override { path_ = own_path(); }
  void TearDown() override { std::filesystem::remove(path_); }

  static std::vector<Row> rows(size_t count, size_t columns) {
    std::vector<Row> result;
    for (size_t i = 0; i < count; ++i) {
      Row row{"document " + std::string(i % 7, 'x') + std::to_string(i), {}, {mix64(i), mix64(i + 1)}, i * 3, i};
      for (size_t column = 0; i % 5 != 3 && column < columns; ++column)
        row.value_bytes.push_back(mix64(i * 64 + column));
      result.push_back(row);
    }
    return result;
  }

  std::string write(const std::vector<Row>& rows, const FileHeader& header) {
    auto writer = FileWriter::create(path_, header);
    EXPECT_TRUE(writer);
    for (const Row& row : rows) {
      EXPECT_TRUE(writer->add({row.id, row.value_bytes, row.checksum, row.size_bytes, row.num_tokens}));
    }
    EXPECT_EQ(writer->num_records(), rows.size());
    EXPECT_TRUE(writer->commit());
    const std::string bytes = *read_file(path_);
    EXPECT_EQ(in_memory(rows, header), bytes);
    return bytes;
  }

  static std::string in_memory(const std::vector<Row>& rows, const FileHeader& header) {
    auto writer = FileWriter::in_memory(header);
    EXPECT_TRUE(writer);
    for (const Row& row : rows) {
      EXPECT_TRUE(writer->add({row.id, row.value_bytes, row.checksum, row.size_bytes, row.num_tokens}));
    }
    EXPECT_TRUE(writer->commit());
    return writer->take_bytes();
  }

  static Result<std::vector<Row>> read(Result<FileReader> reader) {
    if (!reader) return tl::unexpected(reader.error());
    std::vector<Row> rows;
    for (;;) {
      NEARDUP_ASSIGN(const auto records, reader->next());
      if (records.empty()) return rows;
      for (const Record& r : records) {
        rows.push_back({std::string(r.id),
                        {r.fingerprints.begin(), r.fingerprints.end()},
                        r.checksum,
                        r.size_bytes,
                        r.num_tokens});
      }
    }
  }

  std::string path_;
};

const FileHeader kHeader{"0123456789ab", R"({"version":1})", 2};

TEST_F(FingerprintFile, ComesBackAsItWas) {
  for (const size_t count : {0, 1, 2, 100, 60'000}) {
    const auto expected = rows(count, 2);
    write(expected, kHeader);
    auto reader = FileReader::open(path_);
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->header(), kHeader);
    EXPECT_EQ(reader->num_records(), count);
    const auto found = read(std::move(reader));
    ASSERT_TRUE(found);
    EXPECT_TRUE(expected == *found);
  }
}

TEST_F(FingerprintFile, AnyIdAndAnyNumberOfColumns) {
  std::vector<Row> expected = rows(10, kMaxColumns);
  expected[0].id = "";
  expected[1].id = std::string("\0\n\t\xff", 4);
  expected[2].id = std::string(3'000'000, 'y');
  write(expected, {"", "", kMaxColumns});
  const auto found = read(FileReader::open(path_));
  ASSERT_TRUE(found);
  EXPECT_TRUE(expected == *found);
}

TEST_F(FingerprintFile, RefusesWhatDoesNotFit) {
  EXPECT_EQ(FileWriter::create(path_, {"", "", 0}).error().code, Code::kInvalidArgument);
  EXPECT_EQ(FileWriter::create(path_, {"", "", kMaxColumns + 1}).error().code, Code::kInvalidArgument);
  auto writer = FileWriter::create(path_, kHeader);
  const std::vector<Fingerprint> one{1};
  EXPECT_EQ(writer->add({"a", one, {}, 0, 0}).error().code, Code::kInvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(FingerprintFile, EveryDamagedByteIsNoticed) {
  const std::string whole = write(rows(3, 2), kHeader);
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const int bit : {0, 7}) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
      const auto found = read(FileReader::from_bytes(bytes, "damaged"));
      ASSERT_FALSE(found) << at;
      EXPECT_EQ(found.error().code, Code::kCorruption);
      EXPECT_NE(found.error().message.find("damaged"), std::string::npos);
    }
  }
}

TEST_F(FingerprintFile, EveryTruncationIsNoticed) {
  const std::string whole = write(rows(3, 2), kHeader);
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(read(FileReader::from_bytes(std::string_view(whole).substr(0, size), "cut"))) << size;
  }
  EXPECT_FALSE(read(FileReader::from_bytes(whole + "x", "longer")));
}

TEST_F(FingerprintFile, ExchangedBlocksAreNoticed) {
  const std::string whole = write(rows(60'000, 2), kHeader);
  const size_t start = kHeaderFixedBytes + kHeader.recipe_id.size() + kHeader.recipe_json.size() + 8;
  std::string_view size_field = std::string_view(whole).substr(start + 8);
  const size_t length = kBlockHeaderBytes + take_little<uint64_t>(size_field);
  size_field = std::string_view(whole).substr(start + length + 8);
  const size_t second = kBlockHeaderBytes + take_little<uint64_t>(size_field);
  const std::string exchanged = whole.substr(0, start) + whole.substr(start + length, second) +
                                whole.substr(start, length) + whole.substr(start + length + second);
  EXPECT_FALSE(read(FileReader::from_bytes(exchanged, "exchanged")));
}

TEST_F(FingerprintFile, FittingChecksumsAreTheRealOnes) {
  const std::string whole = write(rows(50, 2), kHeader);
  EXPECT_EQ(with_fitting_checksums(whole), whole);
}

TEST_F(FingerprintFile, WrongLengthsBehindRightChecksumsAreNoticed) {
  const std::string whole = write(rows(3, 2), kHeader);
  const size_t block = kHeaderFixedBytes + kHeader.recipe_id.size() + kHeader.recipe_json.size() + 8;
  for (size_t at = block; at < block + kBlockHeaderBytes + 9; ++at) {
    if (at >= block + 16 && at < block + 24) continue;  // the checksum itself
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    EXPECT_FALSE(read(FileReader::from_bytes(with_fitting_checksums(bytes), "lengths"))) << at - block;
  }
}

TEST_F(FingerprintFile, IsKnownByItsFirstBytes) {
  EXPECT_TRUE(is_fingerprint_file(write({}, kHeader).substr(0, 8)));
  EXPECT_FALSE(is_fingerprint_file("id\t0123456789abcdef\t"));
  EXPECT_FALSE(is_fingerprint_file(""));
  const auto other = FileReader::from_bytes("id\t0123456789abcdef\t", "text");
  EXPECT_NE(other.error().message.find("not a fingerprint file"), std::string::npos);
}

TEST_F(FingerprintFile, SignaturesComeBackAsTheyWere) {
  const FileHeader header{"0123456789ab", R"({"version":1})", 0, 48};
  auto writer = FileWriter::create(path_, header);
  ASSERT_TRUE(writer);
  std::vector<std::vector<SignatureValue>> signatures;
  for (size_t i = 0; i < 20'000; ++i) {
    std::vector<SignatureValue>& signature = signatures.emplace_back(i % 5 == 3 ? 0 : 48);
    for (size_t j = 0; j < signature.size(); ++j) signature[j] = static_cast<SignatureValue>(mix64(i * 48 + j));
    ASSERT_TRUE(writer->add({"id " + std::to_string(i), {}, {i, i}, i, i, signature}));
  }
  ASSERT_TRUE(writer->commit());
  auto reader = FileReader::open(path_);
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_EQ(reader->header(), header);
  size_t i = 0;
  for (;;) {
    const auto records = reader->next();
    ASSERT_TRUE(records) << records.error().message;
    if (records->empty()) break;
    for (const Record& record : *records) {
      ASSERT_EQ(record.id, "id " + std::to_string(i));
      ASSERT_TRUE(record.fingerprints.empty());
      ASSERT_TRUE(
          std::equal(record.signature.begin(), record.signature.end(), signatures[i].begin(), signatures[i].end()));
      ++i;
    }
  }
  EXPECT_EQ(i, signatures.size());
}

TEST_F(FingerprintFile, HoldsFingerprintsOrSignaturesNotBoth) {
  for (const auto& [columns, values] : {std::pair{0U, 0U}, {2U, 16U}, {0U, 8U}, {0U, 2048U}, {65U, 0U}}) {
    const auto writer = FileWriter::create(path_, {"a", "{}", columns, values});
    ASSERT_FALSE(writer) << columns << " " << values;
    EXPECT_EQ(writer.error().code, Code::kInvalidArgument);
  }
  const std::vector<SignatureValue> short_one(16);
  auto writer = FileWriter::create(path_, {"a", "{}", 0, 32});
  ASSERT_TRUE(writer);
  EXPECT_EQ(writer->add({"a", {}, {}, 0, 0, short_one}).error().code, Code::kInvalidArgument);
}

}  // namespace
}  // namespace neardup::fingerprint
