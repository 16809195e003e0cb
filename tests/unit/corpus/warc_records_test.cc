// All records of a WARC file in their order, whatever they are.
#include "neardup/corpus/warc_records.h"

#include <gtest/gtest.h>

#include "tests/unit/corpus/support.h"
#include "tests/unit/corpus/warc_support.h"

namespace neardup::corpus {
namespace {

using Kind = WarcVerdict::Kind;

struct ReadItem {
  std::string bytes, reason;
  Kind kind;
  bool operator==(const ReadItem&) const = default;
};

std::vector<ReadItem> read_items(const std::string& name, const std::string& bytes, const ReadOptions& options = {}) {
  const TempFolder folder;
  const auto inputs = discover_all({folder.write(name, bytes)});
  auto records = *WarcRecords::open(inputs.at(0), options);
  std::vector<ReadItem> items;
  for (WarcItems batch; *records.next(batch);)
    for (const WarcItem& item : batch.items)
      items.push_back({std::string(item.bytes), item.verdict.reason, item.verdict.kind});
  return items;
}

const std::vector<std::string> kRecords = {
    warc::info(),
    warc::record("request", "http://a/1", "application/http; msgtype=request", "GET / HTTP/1.1\r\n\r\n"),
    warc::page("http://a/1", "<html><body>one</body></html>"),
    warc::response("http://a/2", "Content-Type: image/png\r\n", "\x89PNG"),
    warc::record("response", "http://a/3", "application/http", "no http"),
    warc::record("revisit", "http://a/1", "application/http", "HTTP/1.1 200 OK\r\n\r\n"),
    warc::text("http://a/4", "four")};

TEST(WarcRecords, EachRecordComesInItsOrderByteForByte) {
  const std::vector<Kind> kinds = {Kind::kInfo,     Kind::kNone, Kind::kDocument, Kind::kNone,
                                   Kind::kRejected, Kind::kNone, Kind::kDocument};
  for (const auto& [name, compression] : {std::pair{"a.warc", Compression::kNone},
                                          {"a.warc.gz", Compression::kGzip},
                                          {"a.warc.zst", Compression::kZstd}}) {
    for (const uint64_t batch_bytes : {uint64_t{1}, uint64_t{300}, uint64_t{1} << 20}) {
      ReadOptions options;
      options.batch_bytes = batch_bytes;
      const auto items = read_items(name, warc::file_of(kRecords, compression), options);
      ASSERT_EQ(items.size(), kRecords.size()) << name;
      for (size_t i = 0; i < items.size(); ++i) {
        EXPECT_EQ(items[i].bytes, kRecords[i]);
        EXPECT_EQ(items[i].kind, kinds[i]) << i;
      }
    }
  }
}

TEST(WarcRecords, WhatIsBrokenStandsWhereItWas) {
  const std::string file = kRecords[0] + "\r\n\r\nWARC/1.0\r\nno type\r\n\r\n" + kRecords[2] + "\r\n\r\n" +
                           kRecords[6].substr(0, kRecords[6].size() - 1);
  const auto items = read_items("a.warc", file);
  ASSERT_EQ(items.size(), 4u);
  EXPECT_EQ(items[1], (ReadItem{"", "invalid_warc", Kind::kRejected}));
  EXPECT_EQ(items[2].bytes, kRecords[2]);
  EXPECT_EQ(items[3], (ReadItem{"", "truncated", Kind::kRejected}));
}

TEST(WarcRecords, ARecordThatIsTooLongIsNotHeldWhateverItIs) {
  ReadOptions options;
  options.max_record_bytes = 1000;
  for (const char* type : {"response", "request", "warcinfo"}) {
    const std::string file =
        warc::file_of({warc::record(type, "http://a/", "application/http", std::string(1001, 'x')), kRecords[2]});
    const auto items = read_items("a.warc", file, options);
    ASSERT_EQ(items.size(), 2u) << type;
    EXPECT_EQ(items[0], (ReadItem{"", "too_long", Kind::kRejected}));
    EXPECT_EQ(items[1].bytes, kRecords[2]);
  }
}

TEST(WarcRecords, AnEmptyFileHasNone) { EXPECT_TRUE(read_items("a.warc", "\r\n").empty()); }

}  // namespace
}  // namespace neardup::corpus
