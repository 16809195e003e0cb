// A crawl filter removes what dedup removes of the same records.
#include <filesystem>

#include "neardup/engine/engine.h"
#include "tests/promise/engine/made_corpus.h"
#include "tests/unit/engine/crawl_support.h"

namespace neardup::engine::crawl {
namespace {

std::vector<nlohmann::json> read_lines(const std::string& lines) {
  std::vector<nlohmann::json> result;
  size_t begin = 0;
  for (size_t end = lines.find('\n'); end != std::string::npos; begin = end + 1, end = lines.find('\n', begin))
    result.push_back(nlohmann::json::parse(lines.substr(begin, end - begin)));
  return result;
}

/// What each record that is no new one goes back to; of an exact copy of a near-duplicate that is what this one
/// repeats.
std::map<std::string, std::string> originals_of(const std::string& lines) {
  std::map<std::string, std::string> originals;
  for (const nlohmann::json& line : read_lines(lines)) {
    if (!line.contains("duplicate_of")) continue;
    const std::string original = line["duplicate_of"];
    const auto before = originals.find(original);
    originals[line["record"]] = before == originals.end() ? original : before->second;
  }
  return originals;
}

std::map<std::string, std::string> removed_by_dedup(const std::string& file, const std::string& output) {
  DedupOptions options;
  options.inputs = {file};
  options.output = output;
  options.read.id_key = "WARC-Record-ID";
  const auto report = dedup(options, {});
  EXPECT_TRUE(report) << report.error().message;
  std::map<std::string, std::string> removed;
  for (const nlohmann::json& line : read_jsonl(output + "/duplicates.jsonl"))
    removed[line["id"]] = line["duplicate_of"];
  return removed;
}

/// Pages, some of them copies byte for byte, and WET records of others. No two have words in common by chance: dedup
/// weighs words by how common they are in the whole crawl, which a store cannot know beforehand.
std::vector<std::string> made_crawl(uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::string> records, bodies;
  for (int i = 0; i < 300; ++i) {
    const std::string id = std::to_string(i);
    if (!bodies.empty() && random() % 4 == 0) {
      records.push_back(response(id, bodies[random() % bodies.size()]));
      continue;
    }
    const int number = static_cast<int>(random() % 60), words = 60 + number;
    const int changed = random() % 3 == 0 ? -1 : static_cast<int>(random() % static_cast<uint64_t>(words));
    const std::string text = story(number, words, changed);
    if (random() % 6 == 0) {
      records.push_back(record("conversion", "urn:r:" + id, "http://a/" + id, "text/plain", text));
      continue;
    }
    bodies.push_back(html(text, std::to_string(random() % 3)));
    records.push_back(response(id, bodies.back()));
  }
  return records;
}

TEST_F(CrawlTest, RemovesWhatDedupRemoves) {
  for (const uint64_t seed : {1, 2, 3}) {
    const std::string file = write("a.warc.gz", made_crawl(seed));
    auto store = *open_or_make_store(path("store" + std::to_string(seed)), {});
    const auto removed = removed_by_dedup(file, path("out" + std::to_string(seed)));
    EXPECT_GT(removed.size(), 100U);
    EXPECT_EQ(originals_of(filter(*store, {file}).lines), removed);
  }
}

}  // namespace
}  // namespace neardup::engine::crawl
