// Which records of a WARC file are documents.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "neardup/corpus/formats/warc_header.h"

namespace neardup::corpus {

/// What a record holds of a page.
struct WarcContent {
  std::string_view content_type;  // of the page: the server's, else that of the record
  std::string_view body;          // of the block what is behind an HTTP header
  HeaderFields http;              // of a response of an HTTP server
  int status = 0;                 // likewise; 0: no HTTP
  bool lacks_http = false;        // says that it is a response of one, and is none
  bool has_long_http = false;     // whose header is longer than one may be: `body` is empty
};

/// `block`: of the record's block as much as there is. Views are of both.
[[nodiscard]] WarcContent warc_content(const WarcHeader& header, std::string_view block);

struct WarcVerdict {
  enum class Kind {
    kDocument,  // a response, resource or conversion of a text type
    kInfo,      // warcinfo: no document, but kept
    kNone,      // no document; `says` names the kind
    kRejected,  // cannot be read; `reason` as in Rejection, `says` the message
  };
  Kind kind = Kind::kDocument;
  std::string says = {};
  std::string reason = {};
};

/// `block`: its first kMaxWarcHeaderBytes, or all of it. Cost: one pass over the headers.
[[nodiscard]] WarcVerdict judge_warc_record(const WarcHeader& header, std::string_view block);

/// Returns whether documents are made of the media type: text, XML, JSON and their kind, but no styles, scripts or
/// drawings.
[[nodiscard]] bool is_text_type(std::string_view media_type);

/// Counts what is no document. Memory: bounded, whatever the kinds are called.
class WarcTally {
 public:
  void add(const std::string& kind);
  [[nodiscard]] uint64_t total() const { return total_; }
  /// Returns "12 request, 11 image/png, 1 warcinfo", the most first; empty where nothing was added.
  [[nodiscard]] std::string kinds() const;
  /// Returns "24 of 36 records are no documents: 12 request, 11 image/png, 1 warcinfo".
  [[nodiscard]] std::string message(uint64_t num_records) const;

 private:
  std::map<std::string, uint64_t> kinds_;
  uint64_t total_ = 0;
};

}  // namespace neardup::corpus
