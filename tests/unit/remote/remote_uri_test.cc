// URIs of stores: what they name, and what is said of those that name nothing.
#include "neardup/remote/remote_uri.h"

#include <gtest/gtest.h>

namespace neardup::remote {
namespace {

TEST(RemoteUriTest, PartsAreRead) {
  const auto uri = parse_remote_uri("rediss://us%65r:p%40ss:w@[::1]:6380/crawl-1.a_b?layout=sets&cacert=%2Fetc/ca.pem");
  ASSERT_TRUE(uri) << uri.error().message;
  EXPECT_EQ(uri->kind, ServerKind::kRedis);
  EXPECT_TRUE(uri->tls);
  EXPECT_EQ(uri->user, "user");
  EXPECT_EQ(uri->password, "p@ss:w");
  EXPECT_EQ(uri->host, "::1");
  EXPECT_EQ(uri->port, 6380);
  EXPECT_EQ(uri->name, "crawl-1.a_b");
  EXPECT_EQ(uri->options.find("layout")->second, "sets");
  EXPECT_EQ(uri->options.find("cacert")->second, "/etc/ca.pem");
  EXPECT_EQ(uri->shown(), "rediss://user@[::1]:6380/crawl-1.a_b?cacert=/etc/ca.pem&layout=sets");
}

TEST(RemoteUriTest, WhatIsNotGivenIsUsual) {
  const auto redis = parse_remote_uri("redis://localhost/a"), hbase = parse_remote_uri("hbase://10.0.0.1/t");
  ASSERT_TRUE(redis && hbase);
  EXPECT_EQ(redis->port, 6379);
  EXPECT_FALSE(redis->tls);
  EXPECT_EQ(redis->user + redis->password, "");
  EXPECT_EQ(hbase->kind, ServerKind::kHBase);
  EXPECT_EQ(hbase->port, 9090);
  EXPECT_EQ(hbase->shown(), "hbase://10.0.0.1:9090/t");
  EXPECT_EQ(parse_remote_uri("redis://:secret@h/a")->password, "secret");
}

TEST(RemoteUriTest, WhatIsShownIsReadAsTheSame) {
  for (const char* text : {"redis://h:1/a", "redis://a%3Ab%40@h:1/a?x=%26%3D%3F&y=", "hbase://[fe80::1]:2/b?k=v"}) {
    const auto uri = parse_remote_uri(text);
    ASSERT_TRUE(uri) << uri.error().message;
    EXPECT_EQ(uri->shown(), text);
  }
}

TEST(RemoteUriTest, AFolderIsNone) {
  for (const char* text : {"redis", "redis:/a", "./redis://h/a", "", "/var/store", "https://h/a"})
    EXPECT_FALSE(is_remote_uri(text)) << text;
  for (const char* text : {"redis://", "rediss://h/a", "hbase://h/a"}) EXPECT_TRUE(is_remote_uri(text)) << text;
}

TEST(RemoteUriTest, WhatIsWrongIsNamed) {
  const auto expect_error = [](const std::string& text, const std::string& part) {
    const auto uri = parse_remote_uri(text);
    ASSERT_FALSE(uri) << text;
    EXPECT_EQ(uri.error().code, Code::kInvalidArgument);
    EXPECT_NE(uri.error().message.find(part), std::string::npos) << uri.error().message;
    EXPECT_EQ(uri.error().message.find("secret"), std::string::npos) << uri.error().message;
  };
  expect_error("mongo://h/a", "expected redis://");
  expect_error("redis:///a", "no host");
  expect_error("redis://u:secret@/a", "no host");
  expect_error("redis://h", "no name");
  expect_error("redis://h/", "no name");
  expect_error("redis://h/a/b", "found 'a/b'");
  expect_error("redis://h/a b", "found 'a b'");
  expect_error("redis://h/" + std::string(65, 'a'), "1 to 64");
  expect_error("redis://h:0/a", "found '0'");
  expect_error("redis://h:65536/a", "found '65536'");
  expect_error("redis://h:/a", "found ''");
  expect_error("redis://h:1:2/a", "port of 1 to 65535");
  expect_error("redis://[::1/a", "no ']'");
  expect_error("redis://[::1]1/a", "found '1'");
  expect_error("redis://h/a?layout", "found 'layout'");
  expect_error("redis://h/a?=1", "found '=1'");
  expect_error("redis://h/a?x=1&x=2", "'x' twice");
  expect_error("redis://u:secret%4@h/a", "password has a '%'");
  expect_error("redis://h/a?x=%g0", "option 'x' has a '%'");
  expect_error("redis://h%00/a", "host has a character");
  expect_error("redis://h/a#b", "'#'");
  for (const char* text : {"redis://u:12/topsecret@host/n", "redis://u:secret/ss@host/n", "redis://u:a?secret@host/n",
                           "redis://u:a#secret@host/n", "redis://u/secret:p@host/n", "rediss://:se/secret@h:1/n?a=b"})
    expect_error(text, "written %2F, %3F, %23");
  expect_error("redis://u:secret/n", "port of 1 to 65535");  // a host was forgotten
}

}  // namespace
}  // namespace neardup::remote
