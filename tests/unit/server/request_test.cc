// What requests are made of: targets, keys, documents.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>

#include "neardup/base/open_files.h"
#include "neardup/engine/online/open_text_store.h"
#include "neardup/server/admission.h"
#include "neardup/server/descriptors.h"
#include "neardup/server/document_batch.h"
#include "neardup/server/json_object.h"
#include "neardup/server/json_pieces.h"
#include "neardup/server/keys.h"
#include "neardup/server/latency.h"
#include "neardup/server/transport.h"
#include "neardup/server/uri.h"
#include "tests/own_path.h"

namespace neardup::server {
namespace {

using Places = std::vector<std::string>;

TEST(UriTest, PathsMatchTheirPatterns) {
  EXPECT_EQ(match_path("/v1/stats", "/v1/stats"), Places());
  EXPECT_EQ(match_path("/v1/stats", "/v1/stats/"), std::nullopt);
  EXPECT_EQ(match_path("/v1/stats", "/v1"), std::nullopt);
  EXPECT_EQ(match_path("/v1/tags/{tag}/commit", "/v1/tags/a%2Fb%20c/commit"), Places{"a/b c"});
  EXPECT_EQ(match_path("/v1/tags/{tag}", "/v1/tags/a/commit"), std::nullopt);
  EXPECT_EQ(match_path("/v1/tags/{tag}", "/v1/tags/"), std::nullopt);
  EXPECT_EQ(match_path("/v1/documents/{id*}", "/v1/documents/http://x/%00"), Places{std::string("http://x/\0", 10)});
  EXPECT_EQ(match_path("/v1/documents/{id*}", "/v1/documents/%4"), std::nullopt);
  EXPECT_EQ(match_path("/", "/"), Places());
}

TEST(UriTest, ParametersAreDecoded) {
  const auto parameters = parse_parameters("a=x+y&b=%26%3d&&c");
  ASSERT_TRUE(parameters);
  EXPECT_EQ(*parameters, (Parameters{{"a", "x y"}, {"b", "&="}, {"c", ""}}));
  EXPECT_FALSE(parse_parameters("a=1&a=2"));
  EXPECT_FALSE(parse_parameters("a=%g0"));
}

TEST(AdmissionTest, OriginsAndHosts) {
  EXPECT_TRUE(is_own_origin("http://127.0.0.1:7464", "127.0.0.1:7464"));
  EXPECT_FALSE(is_own_origin("http://127.0.0.1:80", "127.0.0.1:7464"));
  EXPECT_FALSE(is_own_origin("null", "127.0.0.1:7464"));
  for (const char* host : {"127.0.0.1", "localhost:1", "LOCALHOST", "[::1]:7464", "10.0.0.7:1"})
    EXPECT_TRUE(is_plain_host(host));
  for (const char* host : {"evil.example:7464", "localhost.evil.example", "", "127.0.0.1.evil"})
    EXPECT_FALSE(is_plain_host(host));
}

TEST(KeysTest, AreEqualOrNot) {
  EXPECT_TRUE(is_equal_in_constant_time("secret", "secret"));
  for (const char* other : {"", "secre", "secret2", "Secret", "secretsecret"})
    EXPECT_FALSE(is_equal_in_constant_time(other, "secret"));
  EXPECT_FALSE(is_equal_in_constant_time("", ""));
}

TEST(KeysTest, AreReadFromFiles) {
  const std::string path = own_path();
  std::ofstream(path) << "0123456789abcdef\r\n\nfedcba9876543210\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  const auto keys = Keys::read(path, "");
  ASSERT_TRUE(keys);
  EXPECT_EQ(keys->access_of("Bearer fedcba9876543210"), Access::kFull);
  EXPECT_EQ(keys->access_of("bearer 0123456789abcdef"), Access::kFull);
  EXPECT_EQ(keys->access_of("Basic 0123456789abcdef"), Access::kNone);
  EXPECT_EQ(keys->access_of(""), Access::kNone);
  EXPECT_EQ(Keys::read("", "")->access_of(""), Access::kFull);
  std::ofstream(path) << "short\n";
  EXPECT_FALSE(Keys::read(path, ""));
  std::ofstream(path) << "\n";
  EXPECT_FALSE(Keys::read("", path));
}

TEST(ListenTest, LoopbackAddresses) {
  for (const char* address : {"127.0.0.1", "127.1.2.3", "::1"}) EXPECT_TRUE(is_loopback(address));
  for (const char* address : {"0.0.0.0", "::", "10.0.0.1", "::ffff:1.2.3.4"}) EXPECT_FALSE(is_loopback(address));
  EXPECT_FALSE(listen_on("example.org", 0));
}

class DocumentReaderTest : public testing::Test {
 protected:
  Result<engine::ArrivingText> read(std::string_view json, std::string_view id = {}) {
    bytes_.assign(json);
    bytes_.append(64, '\0');
    return reader_.document({bytes_.data(), json.size()}, defaults_, id);
  }
  std::string bytes_;
  DocumentDefaults defaults_;
  DocumentReader reader_{{.fingerprints = 2, .signature = 0}};
};

TEST_F(DocumentReaderTest, TakesWhatADocumentHas) {
  defaults_.within = "c";
  const auto text = read(R"( {"id":17,"text":"a\u00e4\n","tag":"t","time":5,"url":{"x":[1]}} )");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->id, "17");
  EXPECT_EQ(text->text, "a\xc3\xa4\n");
  EXPECT_EQ(text->tag, "t");
  EXPECT_EQ(text->within, "c");
  EXPECT_EQ(text->time, 5);
  EXPECT_EQ(read(R"({"text":"x"})", "made")->id, "made");
  EXPECT_EQ(read(R"({"id":null,"text":"x","tag":null})", "made")->id, "made");
  EXPECT_TRUE(read(R"({"id":"a","html":"<p>"})")->is_html);
}

TEST_F(DocumentReaderTest, ValuesAreHexStrings) {
  const auto text = read(R"({"id":"a","fingerprints":["0123456789abcdef" , "FFFFFFFFFFFFFFFF"]})");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->fingerprints[0], 0x0123456789abcdefULL);
  EXPECT_EQ(text->fingerprints[1], ~0ULL);
  for (const char* wrong : {R"({"id":"a","fingerprints":["0123456789abcdef"]})", R"({"id":"a","fingerprints":[1,2]})",
                            R"({"id":"a","fingerprints":["0123456789abcdeg","0123456789abcdef"]})",
                            R"({"id":"a","fingerprints":"0123456789abcdef"})", R"({"id":"a","fingerprints":[]})"})
    EXPECT_FALSE(read(wrong)) << wrong;
  EXPECT_EQ(read(R"({"id":"a","signature":"00010002"})").error().code, Code::kUnsupported);
}

