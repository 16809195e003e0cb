// Any documents written and read back in each form; values, distances and estimates against loops over their bits.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "neardup/base/disk/file.h"
#include "neardup/fingerprint/file.h"
#include "neardup/fingerprint/record_writer.h"
#include "neardup/fingerprint/signature.h"
#include "neardup/fingerprint/text_line.h"
#include "tests/own_path.h"

namespace neardup::fingerprint {
namespace {

RC_GTEST_PROP(TextLineOfAny, IsReadBackWhateverTheIdHolds, (const std::string& id)) {
  const auto values = *rc::gen::arbitrary<std::vector<Fingerprint>>();
  std::string line;
  Record record;
  record.id = id;
  record.fingerprints = values;
  append_tsv_line(line, record, "0123456789ab");
  RC_ASSERT(line.ends_with('\n'));
  RC_ASSERT(std::count(line.begin(), line.end(), '\n') == 1);
  RC_ASSERT(std::count(line.begin(), line.end(), '\t') == 3);
  const auto parsed = parse_tsv_line(std::string_view(line).substr(0, line.size() - 1));
  RC_ASSERT(parsed.has_value());
  RC_ASSERT(parsed->id == id);
  RC_ASSERT(parsed->fingerprints == values);
  RC_ASSERT(parsed->recipe_id == "0123456789ab");
}

RC_GTEST_PROP(TextLineOfAny, IdsAreEscapedAndBack, (const std::string& id)) {
  std::string escaped;
  append_escaped_id(escaped, id);
  RC_ASSERT(escaped.find_first_of("\t\n\r") == std::string::npos);
  RC_ASSERT(unescaped_id(escaped) == id);
}

RC_GTEST_PROP(TextLineOfAny, AnyBytesAreALineOrAnError, (const std::string& line)) {
  const auto parsed = parse_tsv_line(line);
  if (parsed) return;
  const Code code = parsed.error().code;
  RC_ASSERT(code == Code::kCorruption || (code == Code::kUnsupported && !line.empty()));
}

TEST(JsonLineOfADocument, HoldsFingerprintsOrASignature) {
  const std::vector<Fingerprint> values = {1, ~Fingerprint{0}};
  Record record;
  record.id = "a \"b\"\n";
  record.fingerprints = values;
  record.num_tokens = 7;
  std::string line;
  append_json_line(line, record, "id", false);
  nlohmann::json object = nlohmann::json::parse(line);
  EXPECT_EQ(object["id"], "a \"b\"\n");
  EXPECT_EQ(object["fingerprints"].size(), 2U);
  EXPECT_EQ(object["fingerprints"][1], "ffffffffffffffff");
  EXPECT_EQ(object["num_tokens"], 7);
  EXPECT_FALSE(object.contains("signature"));
  line.clear();
  append_json_line(line, {}, "id", true);
  object = nlohmann::json::parse(line);
  EXPECT_TRUE(object["signature"].is_null()) << "no features";
  EXPECT_FALSE(object.contains("fingerprints"));
}

TEST(FilesOfAny, AreReadBackInOrder) {
  std::mt19937_64 random(1);
  for (const auto& [columns, num_values] :
       std::vector<std::pair<uint32_t, uint32_t>>{{1, 0}, {3, 0}, {64, 0}, {0, 16}}) {
    const std::string path = own_path(std::to_string(columns));
    FileHeader header;
    header.recipe_id = "r", header.recipe_json = "{}";
    header.num_columns = columns, header.num_values = num_values;
    std::vector<std::string> ids;
    std::vector<std::vector<Fingerprint>> values;
    std::vector<std::vector<SignatureValue>> signatures;
    auto writer = FileWriter::create(path, header);
    ASSERT_TRUE(writer);
    for (int i = 0; i < 500; ++i) {
      const bool is_featured = random() % 5 != 0;
      ids.push_back(std::string(random() % 20, static_cast<char>(random() % 256)));
      values.emplace_back(is_featured ? columns : 0);
      signatures.emplace_back(is_featured ? num_values : 0);
      for (Fingerprint& value : values.back()) value = random();
      for (SignatureValue& value : signatures.back()) value = static_cast<SignatureValue>(random());
      Record record;
      record.id = ids.back(), record.fingerprints = values.back(), record.signature = signatures.back();
      record.checksum = {random(), static_cast<uint64_t>(i)}, record.size_bytes = static_cast<uint64_t>(i) * 3;
      ASSERT_TRUE(writer->add(record));
    }
    EXPECT_FALSE(std::filesystem::exists(path)) << "it appears whole";
    ASSERT_TRUE(writer->commit());
    auto reader = FileReader::open(path);
    ASSERT_TRUE(reader) << reader.error().message;
    EXPECT_EQ(reader->header(), header);
    EXPECT_EQ(reader->num_records(), 500U);
    size_t at = 0;
    for (auto block = reader->next(); block && !block->empty(); block = reader->next()) {
      for (const Record& record : *block) {
        EXPECT_EQ(record.id, ids[at]);
        EXPECT_TRUE(std::ranges::equal(record.fingerprints, values[at]));
        EXPECT_TRUE(std::ranges::equal(record.signature, signatures[at]));
        EXPECT_EQ(record.checksum.low, at);
        EXPECT_EQ(record.size_bytes, 3 * at++);
      }
    }
    EXPECT_EQ(at, 500U);
    std::filesystem::remove(path);
  }
}

TEST(FilesOfAny, OfOtherShapesAreRefused) {
  for (const auto& [columns, num_values] :
       std::vector<std::pair<uint32_t, uint32_t>>{{0, 0}, {65, 0}, {1, 16}, {0, 17}, {0, 1040}}) {
    EXPECT_FALSE(is_file_shape(columns, num_values));
    FileHeader header;
    header.num_columns = columns, header.num_values = num_values;
    const auto writer = FileWriter::create(own_path(), header);
    ASSERT_FALSE(writer) << columns << " " << num_values;
    EXPECT_EQ(writer.error().code, Code::kInvalidArgument);
  }
  FileHeader header;
  header.num_columns = 2;
  auto writer = FileWriter::create(own_path(), header);
  ASSERT_TRUE(writer);
  const std::vector<Fingerprint> one = {7};
  Record record;
  record.fingerprints = one;
  const Status added = writer->add(record);
  ASSERT_FALSE(added) << "neither none nor two";
  EXPECT_EQ(added.error().code, Code::kInvalidArgument);
}

TEST(SignatureSizes, AreMultiplesOfSixteenUpToTheMost) {
  for (int size = -16; size <= 1100; ++size)
    EXPECT_EQ(is_signature_size(size), size >= 16 && size <= 1024 && size % 16 == 0) << size;
}

TEST(EstimatedJaccard, IsUnbiasedAndWithinNothingAndOne) {
  for (const size_t size : {size_t{16}, size_t{128}, size_t{1024}}) {
    double before = -1;
    for (size_t equal = 0; equal <= size; ++equal) {
      const double jaccard = estimated_jaccard(equal, size);
      EXPECT_GE(jaccard, before);
      EXPECT_GE(jaccard, 0);
      EXPECT_LE(jaccard, 1);
      // The share that agrees is J and what chance adds to the rest.
      EXPECT_NEAR(jaccard + (1 - jaccard) / 65536, static_cast<double>(equal) / static_cast<double>(size), 2e-5);
      EXPECT_LE(jaccard_error(jaccard, size), 0.51 / std::sqrt(static_cast<double>(size)));
      before = jaccard;
    }
    EXPECT_EQ(estimated_jaccard(size, size), 1);
    EXPECT_NEAR(jaccard_error(1, size), 0, 1e-9);
  }
}

TEST(CountEqual, IsALoopForEverySize) {
  std::mt19937_64 random(2);
  for (size_t size = 0; size <= 1024; size += size < 64 ? 1 : 61) {
    std::vector<SignatureValue> a(size), b(size);
    size_t equal = 0;
    for (size_t i = 0; i < size; ++i) {
      a[i] = static_cast<SignatureValue>(random() % 3), b[i] = static_cast<SignatureValue>(random() % 3);
      equal += a[i] == b[i];
    }
    EXPECT_EQ(count_equal(a, b), equal) << size;
  }
}

}  // namespace
}  // namespace neardup::fingerprint
