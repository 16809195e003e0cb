// The bytes of a document on a server: its record, and by what it is found that the record does not tell.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/store/record.h"

namespace neardup::remote {

/// How a document stands in its store, beside what its record says.
struct Standing {
  uint64_t scope = 0;   // the crawl that it came with (crawls.h); 0: none
  bool by_text = true;  // it is found by its text
  /// Crawls that were open when it came, and in which its id is contested: in one of them is a document with its id,
  /// and another one outside, of which this is one.
  std::vector<uint64_t> contested = {};
};

/// Appends the bytes; the number is not among them, as it leads to them. docs/design/remote.md tells the format.
void append_stored(std::string& bytes, const store::Record& record, const Standing& standing);

/// Returns the keys under which it is found. The key under which the documents with contested ids of a crawl are.
[[nodiscard]] std::vector<uint64_t> keys_of_stored(const store::Record& record, const Standing& standing);
[[nodiscard]] uint64_t contested_key(uint64_t scope);

/// Owns bytes and what it views of them. Stays where it is.
class StoredDocumentBytes {
 public:
  StoredDocumentBytes() = default;
  StoredDocumentBytes(const StoredDocumentBytes&) = delete;
  StoredDocumentBytes& operator=(const StoredDocumentBytes&) = delete;

  /// Errors: kCorruption.
  [[nodiscard]] Status read(uint64_t number, std::string bytes);
  [[nodiscard]] const store::Record& record() const { return record_; }
  [[nodiscard]] const Standing& standing() const { return standing_; }

 private:
  std::string bytes_;
  store::RecordReader reader_;
  store::Record record_;
  Standing standing_;
};

}  // namespace neardup::remote
