// A crawl filter: verdicts, the file that is written anew, transactions, and disks that fail.
#include "neardup/engine/crawl/crawl_filter.h"

#include <nlohmann/json.hpp>

#include "tests/failing_file_system.h"
#include "tests/unit/engine/crawl_support.h"

namespace neardup::engine::crawl {
namespace {

using nlohmann::json;

/// "1 new, 2 exact/payload of 1, ..." by the ends of record ids.
std::string short_verdicts(const std::string& lines) {
  std::string all;
  const auto end_of = [](const std::string& id) { return id.substr(id.rfind(':') + 1); };
  size_t begin = 0;
  for (size_t end = lines.find('\n'); end != std::string::npos; begin = end + 1, end = lines.find('\n', begin)) {
    const json line = json::parse(lines.substr(begin, end - begin));
    if (!all.empty()) all += ", ";
    all += line["record"].is_null() ? "?" : end_of(line["record"]);
    all += " " + line["verdict"].get<std::string>();
    if (line.contains("by")) all += "/" + line["by"].get<std::string>();
    if (line.contains("duplicate_of")) all += " of " + end_of(line["duplicate_of"]);
  }
  return all;
}

std::vector<std::string> usual_crawl() {
  return {record("warcinfo", "urn:i", "", "application/warc-fields", "software: test\r\n"),
          request("1"),
          response("1", html(story(1))),
          request("2"),
          response("2", html(story(1))),
          response("3", html(story(1), "another comment")),
          response("4", html(story(1, 80, 40))),
          response("5", html(story(2))),
          response("6", "\x89PNG 1", "", "Content-Type: image/png\r\n"),
          response("7", "\x89PNG 1", "", "Content-Type: image/png\r\n"),
          response("8", html(story(1)), "", "Content-Type: text/html\r\n", "404 Not Found"),
          record("conversion", "urn:r:9", "http://a/1", "text/plain", story(2)),
          record("revisit", "urn:r:10", "http://a/1", "application/http", "HTTP/1.1 200 OK\r\n\r\n"),
          record("metadata", "urn:m", "http://a/1", "application/warc-fields", "via: http://a/\r\n")};
}

constexpr std::string_view kUsualVerdicts =
    "1 new/text, 2 exact/payload of 1, 3 exact/text of 1, 4 near/text of 1, 5 new/text, 6 new/payload, 7 exact/payload "
    "of 6, 8 none, 9 near/text of 5";

TEST_F(CrawlTest, PayloadsAreComparedFirstThenTexts) {
  const Filtered found = filter(*store_, {write("a.warc.gz", usual_crawl())});
  ASSERT_TRUE(found.status) << found.status.error().message;
  EXPECT_EQ(short_verdicts(found.lines), kUsualVerdicts);
  EXPECT_EQ(found.figures.records, 14u);
  EXPECT_EQ(found.figures.compared() + found.figures.others.total() + found.figures.rejected, found.figures.records);
  EXPECT_EQ(found.figures.others.kinds(), "2 request, 1 HTTP status 404, 1 metadata, 1 revisit, 1 warcinfo");
}

TEST_F(CrawlTest, TheSameFilesGetTheSameVerdictsAgain) {
  CrawlFilterOptions options;
  options.revisits = true;
  options.output = path("first.warc.gz");
  const std::string file = write("a.warc.gz", usual_crawl());
  const Filtered first = filter(*store_, {file}, options);
  open_store();
  options.output = path("second.warc.gz");
  const Filtered second = filter(*store_, {file}, options);
  ASSERT_TRUE(second.status);
  EXPECT_EQ(second.lines, first.lines);
  EXPECT_EQ(*read_file(path("second.warc.gz")), *read_file(path("first.warc.gz")));
  EXPECT_EQ(second.figures.repeated, second.figures.compared());
}

TEST_F(CrawlTest, ALaterCrawlMeetsTheEarlierOneInTheStore) {
  ASSERT_TRUE(filter(*store_, {write("a.warc.gz", {response("1", html(story(1)))})}).status);
  open_store();
  const Filtered found =
      filter(*store_, {write("b.warc.gz", {response("2", html(story(1))), response("3", html(story(1, 80, 7)))})});
  EXPECT_EQ(short_verdicts(found.lines), "2 exact/payload of 1, 3 near/text of 1");
  EXPECT_NE(found.lines.find("\"duplicate_of_uri\":\"http://a/1\",\"duplicate_of_date\":\"2026-11-22T12:00:00Z\""),
            std::string::npos);
}

TEST_F(CrawlTest, StoresOfFingerprintsTakePayloadsToo) {
  TextStoreSettings settings;
  settings.matching.recipe = *recipe::find_recipe("grams");
  settings.matching.family = FamilyChoice::kSimHash;
  auto store = open_or_make_store(path("fingerprints"), settings);
  ASSERT_TRUE(store) << store.error().message;
  const Filtered found = filter(**store, {write("a.warc.gz", usual_crawl())});
  ASSERT_TRUE(found.status) << found.status.error().message;
  EXPECT_TRUE(short_verdicts(found.lines).starts_with("1 new/text, 2 exact/payload of 1, 3 exact/text of 1, 4 near"));
}

TEST_F(CrawlTest, NeitherThreadsNorBatchesChangeAnything) {
  std::vector<std::string> records;
  for (int i = 0; i < 120; ++i)
    records.push_back(response(std::to_string(i), html(story(i % 40, 80, i < 80 ? -1 : i % 80))));
  const std::string file = write("a.warc.gz", records);
  CrawlFilterOptions options;
  options.output = path("all.warc.gz");
  options.revisits = true;
  options.num_threads = 1;
  const Filtered all = filter(*store_, {file}, options);
  EXPECT_EQ(all.figures.exact_payload, 40u);
  EXPECT_EQ(all.figures.near, 40u);
  for (const uint64_t batch_bytes : {1, 3000, 1 << 20}) {
    auto other = open_or_make_store(path("other" + std::to_string(batch_bytes)), {});
    options.output = path("other.warc.gz");
    options.batch_bytes = batch_bytes;
    options.num_threads = 3;
    const Filtered found = filter(**other, {file}, options);
    EXPECT_EQ(found.lines, all.lines);
    EXPECT_EQ(*read_file(path("other.warc.gz")), *read_file(path("all.warc.gz")));
  }
}

TEST_F(CrawlTest, TheOutputHasEveryRecordByteForByteButForRevisits) {
  const std::vector<std::string> crawl = usual_crawl();
  const std::string file = write("a.warc.gz", crawl);
  CrawlFilterOptions options;
  options.output = path("plain.warc.gz");
  ASSERT_TRUE(filter(*store_, {file}, options).status);
  std::vector<std::string> kept, about;
  for (const std::string& one : records_of(options.output)) (one.starts_with("WARC/1.1") ? about : kept).push_back(one);
  EXPECT_EQ(kept, crawl);
  EXPECT_EQ(about.size(), 5u) << "metadata about 2, 3, 4, 7 and 9";
  options.output = path("revisits.warc.gz");
  options.revisits = true;
  const Filtered found = filter(*store_, {file}, options);
  EXPECT_EQ(found.figures.revisits, 2u);
  EXPECT_EQ(found.figures.metadata_records, 3u);
  EXPECT_EQ(found.figures.written, crawl.size() + 3);
  const auto records = records_of(options.output);
  EXPECT_NE(records[4].find("WARC-Type: revisit\r\nWARC-Record-ID: <urn:r:2>"), std::string::npos);
  EXPECT_EQ(records[3], request("2")) << "its request refers to it still";
}

TEST_F(CrawlTest, ARevisitRefersToTheResponseThatWasFirstNeverToARevisit) {
  CrawlFilterOptions options;
  options.revisits = true;
  std::string before;
  for (const char* id : {"1", "2", "3"}) {
    options.output = path(std::string(id) + ".warc.gz");
    ASSERT_TRUE(filter(*store_, {write("in.warc.gz", {response(id, html(story(1)))})}, options).status);
    const auto records = records_of(options.output);
    ASSERT_EQ(records.size(), 1u);
    EXPECT_EQ(records[0].find("WARC-Refers-To: <urn:r:1>") != std::string::npos, std::string(id) != "1");
  }
}

TEST_F(CrawlTest, TheOutputFilteredAgainIsTheOutput) {
  CrawlFilterOptions options;
  options.revisits = true;
  options.output = path("once.warc.gz");
  ASSERT_TRUE(filter(*store_, {write("a.warc.gz", usual_crawl())}, options).status);
  options.output = path("twice.warc.gz");
  ASSERT_TRUE(filter(*store_, {path("once.warc.gz")}, options).status);
  EXPECT_EQ(*read_file(path("once.warc.gz")), *read_file(path("twice.warc.gz")));
}

TEST_F(CrawlTest, WhatIsBrokenIsToldAndNothingElseIsLost) {
  const std::string file = path("a.warc");
  std::ofstream(file, std::ios::binary) << response("1", html(story(1))) + "\r\n\r\nWARC/1.0\r\nnonsense\r\n\r\n" +
                                               response("2", html(story(1))) + "\r\n\r\n" +
                                               response("3", "abc").substr(0, 200);
  const Filtered found = filter(*store_, {file});
  EXPECT_EQ(short_verdicts(found.lines), "1 new/text, ? rejected, 2 exact/payload of 1, ? rejected");
  EXPECT_EQ(found.figures.rejected, 2u);
  EXPECT_EQ(found.notes.size(), 2u);
}

TEST_F(CrawlTest, ARecordThatCannotBeCopiedEndsARunThatWrites) {
  CrawlFilterOptions options;
  options.max_record_bytes = 2000;
  const std::string file =
      write("a.warc.gz", {response("1", html(story(1))), response("2", std::string(3000, 'x')), response("3", "abc")});
  EXPECT_EQ(short_verdicts(filter(*store_, {file}, options).lines), "1 new/text, ? rejected, 3 new/text");
  options.output = path("out.warc.gz");
  const Filtered found = filter(*store_, {file}, options);
  ASSERT_FALSE(found.status);
  EXPECT_EQ(found.status.error().code, Code::kUnsupported);
  EXPECT_FALSE(std::filesystem::exists(options.output));
}

TEST_F(CrawlTest, ATransactionIsSeenWhenAllIsDone) {
  CrawlFilterOptions options;
  options.tag = "t";
  options.is_transaction = true;
  options.output = path("out.warc.gz");
  const std::string file = write("a.warc.gz", usual_crawl());
  EXPECT_EQ(short_verdicts(filter(*store_, {file}, options).lines), kUsualVerdicts);
  EXPECT_EQ(short_verdicts(filter(*store_, {write("b.warc.gz", {response("20", html(story(1)))})}).lines),
            "20 exact/payload of 1");
}

TEST_F(CrawlTest, ATransactionThatFailsLeavesNothing) {
  CrawlFilterOptions options;
  options.tag = "t";
  options.is_transaction = true;
  options.output = path("out.warc.gz");
  options.max_record_bytes = 5000;
  const std::string file = write("a.warc.gz", {response("1", html(story(1))), response("2", std::string(9000, 'x'))});
  ASSERT_FALSE(filter(*store_, {file}, options).status);
  EXPECT_EQ(store_->store().statistics()->documents, 0u);
  EXPECT_EQ(short_verdicts(filter(*store_, {write("b.warc.gz", {response("20", html(story(1)))})}).lines),
            "20 new/text");
}

TEST_F(CrawlTest, ATransactionOfAKilledRunIsGoneOnWith) {
  ASSERT_TRUE(*store_->store().begin_tag("t"));
  CrawlFilterOptions options;
  options.tag = "t";
  ASSERT_TRUE(filter(*store_, {write("a.warc.gz", {response("1", html(story(1)))})}, options).status);
  open_store();  // the run was killed here
  options.is_transaction = true;
  const Filtered found =
      filter(*store_, {write("a.warc.gz", {response("1", html(story(1))), response("2", html(story(1)))})}, options);
  EXPECT_EQ(short_verdicts(found.lines), "1 new/text, 2 exact/payload of 1");
  EXPECT_EQ(found.notes.size(), 1u);
  EXPECT_EQ(store_->store().statistics()->open_tags, 0u);
}

TEST_F(CrawlTest, TheTagErasesPayloadsAndTexts) {
  CrawlFilterOptions options;
  options.tag = "t";
  const std::string file = write("a.warc.gz", {response("1", html(story(1)))});
  ASSERT_TRUE(filter(*store_, {file}, options).status);
  EXPECT_EQ(*store_->store().erase_tag("t"), 2u);
  EXPECT_EQ(short_verdicts(filter(*store_, {write("b.warc.gz", {response("2", html(story(1)))})}).lines), "2 new/text");
}

TEST_F(CrawlTest, StoppingIsHeard) {
  const std::atomic<bool> stop = true;
  CrawlFilterOptions options;
  options.context.cancel = &stop;
  options.output = path("out.warc.gz");
  const Filtered found = filter(*store_, {write("a.warc.gz", usual_crawl())}, options);
  ASSERT_FALSE(found.status);
  EXPECT_EQ(found.status.error().code, Code::kCancelled);
  EXPECT_FALSE(std::filesystem::exists(options.output));
}

// Whatever call fails, the output is there whole or not at all, and the same again gives what a run without a fault
// gives.
TEST_F(CrawlTest, EachCallOfTheDiskFailsInTurn) {
  CrawlFilterOptions options;
  options.revisits = true;
  options.is_transaction = true;
  options.tag = "t";
  options.num_threads = 1;
  options.output = path("good.warc.gz");
  const std::string file = write("a.warc.gz", usual_crawl());
  const Filtered good = filter(*store_, {file}, options);
  ASSERT_TRUE(good.status);
  const std::string good_bytes = *read_file(options.output);
  options.output = path("out.warc.gz");
  uint64_t failures = 0;
  for (uint64_t n = 1;; ++n) {
    std::filesystem::remove_all(path("store"));
    std::filesystem::remove(options.output);
    open_store();
    FailingFileSystem disk({.n = n, .error = ENOSPC});
    bool has_failed = false;
    {
      const ReplacedFileSystem replaced(disk);
      has_failed = !filter(*store_, {file}, options).status;
    }
    const auto written = read_file(options.output);
    EXPECT_TRUE(!written || *written == good_bytes) << n;
    EXPECT_TRUE(has_failed || written) << n;
    if (!disk.failed()) break;
    failures += has_failed ? 1 : 0;
    const Filtered again = filter(*store_, {file}, options);
    ASSERT_TRUE(again.status) << n << again.status.error().message;
    EXPECT_EQ(again.lines, good.lines) << n;
    EXPECT_EQ(*read_file(options.output), good_bytes) << n;
  }
  EXPECT_GT(failures, 5u);
}

}  // namespace
}  // namespace neardup::engine::crawl
