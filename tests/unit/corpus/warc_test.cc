// WARC: which records are documents, what their texts are, what becomes of them, and what of those that are damaged.
#include <gtest/gtest.h>
#include <zlib.h>

#include "neardup/corpus/formats/warc_header.h"
#include "neardup/corpus/formats/warc_kind.h"
#include "neardup/corpus/formats/warc_payload.h"
#include "tests/unit/corpus/support.h"
#include "tests/unit/corpus/warc_support.h"

namespace neardup::corpus {
namespace {

constexpr std::string_view kGzName = "a.warc.gz";

/// The texts of documents and "reason@record" of rejections, in order.
std::vector<std::string> said(const std::vector<Item>& items) {
  std::vector<std::string> all;
  for (const Item& item : items)
    all.push_back(item.reason.empty() ? item.text : item.reason + "@" + std::to_string(item.line + 1));
  return all;
}

std::vector<std::string> read_warc(const std::string& bytes, const std::string& name = "a.warc",
                                   const ReadOptions& options = {}) {
  return said(read_bytes(name, bytes, options));
}

using Texts = std::vector<std::string>;

/// Messages of rejections and notes of all batches.
struct Messages {
  std::vector<std::string> rejections, notes;
};

Messages messages_of(const std::string& name, const std::string& bytes, const ReadOptions& options = {}) {
  const TempFolder folder;
  auto reader = *Reader::open(discover_all({folder.write(name, bytes)}), options);
  Messages messages;
  for (Batch batch; *reader.next(batch);) {
    EXPECT_TRUE(reader.load(batch));
    for (const Rejection& rejection : batch.rejections) messages.rejections.push_back(rejection.message);
    for (const Rejection& note : batch.notes) messages.notes.push_back(note.message);
  }
  return messages;
}

std::string deflated(std::string_view text, int window_bits) {
  z_stream stream = {};
  deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string out(text.size() + 100, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

const std::string kPage = "<html><body>a page, as a server sends it</body></html>";

std::string encoded(const std::string& coding, const std::string& body) {
  return warc::response("http://a/", "Content-Type: text/html\r\nContent-Encoding: " + coding + "\r\n", body);
}

TEST(WarcHeader, FieldsHaveNamesInAnyLettersAndValuesWithoutSpace) {
  std::string_view problem;
  const std::string bytes = "WARC/1.1\r\nwarc-TYPE:  response \r\n folded\r\nContent-Length:5\r\nno field\r\n\r\nhello";
  const auto header = read_warc_header(bytes, problem);
  ASSERT_TRUE(header) << problem;
  EXPECT_EQ(header->type, "response");
  EXPECT_EQ(header->content_length, 5u);
  EXPECT_EQ(bytes.substr(header->size), "hello");
  EXPECT_EQ(header->fields.find("content-length"), "5");
  EXPECT_EQ(header->fields.find("other"), "");
}

TEST(WarcHeader, LinesMayEndWithANewlineAlone) {
  std::string_view problem;
  const auto header = read_warc_header("WARC/1.0\nWARC-Type: x\nContent-Length: 0\n\n", problem);
  ASSERT_TRUE(header) << problem;
  EXPECT_EQ(header->type, "x");
}

TEST(WarcHeader, ANameHasNoControlCharacters) {
  using namespace std::string_literals;
  for (const std::string& name : {"\rContent-Length"s, "\0Content-Length"s, "Content-Length\r"s, "Content\t-Length"s,
                                  "\x7f"
                                  "Content-Length"s}) {
    std::string_view problem;
    EXPECT_FALSE(read_warc_header("WARC/1.0\r\nWARC-Type: x\r\n" + name + ": 0\r\n\r\n", problem));
    EXPECT_EQ(problem, "has no Content-Length that is a number");
  }
  const std::string mixed = "WARC/1.0\r\r\nWARC-Type : x\r\r\nA: b\rContent-Length: 1\r\nContent-Length\t:\t0\r\n\r\n";
  std::string_view problem;
  const auto header = read_warc_header(mixed, problem);
  ASSERT_TRUE(header) << problem;
  EXPECT_EQ(header->type, "x");
  EXPECT_EQ(header->content_length, 0u);
  EXPECT_EQ(header->fields.find("A"), "b\rContent-Length: 1");
}

TEST(WarcHeader, SaysWhatIsWrong) {
  const auto wrong = [](std::string_view bytes) {
    std::string_view problem;
    EXPECT_FALSE(read_warc_header(bytes, problem));
    return std::string(problem);
  };
  EXPECT_EQ(wrong("WARC/1.0\r\nWARC-Type: x\r\n"), "has a header without an end");
  EXPECT_EQ(wrong("WARC/1.x\r\n\r\n"), "has no version line such as WARC/1.0");
  EXPECT_EQ(wrong("WARC/1.0\r\nContent-Length: 1\r\n\r\n"), "has no WARC-Type");
  for (const char* length : {"", "x", "-1", "1x", "99999999999999999999", "9999999999999999999"})
    EXPECT_EQ(wrong("WARC/1.0\r\nWARC-Type: x\r\nContent-Length: " + std::string(length) + "\r\n\r\n"),
              "has no Content-Length that is a number")
        << length;
  EXPECT_EQ(wrong("WARC/1.0\r\nA: b\r\nWARC/1.0\r\nWARC-Type: x\r\nContent-Length: 0\r\n\r\n"),
            "has a header without an end");
  EXPECT_EQ(wrong("WARC/1.0\r\nA: " + std::string(kMaxWarcHeaderBytes, 'x')), "has a header without an end");
}

TEST(WarcHeader, TypesAndCharsetsOfContentTypes) {
  EXPECT_EQ(media_type(" text/html ; charset=x"), "text/html");
  EXPECT_EQ(charset_of("text/html; a=b; Charset=\"windows-1251\""), "windows-1251");
  EXPECT_EQ(charset_of("text/html;charset=UTF-8; x"), "UTF-8");
  EXPECT_EQ(charset_of("text/html"), "");
  EXPECT_EQ(without_brackets("<urn:x>"), "urn:x");
}

TEST(WarcKind, TextTypes) {
  for (const char* type : {"text/html", "TEXT/plain", "application/xhtml+xml", "application/json", "text/xml",
                           "application/ld+json", "application/rss+xml", "text/markdown"})
    EXPECT_TRUE(is_text_type(type)) << type;
  for (const char* type : {"image/png", "text/css", "application/javascript", "text/javascript", "application/pdf",
                           "image/svg+xml", "text/dns", "application/octet-stream", "video/mp4", ""})
    EXPECT_FALSE(is_text_type(type)) << type;
}

TEST(WarcKind, TheTallyIsBoundedAndSaysTheMostFrequentFirst) {
  WarcTally tally;
  tally.add("request");
  tally.add("request");
  tally.add("image/png");
  EXPECT_EQ(tally.message(5), "3 of 5 records are no documents: 2 request, 1 image/png");
  for (int i = 0; i < 5000; ++i) tally.add("kind" + std::to_string(i));
  EXPECT_EQ(tally.total(), 5003u);
  EXPECT_LT(tally.message(9999).size(), 1000u);
}

TEST(WarcPayload, ChunksAreJoined) {
  Arena arena;
  EXPECT_EQ(without_chunks("3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n", arena), "abc0123456789");
  EXPECT_EQ(without_chunks("5\r\nab", arena), "ab");
  EXPECT_EQ(without_chunks("3\r\nabc\r\nnot a chunk", arena), "abc");
  EXPECT_EQ(without_chunks("<html>", arena), "<html>");
  EXPECT_EQ(without_chunks("", arena), "");
  EXPECT_EQ(without_chunks("ffffffffffffffff\r\nab", arena), "ab");
  EXPECT_EQ(without_chunks("fffffffffffffffff\r\nab", arena), "fffffffffffffffff\r\nab");
}

TEST(Warc, ContentEncodingsAreUndone) {
  const std::string gzip = *compress(Compression::kGzip, kPage), zstd = *compress(Compression::kZstd, kPage);
  const Texts expected = {kPage};
  EXPECT_EQ(read_warc(warc::file_of({encoded("gzip", gzip)})), expected);
  EXPECT_EQ(read_warc(warc::file_of({encoded("X-GZIP", gzip + gzip)})), Texts{kPage + kPage});
  EXPECT_EQ(read_warc(warc::file_of({encoded("deflate", deflated(kPage, 15))})), expected);
  EXPECT_EQ(read_warc(warc::file_of({encoded("deflate", deflated(kPage, -15))})), expected);
  EXPECT_EQ(read_warc(warc::file_of({encoded("zstd", zstd)})), expected);
  EXPECT_EQ(read_warc(warc::file_of({encoded("identity", kPage)})), expected);
  EXPECT_EQ(read_warc(warc::file_of({encoded("zstd, gzip", *compress(Compression::kGzip, zstd))})), expected);
}

TEST(Warc, WhatTheCrawlerHasUndoneIsTakenAsItIs) {
  for (const char* coding : {"gzip", "deflate", "zstd", "br", "utf-8"})
    EXPECT_EQ(read_warc(warc::file_of({encoded(coding, kPage)})), Texts{kPage}) << coding;
  const std::string chunked = "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n";
  EXPECT_EQ(read_warc(warc::file_of({warc::response("http://a/", chunked, kPage)})), Texts{kPage});
}

TEST(Warc, EncodingsThatAreNotReadOrDamagedAreNamed) {
  const std::string gzip = *compress(Compression::kGzip, kPage);
  EXPECT_EQ(read_warc(warc::file_of({encoded("br", "\x0b\x80\x01\xfe\xff\0\x03"), warc::page("http://b/", kPage)})),
            (Texts{"unsupported@1", kPage}));
  std::string broken = gzip;
  broken[15] ^= 0x55;
  broken[20] ^= 0x55;
  EXPECT_EQ(read_warc(warc::file_of({encoded("gzip", broken)})), Texts{"corrupt@1"});
  EXPECT_EQ(read_warc(warc::file_of({encoded("gzip,gzip,gzip,gzip,gzip", gzip)})), Texts{"unsupported@1"});
  const Messages messages = messages_of("a.warc", warc::file_of({encoded("br", "\xff\xfe\xfd\xfc")}));
  EXPECT_EQ(messages.rejections[0],
            "the record at byte 0 has the Content-Encoding 'br', which is not read: gzip, deflate and zstd are; let "
            "the crawler ask for these alone (Accept-Encoding: gzip, deflate)");
}

TEST(Warc, OfAPageThatWasCutTheStartIsTaken) {
  const std::string gzip = *compress(Compression::kGzip, kPage);
  const Texts found = read_warc(warc::file_of({encoded("gzip", gzip.substr(0, gzip.size() - 12))}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(kPage.starts_with(found[0]));
  EXPECT_GT(found[0].size(), 20u);
}

TEST(Warc, ABombIsLongerThanARecordMayBe) {
  ReadOptions options;
  options.max_record_bytes = 100'000;
  std::string bomb = *compress(Compression::kGzip, std::string(50'000'000, 'a'));
  EXPECT_EQ(read_warc(warc::file_of({encoded("gzip", bomb)}), "a.warc", options), Texts{"too_long@1"});
  bomb = *compress(Compression::kGzip, bomb);
  EXPECT_EQ(read_warc(warc::file_of({encoded("gzip, gzip", bomb)}), "a.warc", options), Texts{"too_long@1"});
  bomb = *compress(Compression::kZstd, std::string(50'000'000, 'a'));
  EXPECT_EQ(read_warc(warc::file_of({encoded("zstd", bomb)}), "a.warc", options), Texts{"too_long@1"});
}

const std::vector<std::string> kCrawl = {
    warc::info(),
    warc::record("request", "http://a/1", "application/http; msgtype=request", "GET / HTTP/1.1\r\n\r\n"),
    warc::page("http://a/1", "first page"),
    warc::record("metadata", "http://a/1", "application/warc-fields", "fetchTimeMs: 1\r\n"),
    warc::response("http://a/p", "Content-Type: image/png\r\n", "\x89PNG\r\n"),
    warc::response("http://a/404", "Content-Type: text/html\r\n", "not here", "404 Not Found"),
    warc::response("http://a/empty", "Content-Type: text/html\r\n", ""),
    warc::record("revisit", "http://a/1", "application/http; msgtype=response", "HTTP/1.1 200 OK\r\n\r\n"),
    warc::record("resource", "metadata://gnu.org/software/wget/warc/wget.log", "text/plain", "a log"),
    warc::record("response", "dns:a", "text/dns", "1.2.3.4"),
    warc::text("http://a/2", "second text"),
    warc::record("resource", "file:///c", "text/plain", "third text"),
};
const Texts kCrawlTexts = {"first page", "second text", "third text"};

TEST(Warc, ResponsesResourcesAndConversionsOfTextAreDocuments) {
  EXPECT_EQ(read_warc(warc::file_of(kCrawl)), kCrawlTexts);
  const Messages messages = messages_of("a.warc", warc::file_of(kCrawl));
  ASSERT_EQ(messages.notes.size(), 1u);
  EXPECT_EQ(messages.notes[0],
            "9 of 12 records are no documents: 1 HTTP status 404, 1 image/png, 1 metadata, 1 request, 1 resource, 1 "
            "revisit, 1 text/dns, 1 warcinfo, 1 without content");
}

TEST(Warc, EveryCompressionGivesTheSame) {
  EXPECT_EQ(read_warc(warc::file_of(kCrawl, Compression::kGzip), "a.warc.gz"), kCrawlTexts);
  EXPECT_EQ(read_warc(warc::file_of(kCrawl, Compression::kZstd), "a.warc.zst"), kCrawlTexts);
  EXPECT_EQ(read_warc(*compress(Compression::kGzip, warc::file_of(kCrawl)), "a.warc.gz"), kCrawlTexts);
  EXPECT_EQ(read_warc(*compress(Compression::kZstd, warc::file_of(kCrawl)), "a.wet.zst"), kCrawlTexts);
  EXPECT_EQ(read_warc(warc::file_of(kCrawl, Compression::kGzip), "crawl"), kCrawlTexts);  // by its first bytes
}

TEST(Warc, BatchesDoNotShow) {
  const auto whole = read_bytes("a.warc.gz", warc::file_of(kCrawl, Compression::kGzip));
  for (uint64_t batch_bytes = 1; batch_bytes < 3000; batch_bytes += 97) {
    ReadOptions options;
    options.batch_bytes = batch_bytes;
    expect_same(read_bytes("a.warc.gz", warc::file_of(kCrawl, Compression::kGzip), options), whole);
  }
}

TEST(Warc, TheIdIsTheUriOrWhatHeaderIsNamed) {
  const std::string file =
      warc::file_of({warc::page("http://a/1", "x"), warc::record("resource", "", "text/plain", "y")});
  const auto by_uri = read_bytes("a.warc", file);
  EXPECT_EQ(by_uri[0].id, "http://a/1");
  EXPECT_FALSE(by_uri[1].has_id);
  ReadOptions options;
  options.id_key = "warc-record-id";
  options.value_key = "WARC-Type";
  options.group_key = "Content-Type";
  const auto by_record = read_bytes("a.warc", file, options);
  EXPECT_EQ(by_record[0].id, "urn:test:http://a/1");
  EXPECT_EQ(by_record[0].value, "\"response\"");
  EXPECT_EQ(by_record[0].group, "application/http; msgtype=response");
}

TEST(Warc, FieldsOfTheServerCountWhereTheRecordHasNoneOfThatName) {
  ReadOptions options;
  options.group_key = "server";
  const std::string fields = "Content-Type: text/html\r\nServer: nginx\r\n";
  EXPECT_EQ(read_bytes("a.warc", warc::file_of({warc::response("http://a/", fields, "x")}), options)[0].group, "nginx");
}

TEST(Warc, TheCharsetOfTheServerIsHeeded) {
  ReadOptions options;
  options.any_encoding = true;
  options.to_utf8 = [](std::string_view bytes, std::string_view charset) {
    return std::string(charset) + " " + std::string(bytes);
  };
  const std::string file =
      warc::file_of({warc::response("http://a/", "Content-Type: text/html; charset=Windows-1251\r\n", "x"),
                     warc::response("http://b/", "Content-Type: text/html; charset=utf-8\r\n", "y"),
                     warc::response("http://c/", "Content-Type: text/html\r\n", "z")});
  EXPECT_EQ(read_warc(file, "a.warc", options), (Texts{"Windows-1251 x", "y", "z"}));
}

TEST(Warc, WhatIsSaidToBeTextAndIsNotIsNamed) {
  const std::string file = warc::file_of(
      {warc::response("http://a/", "Content-Type: text/plain\r\n", "%PDF-1.4 x"),
       warc::response("http://b/", "Content-Type: text/html\r\n", std::string(99, '\0')),
       warc::response("http://c/", "", "no type, but text"), warc::response("http://d/", "", std::string(9, '\0'))});
  EXPECT_EQ(read_warc(file), (Texts{"binary@1", "binary@2", "no type, but text"}));
  EXPECT_EQ(messages_of("a.warc", file).rejections[0],
            "the record at byte 0 is said to be text, and what it holds is a PDF document");
}

TEST(Warc, RecordsThatAreNotWhatTheySayAreNamed) {
  const std::string file = warc::file_of(
      {warc::record("response", "http://a/", "application/http", "no http"),
       warc::record("response", "http://b/", "application/http", warc::http("", "x"), "WARC-Segment-Number: 1\r\n"),
       warc::text("http://c/", "good")});
  EXPECT_EQ(read_warc(file), (Texts{"invalid_warc@1", "unsupported@2", "good"}));
}

TEST(Warc, GarbageBetweenRecordsIsOneRecord) {
  const std::string a = warc::text("a", "A"), b = warc::text("b", "B");
  EXPECT_EQ(read_warc(a + "\r\n\r\ngarbage\nmore of it WARC/1.0\n" + b + "\r\n\r\n"),
            (Texts{"A", "invalid_warc@2", "B"}));
  EXPECT_EQ(read_warc("garbage" + a + "\r\n\r\n"), Texts{"invalid_warc@1"});
  EXPECT_EQ(read_warc(a), Texts{"A"});
  const std::string gz = *compress(Compression::kGzip, a + "\r\n\r\n");
  const std::string other = *compress(Compression::kGzip, b + "\r\n\r\n");
  EXPECT_EQ(read_warc(gz + "garbage" + other, "a.warc.gz"), (Texts{"A", "corrupt@2", "B"}));
  EXPECT_EQ(read_warc(gz + *compress(Compression::kGzip, "garbage") + other, "a.warc.gz"),
            (Texts{"A", "invalid_warc@2", "B"}));
  EXPECT_EQ(read_warc(gz + "garbage", "a.warc.gz"), (Texts{"A", "corrupt@2"}));
}

TEST(Warc, AWrongLengthCostsNoOtherRecord) {
  const std::string good = warc::text("good", "good");
  for (const char* length : {"", "x", "0", "2", "4", "5", "6", "40", "4000", "999999999999"}) {
    std::string bad = warc::text("bad", "bad text");
    bad.replace(bad.find("Content-Length: 8") + 16, 1, length);
    for (const Compression compression : {Compression::kNone, Compression::kGzip, Compression::kZstd}) {
      const std::string name = "a.warc" + std::string(compression == Compression::kNone   ? ""
                                                      : compression == Compression::kGzip ? ".gz"
                                                                                          : ".zst");
      const Texts found = read_warc(warc::file_of({good, bad, good}, compression), name);
      ASSERT_EQ(found.size(), 3u) << length << name;
      EXPECT_EQ(found[0], "good");
      EXPECT_TRUE(found[1].ends_with("@2")) << length << " " << found[1];
      EXPECT_EQ(found[2], "good");
    }
  }
}

TEST(Warc, ARecordTooLongIsNamedAndAnImageTooLongIsNot) {
  ReadOptions options;
  options.max_record_bytes = 1000;
  const std::string image = "Content-Type: image/png\r\n";
  for (const size_t size : {size_t{2000}, size_t{3'000'000}}) {
    const std::vector<std::string> records = {warc::text("a", "A"), warc::text("b", std::string(size, 'b')),
                                              warc::response("c", image, std::string(size, 'c')), warc::text("d", "D")};
    for (const Compression compression : {Compression::kNone, Compression::kGzip}) {
      const std::string name = compression == Compression::kNone ? "a.warc" : "a.warc.gz";
      EXPECT_EQ(read_warc(warc::file_of(records, compression), name, options), (Texts{"A", "too_long@2", "D"})) << size;
    }
  }
}

TEST(Warc, AnHttpHeaderThatIsTooLongIsNamed) {
  const std::string cookie = "Set-Cookie: " + std::string(kMaxWarcHeaderBytes, 'x') + "\r\n";
  const auto page = [](const std::string& fields, const std::string& status = "200 OK") {
    return warc::response("b", "Content-Type: text/html\r\n" + fields, kPage, status);
  };
  const std::string early = warc::record("response", "b", "application/http; msgtype=response",
                                         warc::http("", "", "103 Early Hints") + warc::http(cookie, kPage));
  for (const std::string& record : {page(cookie), page(cookie + cookie), early}) {
    const std::string file = warc::file_of({warc::text("a", "A"), record, warc::text("c", "C")});
    EXPECT_EQ(read_warc(file), (Texts{"A", "too_long@2", "C"}));
    ReadOptions options;
    options.max_record_bytes = 1000;
    EXPECT_EQ(read_warc(file, "a.warc", options), (Texts{"A", "too_long@2", "C"}));
  }
  EXPECT_EQ(read_warc(warc::file_of({page(cookie, "404 Not Found")})), Texts{}) << "no document, however long";
  EXPECT_EQ(read_warc(warc::file_of({page("A: " + std::string(200'000, 'x') + "\r\n")})).size(), 1U);
}

TEST(Warc, AMemberThatIsCutShortCostsItsRecordAlone) {
  const std::string a = warc::text("a", "A"), b = warc::text("b", "some words that are not said again: 0123456789");
  const std::string whole = *compress(Compression::kGzip, b + "\r\n\r\n");
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::string gz = *compress(Compression::kGzip, a + "\r\n\r\n");
    const Texts found = read_warc(gz + whole.substr(0, size) + gz, "a.warc.gz");
    ASSERT_GE(found.size(), 2u) << size;
    EXPECT_EQ(found.front(), "A");
    EXPECT_EQ(found.back(), "A") << size;
    EXPECT_EQ(found.size(), size == 0 ? 2u : 3u) << size;
  }
}

TEST(Warc, ARecordWhoseMemberFailsItsChecksumIsNoDocument) {
  std::string bad = *compress(Compression::kGzip, warc::text("b", "B") + "\r\n\r\n");
  const std::string good = *compress(Compression::kGzip, warc::text("a", "A") + "\r\n\r\n");
  bad[bad.size() - 6] ^= 1;
  EXPECT_EQ(read_warc(good + bad + good, "a.warc.gz"), (Texts{"A", "corrupt@2", "A"}));
  EXPECT_EQ(read_warc(good + bad, "a.warc.gz"), (Texts{"A", "corrupt@2"}));
}

TEST(Warc, PlacesAreBytesOfTheFile) {
  const std::string good = warc::file_of({warc::text("a", "A")}, Compression::kGzip);
  const std::string bad = *compress(Compression::kGzip, "WARC/1.0\r\n\r\n");
  const Messages in_members = messages_of("a.warc.gz", good + bad);
  EXPECT_EQ(in_members.rejections[0],
            "the record at byte " + std::to_string(good.size()) + " has no Content-Length that is a number");
  const std::string plain = warc::file_of({warc::text("a", "A")});
  const Messages in_one = messages_of("a.warc.gz", *compress(Compression::kGzip, plain + "WARC/1.0\r\n\r\n"));
  EXPECT_EQ(in_one.rejections[0], "the record at byte " + std::to_string(plain.size()) +
                                      " of what is decompressed has no Content-Length that is a number");
}

TEST(Warc, AFileWithADictionaryIsRefusedByName) {
  const std::string dictionary("\x5D\x2A\x4D\x18\x04\0\0\0dict", 12);
  const Messages messages =
      messages_of("a.warc.zst", dictionary + warc::file_of({warc::text("a", "A")}, Compression::kZstd));
  ASSERT_EQ(messages.rejections.size(), 1u);
  EXPECT_NE(messages.rejections[0].find("dictionary"), std::string::npos) << messages.rejections[0];
}

/// What a sink writes of the records chosen by number.
std::string written(const std::string& name, const std::string& bytes, const std::vector<size_t>& chosen) {
  const TempFolder folder;
  auto reader = *Reader::open(discover_all({folder.write(name, bytes)}), {});
  std::string out;
  size_t number = 0;
  for (Batch batch; *reader.next(batch);) {
    EXPECT_TRUE(reader.load_records(batch));
    std::vector<Chosen> records;
    for (const Document& document : batch.documents)
      if (std::find(chosen.begin(), chosen.end(), number++) != chosen.end()) records.push_back({&document, {}});
    warc_sink().append(batch, records, false, out);
  }
  return out;
}

TEST(WarcSink, WritesRecordsByteForByteEachInItsOwnMemberAndWarcinfo) {
  const std::vector<std::string> records = {warc::info(), warc::page("a", "A"), warc::page("b", "B"),
                                            warc::page("c", "C")};
  EXPECT_EQ(written("a.warc", warc::file_of(records), {1}), warc::file_of({records[0], records[2]}));
  for (const Compression compression : {Compression::kGzip, Compression::kZstd}) {
    const std::string name = compression == Compression::kGzip ? "a.warc.gz" : "a.warc.zst";
    EXPECT_EQ(written(name, warc::file_of(records, compression), {0, 2}),
              warc::file_of({records[0], records[1], records[3]}, compression));
    EXPECT_EQ(written(name, *compress(compression, warc::file_of(records)), {}),
              warc::file_of({records[0]}, compression));
  }
}

TEST(WarcFields, OfTheFirstRecordAreListed) {
  const TempFolder folder;
  const auto inputs = discover_all({folder.write("a.warc", warc::file_of({warc::text("a", "A")}))});
  EXPECT_EQ(first_field_names(inputs[0]),
            "'WARC-Type', 'WARC-Target-URI', 'WARC-Record-ID', 'Content-Type', 'Content-Length'");
}

}  // namespace
}  // namespace neardup::corpus
