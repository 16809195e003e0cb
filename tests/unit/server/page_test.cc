#include "neardup/server/page.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <set>
#include <string>

#include "neardup/server/page_assets.h"
#include "neardup/server/service_state.h"

namespace neardup::server {
namespace {

Response ask(std::string_view path, bool gzip = false, std::string if_none_match = {}) {
  Log log(nullptr);
  ServiceState state{.options = {}, .keys = {}, .log = log, .metrics = Metrics({})};
  Request request;
  request.path = path;
  request.accepts_gzip = gzip;
  request.if_none_match = std::move(if_none_match);
  return get_page_file(state, request);
}

std::string header(const Response& response, std::string_view name) {
  for (const auto& [own, value] : response.headers) {
    if (own == name) return value;
  }
  return "";
}

std::string unpacked(std::string_view packed) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
  std::string out(size_t{1} << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

TEST(Page, WhatIsPackedIsWhatIsNot) {
  size_t packed_bytes = 0;
  std::set<std::string_view> tags;
  for (const PageAsset& asset : page_assets()) {
    EXPECT_EQ(unpacked(asset.packed), asset.content) << asset.path;
    EXPECT_EQ(ask(asset.path).body, asset.content);
    EXPECT_EQ(ask(asset.path, true).body, asset.packed);
    EXPECT_EQ(ask(asset.path).content_type, asset.content_type);
    EXPECT_TRUE(tags.insert(asset.etag).second);
    packed_bytes += asset.packed.size();
  }
  EXPECT_LT(packed_bytes, 60000u);
}

TEST(Page, AFileThatTheClientHasIsNotSentAgain) {
  for (const PageAsset& asset : page_assets()) {
    for (const bool gzip : {false, true}) {
      const std::string tag = header(ask(asset.path, gzip), "ETag");
      EXPECT_EQ(tag.front(), '"');
      EXPECT_EQ(tag.back(), '"');
      for (const std::string& known : {tag, "\"other\", W/" + tag, std::string("*")}) {
        const Response response = ask(asset.path, gzip, known);
        EXPECT_EQ(response.status, 304);
        EXPECT_TRUE(response.body.empty());
        EXPECT_EQ(header(response, "Content-Encoding"), "");
        EXPECT_EQ(header(response, "ETag"), tag);
      }
      EXPECT_EQ(ask(asset.path, !gzip, tag).status, 200);
      EXPECT_EQ(ask(asset.path, gzip, "\"other\"").status, 200);
    }
  }
}

TEST(Page, NothingFromElsewhereIsLetIn) {
  for (const PageAsset& asset : page_assets()) {
    const Response response = ask(asset.path, true);
    EXPECT_EQ(header(response, "Content-Encoding"), "gzip");
    EXPECT_EQ(header(response, "Vary"), "Accept-Encoding");
    const std::string policy = header(response, "Content-Security-Policy");
    EXPECT_EQ(policy.rfind("default-src 'none'; script-src 'self'; style-src 'self'; ", 0), 0u);
    EXPECT_EQ(policy.find("unsafe"), std::string::npos);
  }
}

TEST(Page, EachFileHasItsRoute) {
  const auto rows = page_routes();
  ASSERT_FALSE(rows.empty());
  EXPECT_TRUE(page_assets().empty() || rows.size() == page_assets().size());
  for (const Route& row : rows) {
    const RouteMatch match = find_route(Method::kGet, row.path);
    ASSERT_NE(match.route, nullptr) << row.path;
    EXPECT_EQ(match.route->handler, &get_page_file);
    EXPECT_EQ(match.route->access, Access::kNone);
  }
  EXPECT_EQ(find_route(Method::kGet, "/no.js").route, nullptr);
  EXPECT_EQ(ask("/no.js").status, 404);
}

TEST(Page, GzipIsTakenByWhoSaysSo) {
  for (const char* accepts :
       {"gzip", "deflate, gzip;q=1.0, *;q=0.5", "br , gzip", "gzip;q=0.001", "x-gzip", "\tgzip ; q=1"})
    EXPECT_TRUE(accepts_gzip(accepts)) << accepts;
  for (const char* refuses :
       {"", "identity", "br", "gzip;q=0", "gzip; q=0.000", "gzipped", ",,;", ";q=0", "deflate;gzip"})
    EXPECT_FALSE(accepts_gzip(refuses)) << refuses;
}

}  // namespace
}  // namespace neardup::server
