#include "neardup/server/request_form.h"

#include <gtest/gtest.h>

#include <vector>

namespace neardup::server {
namespace {

int status_of(std::vector<HeaderField> fields, std::string_view target = "/v1/stats",
              std::string_view version = "HTTP/1.1", std::string_view method = "GET") {
  const auto refusal = check_form({method, target, version, fields});
  return refusal ? refusal->status : 200;
}

TEST(RequestForm, WhatHasOneMeaningPasses) {
  EXPECT_EQ(status_of({{"Host", "localhost:7464"}}), 200);
  EXPECT_EQ(status_of({{"host", ""}}), 200);
  EXPECT_EQ(status_of({{"Host", "localhost \t"}, {"X", " a "}}), 200);
  EXPECT_EQ(status_of({{"Host", "[::1]"}, {"content-length", "12"}, {"X", "a\tb \xc3\xa4"}}), 200);
  EXPECT_EQ(status_of({{"Host", "a"}, {"transfer-encoding", "CHUNKED"}}), 200);
  EXPECT_EQ(status_of({}, "/", "HTTP/1.0"), 200);
}

TEST(RequestForm, LinesThatWereNotPlainAreRefused) {
  const std::vector<HeaderField> fields = {{"Host", "a"}};
  EXPECT_EQ(
      check_form({.method = "GET", .target = "/", .version = "HTTP/1.1", .fields = fields, .is_plain = false})->status,
      400);
}

TEST(RequestForm, LengthsOfTwoMeaningsAreRefused) {
  const HeaderField host{"Host", "a"}, length{"Content-Length", "5"}, chunked{"Transfer-Encoding", "chunked"};
  EXPECT_EQ(status_of({host, length, length}), 400);
  EXPECT_EQ(status_of({host, length, chunked}), 400);
  EXPECT_EQ(status_of({host, chunked, chunked}), 400);
  EXPECT_EQ(status_of({host, chunked}, "/", "HTTP/1.0"), 400);
  for (const std::string_view value : {"", "+5", "-5", "0x5", "5,5", "5 ", "5.0"})
    EXPECT_EQ(status_of({host, {"Content-Length", value}}), 400) << value;
  for (const std::string_view value : {"", "identity", "chunked ", "chunked, chunked", "chunked, gzip", "foo, chunked"})
    EXPECT_EQ(status_of({host, {"Transfer-Encoding", value}}), 400) << value;
  EXPECT_EQ(status_of({host, {"Transfer-Encoding", "gzip ,deflate, Chunked"}}), 501);
}

TEST(RequestForm, HostsAreOne) {
  EXPECT_EQ(status_of({}), 400);
  for (const std::string_view host : {"a,b", "a b", "a/b", "u@a", "a:b", "[::1", "[]", "a:1:2", "<a>"})
    EXPECT_EQ(status_of({{"Host", host}}), 400) << host;
  EXPECT_EQ(status_of({{"Host", "a"}}, "http://u@b/"), 400);
}

TEST(RequestForm, NamesAndTargetsHoldNoBlanksAndControlCharacters) {
  const HeaderField host{"Host", "a"};
  for (const std::string_view name : {"", "X ", " X", "X\t", "X(", "\xc3\xa4"})
    EXPECT_EQ(status_of({host, {name, "a"}}), 400) << name;
  for (const std::string_view target : {"", "/a b", "/a\tb", "/a\rb", "/a\x7f"})
    EXPECT_EQ(status_of({host}, target), 400) << target;
  EXPECT_EQ(status_of({host, {"X", "a\rb"}}), 400);
  EXPECT_EQ(status_of({host}, "/", "HTTP/1.1", "G[T"), 400);
  const std::vector<HeaderField> trailers = {{"X", "a"}, {"Y ", "b"}};
  EXPECT_FALSE(check_trailers(std::span(trailers).first(1)));
  EXPECT_TRUE(check_trailers(trailers));
}

TEST(RequestForm, TheFormForProxiesIsTakenApart) {
  for (const auto& [target, authority, path] :
       std::vector<std::array<std::string_view, 3>>{{"/v1/stats?x=1", "", "/v1/stats?x=1"},
                                                    {"http://a:7464/v1/stats?x=1", "a:7464", "/v1/stats?x=1"},
                                                    {"HTTPS://a", "a", "/"},
                                                    {"http://a?x=1", "a", "/?x=1"},
                                                    {"/v1/documents/http://a/b", "", "/v1/documents/http://a/b"},
                                                    {"*", "", "*"}}) {
    const TargetForm apart = take_target_apart(target);
    EXPECT_EQ(apart.authority, authority);
    EXPECT_EQ(apart.path, path);
  }
}

}  // namespace
}  // namespace neardup::server
