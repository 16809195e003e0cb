// WARC files for tests, made record by record.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neardup/corpus/output.h"

namespace neardup::corpus::warc {

/// A record as writers write it, without the empty lines behind.
inline std::string record(const std::string& type, const std::string& uri, const std::string& content_type,
                          const std::string& block, const std::string& more_fields = "") {
  return "WARC/1.0\r\nWARC-Type: " + type + "\r\nWARC-Target-URI: " + uri + "\r\nWARC-Record-ID: <urn:test:" + uri +
         ">\r\nContent-Type: " + content_type + "\r\n" + more_fields +
         "Content-Length: " + std::to_string(block.size()) + "\r\n\r\n" + block;
}

inline std::string http(const std::string& fields, const std::string& body, const std::string& status = "200 OK") {
  return "HTTP/1.1 " + status + "\r\n" + fields + "\r\n" + body;
}

inline std::string response(const std::string& uri, const std::string& fields, const std::string& body,
                            const std::string& status = "200 OK") {
  return record("response", uri, "application/http; msgtype=response", http(fields, body, status));
}

inline std::string page(const std::string& uri, const std::string& text) {
  return response(uri, "Content-Type: text/html; charset=utf-8\r\n", text);
}

inline std::string text(const std::string& uri, const std::string& text) {
  return record("conversion", uri, "text/plain", text);
}

inline std::string info() { return record("warcinfo", "info", "application/warc-fields", "software: test\r\n"); }

/// Each record compressed by itself; kNone: as it is.
inline std::string file_of(const std::vector<std::string>& records, Compression compression = Compression::kNone) {
  std::string file;
  for (const std::string& one : records) file += *compress(compression, one + "\r\n\r\n");
  return file;
}

}  // namespace neardup::corpus::warc
