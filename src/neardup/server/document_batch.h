// The documents of a request, or of a part of a stream, and the answer that is made of what became of them.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/fingerprint/file.h"
#include "neardup/server/document_reader.h"
#include "neardup/server/http.h"

namespace neardup::server {

/// How the documents of a request are sent.
enum class BodyForm : uint8_t { kJson, kLines, kFile };

/// What holds for all documents of a request.
struct BatchRequest {
  BodyForm form = BodyForm::kJson;
  bool wants_lines = false;  // as the answer to a file
  DocumentDefaults defaults;
  std::string idempotency_key = {};
  size_t most_documents = 10000;
  size_t most_document_bytes = size_t{16} << 20;
};

/// How much of a stream was read.
struct StreamPlace {
  uint64_t lines = 0;
  uint64_t documents = 0;
};

/// Appends `{"id":...` of the i-th text, without the brace that ends it. Returns whether it says that it is truncated.
using AppendObject = std::function<bool(std::string& out, size_t i)>;

/// Threads: one at a time. Lifetime: views the bytes, the request, and the reader's memory.
class DocumentBatch {
 public:
  DocumentBatch(const BatchRequest& request, const BackendFacts& facts, DocumentReader& reader)
      : request_(request), facts_(facts), reader_(reader) {}

  /// Takes `bytes` apart. Lines: whole ones, behind `place`, which moves on; one that is wrong gets its error in its
  /// place of the answer. Requires: kUnescapePadding readable bytes behind. Returns what is wrong with the whole.
  [[nodiscard]] std::optional<Response> read(std::string_view bytes, StreamPlace& place);

  [[nodiscard]] std::span<const engine::ArrivingText> texts() const { return texts_; }
  [[nodiscard]] bool answers_in_lines() const {
    return request_.form == BodyForm::kLines || (request_.form == BodyForm::kFile && request_.wants_lines);
  }
  /// Returns what is wrong with the first line, else null.
  [[nodiscard]] const Error* first_refused() const;
  /// Whether it is one document alone.
  [[nodiscard]] bool is_single() const { return slots_.size() == 1; }
  /// Appends the answer: of the texts by `append`, of lines that were wrong their errors.
  void append_answer(std::string& out, const AppendObject& append) const;

 private:
  // A line of the answer: the next text, or an error.
  struct Slot {
    uint64_t line = 0;
    std::optional<Error> error = {};
  };
  [[nodiscard]] std::optional<Response> read_json(std::string_view bytes);
  [[nodiscard]] std::optional<Response> read_file(std::string_view bytes);
  void read_lines(std::string_view bytes, StreamPlace& place);
  [[nodiscard]] Result<engine::ArrivingText> read_line(std::string_view line, uint64_t index);
  [[nodiscard]] std::string_view default_id(bool is_batch, uint64_t index);
  [[nodiscard]] std::optional<Response> add_block(std::span<const fingerprint::Record> records);
  void add(engine::ArrivingText text, uint64_t line = 0);
  void append_lines(std::string& out, const AppendObject& append) const;
  void append_batch(std::string& out, const AppendObject& append) const;

  const BatchRequest& request_;
  const BackendFacts& facts_;
  DocumentReader& reader_;
  std::vector<engine::ArrivingText> texts_;
  std::vector<Slot> slots_;
  bool is_batch_ = true;
  std::list<std::string> ids_;                                     // that were made, or of a block of a file
  std::list<std::vector<fingerprint::Fingerprint>> fingerprints_;  // of blocks of a file
  std::list<std::vector<fingerprint::SignatureValue>> signatures_;
};

}  // namespace neardup::server
