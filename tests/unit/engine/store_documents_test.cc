// Files into a store of texts: the documents that dedup reads of them.
#include "neardup/engine/online/store_documents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "neardup/engine/engine.h"
#include "tests/unit/engine/crawl_support.h"

namespace neardup::engine::crawl {
namespace {

// "new", or "near a" and "exact a": what became of each document of some files.
using Fates = std::map<std::string, std::string>;

std::string latin1(std::string text) {
  for (char& c : text) c = c == 'w' ? '\xE9' : c;
  return text;
}

std::string utf16(const std::string& text) {
  std::string bytes = "\xFF\xFE";
  for (const char c : text) bytes += {c, '\0'};
  return bytes;
}

class StoreDocumentsTest : public CrawlTest {
 protected:
  void SetUp() override {
    CrawlTest::SetUp();
    std::filesystem::create_directories(path("in"));
    write_warc(path("in/crawl.warc.gz"), {response("a", html(latin1(story(1))), "", latin1_header()),
                                          response("b", html(latin1(story(1, 80, 7))), "", latin1_header()),
                                          request("b"), response("c", "\x89PNG", "", "Content-Type: image/png\r\n"),
                                          response("d", html(story(2))), response("e", html(story(2), "again"))});
    put("in/1.txt", story(3));
    put("in/2.txt", utf16(story(3)));
    put("in/3.txt", latin1(story(4)));
    put("in/4.txt", latin1(story(4, 80, 9)));
    put("in/5.txt", utf16(story(5)));
    put("in/table.csv", "text\n" + story(6) + "\n" + story(6, 80, 3) + "\n\"never closed\n");
  }

  static std::string latin1_header() { return "Content-Type: text/html; charset=iso-8859-1\r\n"; }
  void put(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }

  // The place of a text, without what tells it from other texts of the place.
  static std::string place_of(const std::string& id) { return id.substr(0, id.find('#')); }

  Fates stored(StoringOptions options = {}) {
    Fates fates;
    const auto take = [&](std::string_view id, const TextVerdict& verdict) {
      constexpr const char* kWords[] = {"new", "exact ", "near "};
      fates[place_of(std::string(id))] = kWords[static_cast<size_t>(verdict.kind)] + place_of(verdict.duplicate_of);
      return Status();
    };
    const auto inputs = *corpus::discover({{path("in")}}, {});
    const auto counts = store_documents(*store_, inputs, options, {},
                                        {.verdict = take,
                                         .rejected = [this](const std::string& what) { rejected_.push_back(what); },
                                         .noted = [this](const std::string& what) { notes_.push_back(what); }});
    EXPECT_TRUE(counts) << counts.error().message;
    return fates;
  }

  Fates of_dedup(uint64_t memory_bytes = DedupOptions{}.memory_bytes) const {
    DedupOptions options;
    options.memory_bytes = memory_bytes;
    options.inputs = {path("in")};
    options.output = path("out");
    options.keep = *cluster::keep_rule_from_string("first");
    options.commonness_file = "none";
    const auto report = dedup(options, {});
    EXPECT_TRUE(report) << report.error().message;
    Fates fates;
    std::ifstream removed(path("out/duplicates.jsonl"));
    for (std::string line; std::getline(removed, line);) {
      const auto json = nlohmann::json::parse(line);
      fates[json["id"]] = json["kind"].get<std::string>() + " " + json["duplicate_of"].get<std::string>();
    }
    return fates;
  }

  std::vector<std::string> rejected_, notes_;
};

TEST_F(StoreDocumentsTest, TakesWhatDedupTakesAndDecidesAsItDoes) {
  Fates fates = stored();
  EXPECT_EQ(fates.size(), 11U);
  std::erase_if(fates, [](const auto& one) { return one.second == "new"; });
  EXPECT_EQ(fates, of_dedup());
  ASSERT_EQ(rejected_.size(), 1U);
  EXPECT_NE(rejected_[0].find("table.csv"), std::string::npos) << rejected_[0];
  ASSERT_FALSE(notes_.empty());
  EXPECT_NE(notes_[0].find("crawl.warc.gz"), std::string::npos) << notes_[0];
}

// Else what takes hours to read would expire all at once, and too early.
TEST_F(StoreDocumentsTest, ADocumentHasTheTimeAtWhichItsBatchWasRead) {
  int64_t now = 1000;
  StoringOptions options{.clock = [&now] { return now++; }};
  options.read.batch_bytes = 1;
  stored(options);
  std::vector<int64_t> times;
  ASSERT_TRUE(store_->store().for_each(0, 100, [&](const store::Record& record) { times.push_back(record.time); }));
  ASSERT_GT(times.size(), 8U);
  EXPECT_TRUE(std::ranges::is_sorted(times));
  EXPECT_GE(times.front(), 1000);
  EXPECT_GT(times.back(), times.front() + 2);
}

// Of each only the beginning is read: they are no copies of each other.
TEST_F(StoreDocumentsTest, ReadsAsMuchOfAPageAsFitsInTheMemory) {
  constexpr uint64_t kLittle = uint64_t{64} << 20;
  for (const char* end : {"one", "another"})
    put(std::string("in/long_") + end + ".html", "<!doctype html><p>" + story(9) + std::string(600'000, ' ') + end);
  Fates fates = stored({.memory_bytes = kLittle});
  EXPECT_EQ(std::ranges::count_if(fates, [](const auto& one) { return one.first.find("long_") != std::string::npos; }),
            2);
  std::erase_if(fates, [](const auto& one) { return one.second == "new"; });
  EXPECT_EQ(fates, of_dedup(kLittle));
}

}  // namespace
}  // namespace neardup::engine::crawl
