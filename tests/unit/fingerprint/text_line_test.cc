#include "neardup/fingerprint/text_line.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace neardup::fingerprint {
namespace {

constexpr const char* kRecipe = "0123456789ab";

std::string line_of(std::string_view id, std::span<const uint64_t> fingerprints) {
  std::string line;
  append_tsv_line(line, {id, fingerprints, {1, 2}, 10, 3}, kRecipe);
  return line;
}

TEST(TsvLine, HasIdFingerprintsChecksumAndRecipe) {
  const std::vector<uint64_t> fingerprints = {0x1f, ~uint64_t{0}};
  EXPECT_EQ(line_of("a b", fingerprints),
            "a b\t000000000000001f,ffffffffffffffff\t00000000000000010000000000000002\trecipe:0123456789ab\n");
  EXPECT_EQ(line_of("a", {}), "a\t-\t00000000000000010000000000000002\trecipe:0123456789ab\n");
  EXPECT_EQ(line_of("tab\tback\\slash\n", {}).substr(0, 20), "tab\\tback\\\\slash\\n\t-");
}

TEST(JsonLine, HoldsEverything) {
  const std::vector<uint64_t> fingerprints = {0x1f};
  std::string line;
  append_json_line(line, {"a\"b", fingerprints, {1, 2}, 10, 3}, kRecipe, false);
  EXPECT_EQ(
      line,
      "{\"id\":\"a\\\"b\",\"fingerprints\":[\"000000000000001f\"],\"checksum\":\"00000000000000010000000000000002\","
      "\"size_bytes\":10,\"num_tokens\":3,\"recipe_id\":\"0123456789ab\"}\n");
}

TEST(JsonLine, HoldsTheSignature) {
  const std::vector<SignatureValue> signature(16, 0x1f);
  std::string line;
  append_json_line(line, {"a", {}, {1, 2}, 10, 3, signature}, kRecipe, true);
  std::string digits;
  for (size_t i = 0; i < signature.size(); ++i) digits += "001f";
  EXPECT_EQ(line, "{\"id\":\"a\",\"signature\":\"" + digits +
                      "\",\"checksum\":\"00000000000000010000000000000002\",\"size_bytes\":10,\"num_tokens\":3,"
                      "\"recipe_id\":\"0123456789ab\"}\n");
  line.clear();
  append_json_line(line, {"a", {}, {1, 2}, 10, 0}, kRecipe, true);
  EXPECT_NE(line.find("\"signature\":null"), std::string::npos);
}

TEST(TsvLine, SignatureReadsBack) {
  std::vector<SignatureValue> signature(128);
  for (size_t i = 0; i < signature.size(); ++i) signature[i] = static_cast<SignatureValue>(i * 517);
  std::string line;
  append_tsv_line(line, {"a", {}, {1, 2}, 10, 3, signature}, kRecipe);
  line.pop_back();
  const auto parsed = parse_tsv_line(line);
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->signature, signature);
  EXPECT_TRUE(parsed->fingerprints.empty());
  EXPECT_EQ(parsed->recipe_id, kRecipe);
  line[9] = 'g';
  EXPECT_EQ(parse_tsv_line(line).error().code, Code::kCorruption);
}

RC_GTEST_PROP(TsvLine, ReadsBack, (const std::string& id, const std::vector<uint64_t>& fingerprints)) {
  std::string line = line_of(id, fingerprints);
  RC_ASSERT(line.back() == '\n');
  line.pop_back();
  RC_ASSERT(line.find('\n') == std::string::npos);
  const auto parsed = parse_tsv_line(line);
  RC_ASSERT(parsed.has_value());
  RC_ASSERT(parsed->id == id);
  RC_ASSERT(parsed->fingerprints == fingerprints);
  RC_ASSERT(parsed->recipe_id == kRecipe);
}

TEST(TsvLine, ChecksumMayBeMissing) {
  EXPECT_EQ(parse_tsv_line("a\t000000000000001f")->fingerprints, std::vector<uint64_t>{0x1f});
  EXPECT_EQ(parse_tsv_line("a\t000000000000001F\tx\ty")->fingerprints, std::vector<uint64_t>{0x1f});
}

