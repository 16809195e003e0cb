// Batches of any size, from any shard, loaded in any order by any thread, against reading line after line.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>

#include "tests/agree/corpus/plain_reader.h"

namespace neardup::corpus::reader_test {
namespace {

std::string random_line(std::mt19937& random) {
  static const std::vector<std::string> kLines = {
      "",
      " \t\r",
      "\r",
      R"({"id":"a","text":"plain"})",
      R"({"id":7,"text":"caf\u00e9\n","lang":"en","score":1.5})",
      R"({"text":"no id","lang":["x"]} )",
      "{\"id\":true,\"text\":\"crlf\"}\r",
      "{\"text\":\"bad \xFF\xFE bytes\",\"id\":\"\xC3\",\"lang\":\"\xE2\x80\xA8\"}",
      R"({"id":"","text":"","score":{"a":1}})",
      R"({"text":1})",
      R"({"tex":"x"})",
      R"(["text"])",
      "\xEF\xBB\xBF{\"text\":\"after a mark\",\"id\":\"m\"}",
      "\xEF\xBB\xBF",
      R"({"text":"open)",
      R"({"text":"a"}{"text":"b"})",
      "\x85\xE2\x80\xA8",
      std::string("{\"text\":\"nul \0\"}", 15),
      R"({"text":"one","text":"two","id":1,"id":2})"};
  const auto kind = random() % (kLines.size() + 3);
  if (kind < kLines.size()) return kLines[kind];
  std::string text(random() % (kind == kLines.size() ? 400 : 40), 'y');
  for (size_t i = 10; i < text.size(); i += 10) text[i] = ' ';
  return "{\"text\":\"" + text + "\",\"lang\":\"long\",\"id\":\"" + std::to_string(random() % 100) + "\"}";
}

std::string random_file(std::mt19937& random) {
  std::string bytes = random() % 4 == 0 ? "\xEF\xBB\xBF" : "";
  for (size_t n = random() % 30; n > 0; --n) bytes += random_line(random) + "\n";
  if (random() % 2 == 0) bytes += random_line(random);
  return bytes;
}

/// Prepares all batches, then loads them on three threads in a shuffled order.
std::vector<Item> read_on_threads(Reader& reader, std::mt19937& random, bool records_only) {
  std::vector<Batch> batches;
  for (Batch batch; *reader.next(batch); batch = Batch()) batches.push_back(std::move(batch));
  std::vector<size_t> order(batches.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = t; i < order.size(); i += 3) {
        Batch& batch = batches[order[i]];
        EXPECT_TRUE(records_only ? reader.load_records(batch) : reader.load(batch));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<Item> items;
  uint64_t first_line = 0;
  uint64_t bytes = 0;
  for (size_t i = 0; i < batches.size(); ++i) {
    EXPECT_EQ(batches[i].index, i);
    bytes += batches[i].bytes;
    append_items(batches[i], reader, first_line, items);
  }
  return items;
}

struct Case {
  std::vector<Input> inputs;
  std::vector<Item> expected;
  std::vector<Item> expected_records;
};

Case make_case(const TempFolder& folder, std::mt19937& random, const ReadOptions& options) {
  Case result;
  for (size_t i = 0, count = 1 + random() % 4; i < count; ++i) {
    const std::string bytes = random_file(random);
    Input input;
    input.compression = static_cast<Compression>(random() % 3);
    input.format = random() % 4 == 0 ? Format::kLines : Format::kJsonl;
    input.name = "file" + std::to_string(i);
    const size_t cut = random() % (bytes.size() + 1);  // compressed as two pieces
    input.path = folder.write(input.name, *compress(input.compression, bytes.substr(0, cut)) +
                                              *compress(input.compression, bytes.substr(cut)));
    input.size_bytes = std::filesystem::file_size(input.path);
    for (const bool records_only : {false, true}) {
      const auto items = plain::read_lines(input.name, bytes, input.format, options, records_only);
      auto& all = records_only ? result.expected_records : result.expected;
      all.insert(all.end(), items.begin(), items.end());
    }
    result.inputs.push_back(std::move(input));
  }
  return result;
}

ReadOptions random_options(std::mt19937& random) {
  ReadOptions options;
  const std::vector<uint64_t> batch_bytes = {1, 2, 3, 5, 17, 64, 200, 1000, 5000, 1 << 20};
  const std::vector<uint64_t> max_record_bytes = {1, 20, 100, 250, 64 << 20};
  options.batch_bytes = batch_bytes[random() % batch_bytes.size()];
  options.max_record_bytes = max_record_bytes[random() % max_record_bytes.size()];
  options.group_key = "lang";
  options.value_key = "score";
  return options;
}

std::string describe(const ReadOptions& options) {
  return "batch_bytes " + std::to_string(options.batch_bytes) + " max_record_bytes " +
         std::to_string(options.max_record_bytes);
}

TEST(ReaderAgree, AnyBatchSizeAndThreadOrder) {
  std::mt19937 random(3);
  for (int round = 0; round < 250; ++round) {
    const TempFolder folder;
    const ReadOptions options = random_options(random);
    const Case one = make_case(folder, random, options);
    for (const bool records_only : {false, true}) {
      auto reader = Reader::open(one.inputs, options);
      ASSERT_TRUE(reader);
      const auto items = read_on_threads(*reader, random, records_only);
      expect_same(items, records_only ? one.expected_records : one.expected, describe(options));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(ReaderAgree, ShardsOneAfterTheOtherAreTheWhole) {
  std::mt19937 random(4);
  for (int round = 0; round < 60; ++round) {
    const TempFolder folder;
    const ReadOptions options = random_options(random);
    const Case one = make_case(folder, random, options);
    for (const int count : {1, 2, 3, 7, 100}) {
      std::vector<Item> items;
      uint64_t first_line = 0;
      for (int shard = 0; shard < count; ++shard) {
        auto reader = Reader::open(one.inputs, options);
        reader->set_shard(shard, count);
        const uint64_t total = reader->total_bytes();
        uint64_t bytes = 0;
        for (Batch batch; *reader->next(batch);) {
          ASSERT_TRUE(reader->load(batch));
          bytes += batch.bytes;
          append_items(batch, *reader, first_line, items);
        }
        ASSERT_LE(bytes, total);
      }
      expect_same(items, one.expected, std::to_string(count) + " shards, " + describe(options));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(ReaderAgree, ReusedBatchesOfSeveralReaders) {
  std::mt19937 random(5);
  Batch batch;  // one for all readers
  for (int round = 0; round < 60; ++round) {
    const TempFolder folder;
    ReadOptions options = random_options(random);
    if (round % 2 == 0) std::swap(options.group_key, options.value_key);
    const Case one = make_case(folder, random, options);
    auto reader = Reader::open(one.inputs, options);
    std::vector<Item> items;
    uint64_t first_line = 0;
    while (*reader->next(batch)) {
      ASSERT_TRUE(reader->load_records(batch));
      ASSERT_TRUE(reader->load(batch));
      append_items(batch, *reader, first_line, items);
    }
    expect_same(items, one.expected, describe(options));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace neardup::corpus::reader_test
