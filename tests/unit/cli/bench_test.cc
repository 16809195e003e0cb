#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "neardup/cli/bench_output.h"
#include "tests/unit/cli/run.h"

namespace neardup::cli {
namespace {

using nlohmann::json;

void expect_measurement(const std::string& text, const std::string& bench, uint64_t count) {
  const json line = json::parse(text);
  EXPECT_EQ(line["bench"], bench);
  EXPECT_EQ(line["count"], count);
  EXPECT_EQ(line["threads"], 1);
  EXPECT_GT(line["seconds"].get<double>(), 0);
  for (const char* key : {"per_second", "bytes_per_item", "peak_bytes"}) EXPECT_GT(line[key].get<double>(), 0) << key;
}

TEST(BenchOutput, BytesThatAServerDoesNotTellAreNotZero) {
  EXPECT_EQ(bytes_json(0), "null");
  EXPECT_EQ(bytes_json(12.345), "12.35");
  EXPECT_EQ(bytes_text(0, 0), "; its server does not tell its bytes");
  EXPECT_EQ(bytes_text(12.34, 0), "; 12.3 bytes of memory for each document");
  EXPECT_EQ(bytes_text(12.34, 5), "; 12.3 bytes of memory and 5.0 of disk for each document");
}

/// Returns the families of the measurements that `flags` ask for, one a line.
std::vector<std::string> families_measured(std::vector<std::string> flags, uint64_t count) {
  flags.insert(flags.begin(), {"bench", "fingerprint", "--threads", "1", "--json"});
  const Ran ran = run(flags);
  EXPECT_EQ(ran.exit, 0) << ran.err;
  std::vector<std::string> families;
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) {
    expect_measurement(line, "fingerprint", count);
    EXPECT_GT(json::parse(line)["mb_per_second"].get<double>(), 0);
    families.push_back(json::parse(line)["family"]);
  }
  return families;
}

using Families = std::vector<std::string>;

TEST(Bench, FingerprintOfMadeUpTextsByFamily) {
  EXPECT_EQ(families_measured({"--count", "200"}, 200), (Families{"minhash", "simhash"}));
  EXPECT_EQ(families_measured({"--count", "20", "--family", "minhash"}, 20), Families{"minhash"});
  EXPECT_EQ(families_measured({"--count", "20", "--family", "simhash"}, 20), Families{"simhash"});
  EXPECT_EQ(families_measured({"--count", "20", "--recipe", "grams"}, 20), Families{"simhash"});
  EXPECT_EQ(families_measured({"--count", "20", "--recipe", "minhash"}, 20), Families{"minhash"});
  const Ran none = run({"bench", "fingerprint", "--recipe", "minhash", "--family", "simhash"});
  EXPECT_EQ(none.exit, kExitUsage);
  EXPECT_NE(none.err.find("take --family minhash"), std::string::npos) << none.err;
}

TEST(Bench, SimilarSaysWhatItCounts) {
  EXPECT_EQ(
      text_line(
          {.bench = "similar select", .count = 67'108'864, .seconds = .5, .mb_per_second = 134.2, .counted = "bytes"}),
      "similar select: 67.1 MB of text in 0.5 s on 1 thread, 134.2 MB/s, peak memory 0 B\n");
  EXPECT_EQ(text_line({.bench = "similar", .count = 45, .num_threads = 2, .seconds = .5, .counted = "files"}),
            "similar: 45 files in 0.5 s on 2 threads, 90 files/s, peak memory 0 B\n");
}

TEST(Bench, LinesSaysWhyItDoesNotMeasureOnDisk) {
  const Ran ran = run({"bench", "lines", "--count", "1000", "--threads", "1", "--json"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out.find("disk"), std::string::npos);
  EXPECT_NE(ran.err.find("disk is not measured"), std::string::npos) << ran.err;
}

TEST(Bench, FingerprintOfAFile) {
  const Folder folder;
  const std::string input =
      folder.write("c.jsonl", "{\"text\":\"one two three\"}\n{\"text\":\"four five six seven\"}\n");
  EXPECT_EQ(families_measured({input}, 2), (Families{"minhash", "simhash"}));
  const std::string idf = folder / "words.idf";
  ASSERT_EQ(run({"idf", input, "-o", idf, "--progress", "off"}).exit, 0);
  EXPECT_EQ(families_measured({input, "--idf", idf}, 2), Families{"simhash"});
  const Ran ran = run({"bench", "fingerprint", input, "--family", "simhash", "--json"});
  EXPECT_EQ(json::parse(ran.out)["bytes_per_item"], 16);
}

TEST(Bench, Join) {
  const Ran ran = run({"bench", "join", "--count", "20k", "--distance", "2", "--threads", "1", "--json"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  expect_measurement(ran.out, "join", 20000);
  EXPECT_EQ(json::parse(ran.out)["distance"], 2);
}

TEST(Bench, TextForPeopleIsOneLine) {
  const Ran ran = run({"bench", "join", "--count", "1000"});
  EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 1);
  EXPECT_EQ(run({"bench", "join", "x.jsonl"}).exit, kExitUsage);
  EXPECT_EQ(run({"bench", "fingerprint", "--count", "10", "--recipe", "grams"}).exit, 0);
}

TEST(Bench, LatenciesAreToldInTheirUnit) {
  EXPECT_EQ(latency_text(0), "0 us");
  EXPECT_EQ(latency_text(850.4), "850 us");
  EXPECT_EQ(latency_text(999.6), "1 ms");
  EXPECT_EQ(latency_text(12'345), "12.3 ms");
  EXPECT_EQ(latency_text(999'700), "1.0 s");
  EXPECT_EQ(latency_text(1'234'000), "1.2 s");
  const Folder folder;
  const Ran ran = run({"bench", "store", "--count", "1000", "--documents", "100", "--uri", folder / "store"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out.find("half within 0.0 s"), std::string::npos) << ran.out;
}

TEST(Bench, AddressesAreNotTakenForFolders) {
  for (const char* address : {"mysql://127.0.0.1/0", "http://127.0.0.1:9"}) {
    const Ran ran = run({"bench", "store", "--count", "10", "--uri", address});
    EXPECT_NE(ran.exit, 0);
    EXPECT_NE(ran.err.find("is no place of a store"), std::string::npos) << ran.err;
  }
}

}  // namespace
}  // namespace neardup::cli
