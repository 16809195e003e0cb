// Documents out of JSON: outside bytes to what a store takes.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "neardup/corpus/formats/json_line.h"
#include "neardup/corpus/raw_buffer.h"
#include "neardup/server/backend.h"

namespace neardup::server {

/// What holds for documents that do not say themselves, and what is wanted of them.
struct DocumentDefaults {
  std::string within = {}, tag = {};
  int64_t time = 0;
  bool needs_id = true;
};

inline constexpr size_t kMostIdBytes = 1024;

/// Takes documents apart. What it returns views the bytes that it was given and its own memory: valid as long as those
/// are, until clear(). Threads: one at a time.
class DocumentReader {
 public:
  explicit DocumentReader(ValueCounts values);

  /// Whether these bytes are {"documents":[...]}: then its elements, each for document(); else the bytes themselves,
  /// which are no less valid JSON. Errors: kInvalidArgument: no JSON object.
  struct Documents {
    std::vector<std::string_view> each;
    bool is_batch = false;
    bool is_too_long = false;  // more than `most`: then none is named
  };
  [[nodiscard]] Result<Documents> documents(std::string_view json, size_t most);

  /// Reads one document. `id` is taken where it has none of its own, if not empty. Requires: kUnescapePadding readable
  /// bytes behind `json`. Errors: kInvalidArgument; kUnsupported where it brings values that the recipe has not.
  [[nodiscard]] Result<engine::ArrivingText> document(std::string_view json, const DocumentDefaults& defaults,
                                                      std::string_view id);

  /// Takes the memory of all documents back.
  void clear();

 private:
  using Field = corpus::JsonField;
  [[nodiscard]] Status parse(std::string_view json);
  [[nodiscard]] const Field& field(int key) const { return line_.field(static_cast<size_t>(key)); }
  [[nodiscard]] Result<std::string_view> text_of(int key) const;
  [[nodiscard]] Result<std::string_view> id_of() const;
  [[nodiscard]] Status read_content(engine::ArrivingText& document);
  [[nodiscard]] Status read_fingerprints(engine::ArrivingText& document);
  [[nodiscard]] Status read_signature(engine::ArrivingText& document);

  ValueCounts values_;
  corpus::JsonLine line_;
  corpus::Arena arena_;
  std::deque<std::vector<fingerprint::Fingerprint>> fingerprints_;
  std::deque<std::vector<fingerprint::SignatureValue>> signatures_;
};

/// Errors: kInvalidArgument where an id is empty or longer than kMostIdBytes.
[[nodiscard]] Status check_id(std::string_view id);
/// The same of a category or a tag, of which many documents are meant to have the same: it is UTF-8 without a zero
/// byte.
[[nodiscard]] Status check_label(std::string_view name, std::string_view label);

}  // namespace neardup::server
