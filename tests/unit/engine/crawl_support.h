// Crawls for tests: records, files, and what a filter makes of them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/corpus/find/discover.h"
#include "neardup/corpus/output.h"
#include "neardup/corpus/warc_records.h"
#include "neardup/engine/crawl/crawl_filter.h"
#include "neardup/engine/online/open_text_store.h"
#include "tests/own_path.h"

namespace neardup::engine::crawl {

inline std::string story(int number, int words = 80, int changed = -1) {
  std::string text;
  for (int i = 0; i < words; ++i) text += i == changed ? "otherwise " : fmt::format("s{}w{} ", number, i);
  return text;
}

inline std::string html(const std::string& text, const std::string& comment = "") {
  return "<!DOCTYPE html><html><head><title>A title</title></head><body><!--" + comment + "--><p>" + text +
         "</p></body></html>";
}

inline std::string record(const std::string& type, const std::string& id, const std::string& uri,
                          const std::string& content_type, const std::string& block, const std::string& more = "") {
  return fmt::format(
      "WARC/1.0\r\nWARC-Type: {}\r\nWARC-Record-ID: <{}>\r\nWARC-Date: 2026-11-22T12:00:00Z\r\nWARC-Target-URI: {}\r\n"
      "Content-Type: {}\r\n{}Content-Length: {}\r\n\r\n{}",
      type, id, uri, content_type, more, block.size(), block);
}

inline std::string response(const std::string& id, const std::string& body, const std::string& more = "",
                            const std::string& http = "Content-Type: text/html\r\n",
                            const std::string& status = "200 OK") {
  return record("response", "urn:r:" + id, "http://a/" + id, "application/http; msgtype=response",
                "HTTP/1.1 " + status + "\r\n" + http + "\r\n" + body, more);
}

inline std::string request(const std::string& id) {
  return record("request", "urn:q:" + id, "http://a/" + id, "application/http; msgtype=request",
                "GET / HTTP/1.1\r\n\r\n", "WARC-Concurrent-To: <urn:r:" + id + ">\r\n");
}

inline void write_warc(const std::string& path, const std::vector<std::string>& records,
                       corpus::Compression compression = corpus::Compression::kGzip) {
  std::ofstream file(path, std::ios::binary);
  for (const std::string& one : records) file << *corpus::compress(compression, one + "\r\n\r\n");
}

inline std::vector<corpus::Input> inputs_of(const std::vector<std::string>& paths) {
  corpus::DiscoverOptions discover;
  discover.format = corpus::Format::kWarc;
  const auto inputs = corpus::discover(paths, discover);
  EXPECT_TRUE(inputs) << inputs.error().message;
  return *inputs;
}

/// The records of a file, byte for byte.
inline std::vector<std::string> records_of(const std::string& path) {
  const auto inputs = inputs_of({path});
  auto reader = *corpus::WarcRecords::open(inputs.at(0), {});
  std::vector<std::string> records;
  for (corpus::WarcItems items; *reader.next(items);)
    for (const corpus::WarcItem& item : items.items) records.emplace_back(item.bytes);
  return records;
}

struct Filtered {
  Status status;
  CrawlFigures figures;
  std::string lines;  // verdicts
  std::vector<std::string> notes;
};

inline Filtered filter(TextStore& store, const std::vector<std::string>& paths,
                       const CrawlFilterOptions& options = {}) {
  Filtered filtered;
  const CrawlFilterListener listener{.verdict = [&](std::string_view line) { return filtered.lines += line, Status(); },
                                     .note = [&](const std::string& note) { filtered.notes.push_back(note); },
                                     .finish = [] { return Status(); }};
  auto figures = filter_crawl(store, inputs_of(paths), options, listener);
  if (figures) {
    filtered.figures = std::move(*figures);
  } else {
    filtered.status = tl::unexpected<Error>(figures.error());
  }
  return filtered;
}

/// A folder with a store, and files beside it.
class CrawlTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    open_store();
  }
  void TearDown() override {
    store_.reset();
    std::filesystem::remove_all(folder_);
  }
  void open_store() {
    store_.reset();
    auto opened = open_or_make_store(path("store"), {});
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
  }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string write(const std::string& name, const std::vector<std::string>& records) const {
    write_warc(path(name), records);
    return path(name);
  }

  std::string folder_ = own_path();
  std::unique_ptr<TextStore> store_;
};

}  // namespace neardup::engine::crawl
