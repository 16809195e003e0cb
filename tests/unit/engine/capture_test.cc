// What is looked at of the records of a crawl, what they are called, and what is made of them.
#include "neardup/engine/crawl/capture.h"

#include "neardup/engine/crawl/warc_writing.h"
#include "neardup/fingerprint/digest.h"
#include "tests/unit/engine/crawl_support.h"

namespace neardup::engine {
namespace {

using VerdictKind = CrawlVerdict::Kind;

TEST(CaptureNames, AnIdTellsAllThree) {
  for (const CaptureName& name : {CaptureName{"urn:uuid:1", "2026-11-22T12:00:00Z", "http://a/b c"},
                                  {"urn:uuid:1", "", "http://a/"},
                                  {"<odd>", "2026", ""}}) {
    ASSERT_TRUE(can_be_stored(name.record, name.date));
    EXPECT_EQ(name_of_id(text_id(name)), name);
    EXPECT_EQ(name_of_id(payload_id(name)), name);
    EXPECT_NE(text_id(name), payload_id(name));
  }
}

TEST(CaptureNames, OtherIdsAreNamesThemselves) {
  for (const char* id : {"a", "two words", "three more words", "a b c d"})
    EXPECT_EQ(name_of_id(id), (CaptureName{id, "", ""})) << id;
}

TEST(CaptureNames, WhatHasWhiteSpaceIsNotStored) {
  EXPECT_FALSE(can_be_stored("", "2026"));
  EXPECT_FALSE(can_be_stored("a b", "2026"));
  EXPECT_FALSE(can_be_stored("a", "last week"));
  EXPECT_FALSE(can_be_stored("a\tb", ""));
  EXPECT_FALSE(can_be_stored("a\x7f", ""));
}

TEST(CaptureNames, DatesAreSeconds) {
  EXPECT_EQ(seconds_of_date("1970-01-02T00:00:01Z"), 86401);
  EXPECT_EQ(seconds_of_date("2026-11-22T12:00:00Z"), 1795348800);
  EXPECT_EQ(seconds_of_date("2026-11-22T12:00:00.123456Z"), 1795348800);
  for (const char* date : {"", "2026", "2026-11-22", "2026-13-22T12:00:00Z", "2026-11-22T25:00:00Z",
                           "2026-11-22T12:00:00", "-026-11-22T12:00:00Z", "2026-11-22T12:00:0 Z"})
    EXPECT_EQ(seconds_of_date(date), 0) << date;
}

/// A capture with all that it views.
struct ReadCapture {
  corpus::WarcItem item;
  corpus::BatchBuffers buffers;
  std::string bytes;
  Capture capture;
};

std::unique_ptr<ReadCapture> read_one(const std::string& bytes) {
  auto one = std::make_unique<ReadCapture>();
  one->bytes = bytes;
  std::string_view problem;
  const auto header = corpus::read_warc_header(one->bytes, problem);
  one->item.bytes = one->bytes;
  one->item.verdict = corpus::judge_warc_record(*header, std::string_view(one->bytes).substr(header->size));
  corpus::ReadOptions options;
  one->capture = read_capture(one->item, options, one->buffers);
  return one;
}

TEST(Captures, APayloadIsWhatTheServerSent) {
  const auto plain = read_one(crawl::response("1", "abc"));
  EXPECT_TRUE(plain->capture.has_payload && plain->capture.has_text);
  EXPECT_EQ(plain->capture.payload, "abc");
  EXPECT_EQ(plain->capture.digest, "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5");
  EXPECT_EQ(plain->capture.http_header, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n");
  const auto chunked = read_one(crawl::response("2", "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", "",
                                                "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n"));
  EXPECT_EQ(chunked->capture.payload, "abc");
  EXPECT_EQ(chunked->capture.payload_checksum, plain->capture.payload_checksum);
  const auto conversion = read_one(crawl::record("conversion", "urn:c", "http://a/", "text/plain", "abc"));
  EXPECT_EQ(conversion->capture.digest, plain->capture.digest);
  EXPECT_NE(conversion->capture.payload_checksum, plain->capture.payload_checksum) << "no response";
}

TEST(Captures, ADigestThatIsRightStays) {
  const std::string body = "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", chunked = "Transfer-Encoding: chunked\r\n";
  const std::string of_stored = fingerprint::sha1_label(body);
  const std::string sha256 = "sha-256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  for (const std::string& right : {of_stored, sha256, fingerprint::sha1_label("abc")}) {
    const auto found = read_one(crawl::response("1", body, "WARC-Payload-Digest: " + right + "\r\n", chunked));
    EXPECT_EQ(found->capture.digest, right);
    EXPECT_FALSE(found->capture.has_another_digest);
  }
  const auto wrong = read_one(crawl::response("1", body, "WARC-Payload-Digest: sha1:AAAA\r\n", chunked));
  EXPECT_EQ(wrong->capture.digest, fingerprint::sha1_label("abc"));
  EXPECT_TRUE(wrong->capture.has_another_digest);
  const auto unknown = read_one(crawl::response("1", body, "WARC-Payload-Digest: blake3:AAAA\r\n", chunked));
  EXPECT_EQ(unknown->capture.digest, fingerprint::sha1_label("abc"));
  EXPECT_FALSE(unknown->capture.has_another_digest);
}

TEST(Captures, WhatIsNotWholeIsNotComparedByItsPayload) {
  EXPECT_FALSE(read_one(crawl::response("1", "abc", "WARC-Truncated: length\r\n"))->capture.has_payload);
  EXPECT_TRUE(read_one(crawl::response("1", "abc", "WARC-Truncated: length\r\n"))->capture.has_text);
  EXPECT_FALSE(read_one(crawl::response("1", "abc", "", "", "206 Partial Content"))->capture.has_payload);
  EXPECT_FALSE(read_one(crawl::response("1", "abc", "", "", "404 Not Found"))->capture.has_payload);
  EXPECT_FALSE(read_one(crawl::response("1", ""))->capture.has_payload);
  EXPECT_FALSE(read_one(crawl::response("1", "abc", "WARC-Segment-Number: 1\r\n"))->capture.has_payload);
  const auto image = read_one(crawl::response("1", "\x89PNG", "", "Content-Type: image/png\r\n"));
  EXPECT_TRUE(image->capture.has_payload && !image->capture.has_text);
  EXPECT_EQ(image->capture.reason, "image/png");
}

TEST(Captures, WithoutAnIdNothingIsCompared) {
  const auto found =
      read_one(crawl::record("response", "", "http://a/", "application/http", "HTTP/1.1 200 OK\r\n\r\nabc"));
  EXPECT_FALSE(found->capture.has_payload || found->capture.has_text);
  EXPECT_EQ(found->capture.reason, "without a WARC-Record-ID");
}

CrawlVerdict exact_of(const std::string& record) {
  return {
      .kind = VerdictKind::kExact, .is_by_payload = true, .original = {record, "2026-11-20T12:00:00Z", "http://b/"}};
}

TEST(Revisits, AreWhatTheStandardWants) {
  const auto found = read_one(crawl::response("1", "abc",
                                              "WARC-Block-Digest: sha1:X\r\nWARC-IP-Address: 1.2.3.4\r\n"
                                              "WARC-Warcinfo-ID: <urn:i>\r\n \r\nWARC-Payload-Digest: sha1:Y\r\n"));
  ASSERT_TRUE(can_be_revisit(found->capture, exact_of("urn:r:0")));
  const std::string header = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
  EXPECT_EQ(revisit_record(found->capture, exact_of("urn:r:0")),
            "WARC/1.1\r\nWARC-Type: revisit\r\nWARC-Record-ID: <urn:r:1>\r\nWARC-Date: 2026-11-22T12:00:00Z\r\n"
            "WARC-Target-URI: http://a/1\r\nWARC-IP-Address: 1.2.3.4\r\nWARC-Warcinfo-ID: <urn:i>\r\n \r\n"
            "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n"
            "WARC-Refers-To: <urn:r:0>\r\nWARC-Refers-To-Target-URI: http://b/\r\n"
            "WARC-Refers-To-Date: 2026-11-20T12:00:00Z\r\n"
            "WARC-Payload-Digest: sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5\r\nWARC-Truncated: length\r\n"
            "WARC-Block-Digest: " +
                fingerprint::sha1_label(header) +
                "\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: 44\r\n\r\n" + header);
}

/// Lines as readers see them that take CR, LF and a zero byte each for an end.
size_t count_lines_that_begin(std::string_view text, std::string_view name) {
  size_t count = text.starts_with(name) ? 1 : 0;
  for (size_t at = 1; (at = text.find(name, at)) != std::string_view::npos; ++at)
    if (std::string_view("\r\n\0", 3).find(text[at - 1]) != std::string_view::npos) ++count;
  return count;
}

TEST(Revisits, NoValueBeginsALine) {
  using namespace std::string_literals;
  for (const std::string& end : {"\r"s, "\0"s, "\r\r\r"s}) {
    const std::string bad = "x" + end + "Content-Length: 1" + end + "WARC-Type: response";
    const auto found = read_one(
        crawl::record("response", "urn:r:1", "http://a/" + bad, "application/http", "HTTP/1.1 200 OK\r\n\r\nabc",
                      "A: " + bad + "\r\n\tgoes on" + end + "Content-Length: 2\r\n" + end + "Content-Length: 3\r\n"));
    CrawlVerdict verdict = exact_of("urn:r:0");
    verdict.original.uri = "http://b/" + bad;
    ASSERT_TRUE(can_be_revisit(found->capture, verdict));
    for (const std::string& made :
         {revisit_record(found->capture, verdict), metadata_record(found->capture, verdict, "0123")}) {
      EXPECT_EQ(count_lines_that_begin(made, "Content-Length"), 1u) << made;
      EXPECT_EQ(count_lines_that_begin(made, "WARC-Type"), 1u) << made;
      std::string_view problem;
      const auto header = corpus::read_warc_header(made, problem);
      ASSERT_TRUE(header) << problem;
      EXPECT_EQ(header->size + header->content_length, made.size());
    }
    EXPECT_NE(revisit_record(found->capture, verdict).find("\r\n\tgoes on?"), std::string::npos) << "a tab stays";
  }
}

TEST(Revisits, AreMadeOfExactCopiesOfOtherResponsesAlone) {
  const auto found = read_one(crawl::response("1", "abc"));
  CrawlVerdict by_text = exact_of("urn:r:0"), near = exact_of("urn:r:0");
  by_text.is_by_payload = false;
  near.kind = VerdictKind::kNear;
  EXPECT_FALSE(can_be_revisit(found->capture, by_text));
  EXPECT_FALSE(can_be_revisit(found->capture, near));
  EXPECT_FALSE(can_be_revisit(found->capture, exact_of("urn:r:1"))) << "itself";
  const auto conversion = read_one(crawl::record("conversion", "urn:c", "http://a/", "text/plain", "abc"));
  EXPECT_FALSE(can_be_revisit(conversion->capture, exact_of("urn:r:0")));
}

TEST(Metadata, SaysWhatARecordRepeats) {
  const auto found = read_one(crawl::response("1", "abc"));
  CrawlVerdict near = exact_of("urn:r:0");
  near.kind = VerdictKind::kNear;
  near.is_by_payload = false;
  near.similarity = 0.87F;
  near.distance = 21;
  const std::string made = metadata_record(found->capture, near, "0123");
  std::string_view problem;
  const auto header = corpus::read_warc_header(made, problem);
  ASSERT_TRUE(header) << problem;
  EXPECT_EQ(header->type, "metadata");
  EXPECT_EQ(header->fields.find("WARC-Concurrent-To"), "<urn:r:1>");
  EXPECT_EQ(header->fields.find("WARC-Record-ID"), "<" + metadata_id(found->capture, near, "0123") + ">");
  EXPECT_EQ(made.substr(header->size),
            "near-duplicate-of: urn:r:0\r\nnear-duplicate-of-uri: http://b/\r\n"
            "near-duplicate-of-date: 2026-11-20T12:00:00Z\r\ncompared-by: text\r\nsimilarity: 0.87\r\ndistance: 21\r\n"
            "recipe: 0123\r\n");
  EXPECT_EQ(header->content_length, made.size() - header->size);
  EXPECT_EQ(metadata_record(found->capture, near, "0123"), made);
  near.original.record = "an id of others\r\nWARC-Type: response";
  EXPECT_NE(metadata_record(found->capture, near, "").find("near-duplicate-of: an id of others??WARC-Type"),
            std::string::npos);
  const auto conversion = read_one(crawl::record("conversion", "urn:c", "http://a/", "text/plain", "abc"));
  const std::string about = metadata_record(conversion->capture, near, "0123");
  EXPECT_NE(about.find("WARC-Refers-To: <urn:c>"), std::string::npos);
  EXPECT_EQ(about.find("WARC-Concurrent-To"), std::string::npos);
}

}  // namespace
}  // namespace neardup::engine