TEST_F(DocumentReaderTest, SaysWhatIsWrong) {
  for (const char* wrong :
       {"", "  ", "[]", "7", "{", "{\"id\":\"a\"", R"({"id":"a"})", R"({"text":"x"})", R"({"id":"","text":"x"})",
        R"({"id":1.5,"text":"x"})", R"({"id":"a","text":["x"]})", R"({"id":"a","text":"x","html":"y"})",
        R"({"id":"a","text":"x","time":"5"})", R"({"id":"a","text":"x","tag":1})", "{\"id\":\"a\",\"text\":\"\xff\"}"})
    EXPECT_EQ(read(wrong).error().code, Code::kInvalidArgument) << wrong;
  EXPECT_FALSE(read("{\"id\":\"" + std::string(1025, 'a') + "\",\"text\":\"x\"}"));
  EXPECT_EQ(read(R"({"id":"a","text":"\ud800"})")->text, "\xef\xbf\xbd");
}

TEST(JsonPiecesTest, ElementsOfAnArray) {
  const auto elements = elements_of(R"([ {"a":[1,2],"b":"],\"["} ,"x\\" , [ [] ],3 ])", 4);
  ASSERT_TRUE(elements);
  EXPECT_EQ(*elements, (std::vector<std::string_view>{R"({"a":[1,2],"b":"],\"["})", R"("x\\")", "[ [] ]", "3"}));
  EXPECT_TRUE(elements_of("[ ]", 0)->empty());
  EXPECT_FALSE(elements_of("[1,2]", 1));
}