TEST(TsvLine, TheRecipeMayStandInAnyColumnBehindTheFingerprints) {
  const std::string head = "recipe:ffffffffffff\t000000000000001f";
  EXPECT_EQ(parse_tsv_line(head)->recipe_id, "") << "this is the document's id";
  EXPECT_EQ(parse_tsv_line(head + "\trecipe:0123456789ab")->recipe_id, kRecipe);
  EXPECT_EQ(parse_tsv_line(head + "\tx\ty\trecipe:0123456789ab\tz")->recipe_id, kRecipe);
  EXPECT_EQ(parse_tsv_line(head + "\tx\trecipe:0123456789ab\r")->recipe_id, kRecipe);
  EXPECT_EQ(parse_tsv_line(head + "\t0123456789ab\t")->recipe_id, "");
  EXPECT_EQ(parse_tsv_line("a\t-\tx\trecipe:0123456789ab")->recipe_id, kRecipe);
}

TEST(TsvLine, RefusesOtherThings) {
  for (const char* line : {"", "a", "a\t", "a\t1f", "a\t000000000000001f,", "a\t,000000000000001f",
                           "a\t00000000000000zz", "a\t0x0000000000001f", "a\t+00000000000001f", "a\t000000000000001g0",
                           "a\t -", "a\t-\trecipe:0123", "a\t-\trecipe:0123456789AB", "a\t-\tx\trecipe:"}) {
    const auto parsed = parse_tsv_line(line);
    ASSERT_FALSE(parsed.has_value()) << line;
    EXPECT_EQ(parsed.error().code, Code::kCorruption);
    EXPECT_NE(parsed.error().message.find("expected"), std::string::npos);
  }
}

// PDQ, SHA-256, SHA-512, MD5, SHA-1, fingerprints of molecules: as many digits as a signature has, or others.
TEST(TsvLine, HashesOfMoreBitsAreNeitherFingerprintsNorSignatures) {
  for (const size_t num_digits : {17, 32, 40, 56, 64, 96, 128, 256, 512, 4096, 5000}) {
    const std::string hash(num_digits, 'f');
    for (const std::string& line : {"a\t" + hash, "a\t" + hash + "\t100\tphoto.jpg", "a\t" + hash + "," + hash}) {
      const auto parsed = parse_tsv_line(line);
      ASSERT_FALSE(parsed.has_value()) << num_digits;
      EXPECT_EQ(parsed.error().code, Code::kUnsupported);
      EXPECT_NE(parsed.error().message.find("found a hash of " + std::to_string(4 * num_digits) + " bits"),
                std::string::npos)
          << parsed.error().message;
    }
  }
  EXPECT_EQ(parse_tsv_line("a\t" + std::string(64, 'f') + "\trecipe:0123456789ab")->signature.size(), 16U);
}

TEST(TsvLine, DecimalNumbersAreNamed) {
  for (const char* number : {"12345678901234567", "1234567890123456789", "18446744073709551615"}) {
    const auto parsed = parse_tsv_line("a\t" + std::string(number));
    ASSERT_FALSE(parsed.has_value()) << number;
    EXPECT_EQ(parsed.error().code, Code::kUnsupported);
    EXPECT_NE(parsed.error().message.find("found a decimal number"), std::string::npos) << parsed.error().message;
  }
}

// Any bytes: no crash, and what is accepted reads back as itself.
RC_GTEST_PROP(TsvLine, AnyBytes, ()) {
  std::string line = "id\t00112233445566778,8899aabbccddeeff\t0";
  for (int edits = *rc::gen::inRange(0, 8); edits > 0; --edits) {
    const auto at = *rc::gen::inRange<size_t>(0, line.size());
    line[at] = *rc::gen::element('\t', ',', '-', 'f', 'g', '\\', '\0', '\xff');
  }
  const auto parsed = parse_tsv_line(line);
  if (!parsed) return;
  std::string written = line_of(parsed->id, parsed->fingerprints);
  written.pop_back();
  const auto again = parse_tsv_line(written);
  RC_ASSERT((again.has_value() && again->id == parsed->id && again->fingerprints == parsed->fingerprints));
}

}  // namespace
}  // namespace neardup::fingerprint
