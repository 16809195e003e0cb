// WARC: batches, shards and compressions against the plain reader, over files that are right and files that are not.
#include <gtest/gtest.h>

#include <random>

#include "tests/agree/corpus/warc_check.h"
#include "tests/unit/corpus/warc_support.h"

namespace neardup::corpus::warc_test {
namespace {

std::string random_block(std::mt19937_64& random) {
  static constexpr std::string_view kPieces[] = {"a", "bc ", "\r\n", "\n\n", "WARC/1.0", "\nWARC/1.0\r\n", "words "};
  std::string block = ".";  // never empty: that would be no document
  for (uint64_t left = random() % 30; left > 0; --left) block += kPieces[random() % std::size(kPieces)];
  return block;
}

std::string random_record(std::mt19937_64& random) {
  if (random() % 4 == 0) return warc::record("request", "u", "application/http", random_block(random));
  return warc::text("u" + std::to_string(random() % 100), random_block(random));
}

std::string random_file(std::mt19937_64& random) {
  std::string file;
  for (uint64_t left = random() % 8; left > 0; --left) file += random_record(random) + "\r\n\r\n";
  return file;
}

/// Takes away, adds or changes a few bytes.
std::string damaged(std::string file, std::mt19937_64& random) {
  static constexpr std::string_view kAdded[] = {"x", "\n", "9", "\r\n\r\n", "WARC/1.1\r\n", "Content-Length: 3\r\n",
                                                ""};
  for (uint64_t left = 1 + random() % 3; left > 0 && !file.empty(); --left) {
    const size_t at = random() % file.size();
    file.replace(at, random() % 2 == 0 ? random() % 20 : random() % 2, kAdded[random() % std::size(kAdded)]);
  }
  return file;
}

void expect_agree(const TempFolder& folder, const std::string& file, uint64_t batch_bytes) {
  ReadOptions options;
  options.batch_bytes = batch_bytes;
  const std::string about = ::testing::PrintToString(file) + " in batches of " + std::to_string(batch_bytes);
  const auto plain = discover_all({folder.write("a.warc", file)});
  expect_same(found_warc(plain, options), expected_warc("a.warc", file), about);
  expect_same(found_warc(plain, options, 3), expected_warc("a.warc", file), "shards of " + about);
  const auto packed = discover_all({folder.write("b.warc.gz", *compress(Compression::kGzip, file))});
  expect_same(found_warc(packed, options), expected_warc("b.warc.gz", file), about);
  const auto zstd = discover_all({folder.write("c.warc.zst", *compress(Compression::kZstd, file))});
  expect_same(found_warc(zstd, options), expected_warc("c.warc.zst", file), about);
}

TEST(WarcAgree, FilesThatAreRight) {
  std::mt19937_64 random(1);
  const TempFolder folder;
  for (int round = 0; round < 200 && !::testing::Test::HasFatalFailure(); ++round) {
    const std::string file = random_file(random);
    for (const uint64_t batch_bytes : {uint64_t{1}, 1 + random() % 1000, uint64_t{1} << 20})
      expect_agree(folder, file, batch_bytes);
  }
}

TEST(WarcAgree, FilesThatAreNot) {
  std::mt19937_64 random(2);
  const TempFolder folder;
  for (int round = 0; round < 1000 && !::testing::Test::HasFatalFailure(); ++round) {
    const std::string file = damaged(random_file(random), random);
    for (const uint64_t batch_bytes : {uint64_t{1}, 1 + random() % 1000, uint64_t{1} << 20})
      expect_agree(folder, file, batch_bytes);
  }
}

TEST(WarcAgree, RecordsInMembersOfTheirOwnAreThoseOfOneFile) {
  std::mt19937_64 random(3);
  const TempFolder folder;
  for (int round = 0; round < 200 && !::testing::Test::HasFatalFailure(); ++round) {
    std::vector<std::string> records;
    for (uint64_t left = 1 + random() % 8; left > 0; --left) records.push_back(random_record(random));
    const std::string file = warc::file_of(records, Compression::kGzip);
    const auto inputs = discover_all({folder.write("a.warc.gz", file)});
    for (const uint64_t batch_bytes : {uint64_t{1}, 1 + random() % 1000}) {
      ReadOptions options;
      options.batch_bytes = batch_bytes;
      expect_same(found_warc(inputs, options), expected_warc("a.warc.gz", warc::file_of(records)));
    }
  }
}

TEST(WarcAgree, LongRecordsCrossTheWindow) {
  std::mt19937_64 random(4);
  const TempFolder folder;
  for (int round = 0; round < 12 && !::testing::Test::HasFatalFailure(); ++round) {
    std::string file;
    for (uint64_t left = 1 + random() % 6; left > 0; --left) {
      std::string block(1 + random() % 400'000, 'x');
      for (size_t i = 0; i < block.size(); i += 1 + random() % 5000) block[i] = '\n';
      file += warc::text("u", block) + "\r\n\r\n";
    }
    if (round % 2 == 1) file = damaged(file, random);
    expect_agree(folder, file, uint64_t{1} << (random() % 20));
  }
}

TEST(WarcAgree, LongMembersAreThoseOfOneFile) {
  std::mt19937_64 random(5);
  const TempFolder folder;
  for (int round = 0; round < 6 && !::testing::Test::HasFatalFailure(); ++round) {
    std::string packed, plain;
    for (uint64_t left = 1 + random() % 12; left > 0; --left) {
      std::string block(random() % 3 == 0 ? 1 + random() % 1'500'000 : 1 + random() % 1000, 'x');
      if (random() % 2 == 0)
        for (char& c : block) c = static_cast<char>('a' + random() % 26);  // takes long to compress, and much room
      const std::string record = warc::text("u", block) + "\r\n\r\n";
      plain += record;
      packed += *compress(Compression::kGzip, record);
      if (random() % 4 == 0) packed += *compress(Compression::kGzip, "");
      if (random() % 4 == 0) packed += std::string(random() % 600, '\0');  // as on tapes
    }
    const auto inputs = discover_all({folder.write("a.warc.gz", packed)});
    expect_same(found_warc(inputs, {}), expected_warc("a.warc.gz", plain));
  }
}

}  // namespace
}  // namespace neardup::corpus::warc_test