TEST(JsonObjectTest, MembersByTheirKind) {
  std::string json = R"({"ids":["a","b\nc",""],"n":7,"o":{}})";
  const size_t size = json.size();
  json.append(64, '\0');
  const auto object = JsonObject::parse({json.data(), size}, {"ids", "n", "o", "none"});
  ASSERT_TRUE(object);
  EXPECT_EQ(*object->ids(0, 10), (std::vector<std::string>{"a", "b\nc", ""}));
  EXPECT_EQ(*object->id(1), "7");
  EXPECT_FALSE(object->ids(0, 2));
  EXPECT_FALSE(object->ids(1, 2));
  EXPECT_EQ(*object->whole(1, 0, 10), 7);
  EXPECT_FALSE(object->whole(1, 0, 6));
  EXPECT_EQ(*object->object(2), "{}");
  EXPECT_FALSE(object->text(3));
}

TEST(LatencyTest, QuantilesAreRoundedUpByAnEighth) {
  LatencyWindow window;
  const auto now = LatencyWindow::Clock::now();
  for (int i = 1; i <= 1000; ++i) window.add(now, std::chrono::microseconds(i));
  const auto quantiles = window.quantiles(now);
  EXPECT_GE(quantiles.p50, 500U);
  EXPECT_LE(quantiles.p50, 575U);
  EXPECT_GE(quantiles.p99, 990U);
  EXPECT_LE(quantiles.p99, 1130U);
  EXPECT_EQ(window.quantiles(now + 3 * LatencyWindow::kWindow).p99, 0U);
}

TEST(Threads, HaveNoMoreConnectionsThanTheTransportTakesAtOnce) {
  EXPECT_EQ(io_threads_for(10, 2), 2U);
  EXPECT_EQ(io_threads_for(250, 2), 2U);
  EXPECT_EQ(io_threads_for(251, 2), 3U);
  EXPECT_EQ(io_threads_for(1024, 2), 9U);
  EXPECT_EQ(io_threads_for(1024, 20), 20U);
}

TEST(DescriptorsTest, WhatTheStoreNeedsIsLeft) {
  EXPECT_EQ(*connections_within(100000, 1024, 2), 1024U);
  EXPECT_EQ(*connections_within(1024, 1024, 2), 1024U - 166U);
  EXPECT_FALSE(connections_within(160, 1024, 2));
}

TEST(DescriptorsTest, WhatIsRaisedForConnectionsIsEnoughForThem) {
  for (const uint64_t connections : {10, 1024, 4000, 10000, 100000}) {
    const size_t threads = io_threads_for(connections, 2);
    EXPECT_EQ(connections_within(descriptors_for(connections, threads), connections, threads).value_or(0), connections);
  }
}

TEST(DescriptorsTest, TheLimitIsRaisedAsFarAsItMayBe) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit low{std::min<rlim_t>(256, before.rlim_max), before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  EXPECT_EQ(raise_open_files(descriptors_for(100, 1)), std::min<uint64_t>(356, before.rlim_max));
  EXPECT_EQ(raise_open_files(descriptors_for(10, 1)), std::min<uint64_t>(356, before.rlim_max));
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST(OpenStoreTest, WhatIsNoStoreIsRefusedWithTheCure) {
  const std::string folder = own_path();
  EXPECT_EQ(engine::open_text_store(folder).error().code, Code::kNotFound);
  EXPECT_NE(engine::open_text_store(folder).error().message.find("index create"), std::string::npos);
}

}  // namespace
}  // namespace neardup::server
