#include "neardup/server/document_batch.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/fingerprint/file.h"
#include "neardup/server/json_pieces.h"

namespace neardup::server {
namespace {

Response too_large(std::string message) { return refuse(Refusal{413, "too_large", std::move(message)}); }

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

Error in_place(const Error& error, size_t index) {
  return {error.code, fmt::format("documents[{}]: {}", index, error.message)};
}

size_t bytes_of_ids(std::span<const fingerprint::Record> records) {
  size_t bytes = 0;
  for (const fingerprint::Record& record : records) bytes += record.id.size();
  return bytes;
}

/// Requires room for it, so that nothing moves.
std::string_view appended(std::string& all, std::string_view piece) {
  all += piece;
  return std::string_view(all).substr(all.size() - piece.size());
}

}  // namespace

std::optional<Response> DocumentBatch::read(std::string_view bytes, StreamPlace& place) {
  if (request_.form == BodyForm::kFile) return read_file(bytes);
  if (place.lines == 0) bytes = without_mark(bytes);
  if (request_.form == BodyForm::kJson) return read_json(bytes);
  read_lines(bytes, place);
  return {};
}

std::string_view DocumentBatch::default_id(bool is_batch, uint64_t index) {
  if (request_.idempotency_key.empty() || !is_batch) return request_.idempotency_key;
  return ids_.emplace_back(fmt::format("{}/{}", request_.idempotency_key, index));
}

void DocumentBatch::add(engine::ArrivingText text, uint64_t line) {
  texts_.push_back(text);
  slots_.push_back({line});
}

std::optional<Response> DocumentBatch::read_json(std::string_view bytes) {
  const auto found = reader_.documents(bytes, request_.most_documents);
  if (!found) return refuse(found.error());
  if (found->is_too_long)
    return too_large(fmt::format("\"documents\" holds more than --max-batch {}", request_.most_documents));
  is_batch_ = found->is_batch;
  for (size_t i = 0; i < found->each.size(); ++i) {
    if (found->each[i].size() > request_.most_document_bytes)
      return too_large(fmt::format("a document has more than --max-document {} bytes", request_.most_document_bytes));
    auto text = reader_.document(found->each[i], request_.defaults, default_id(is_batch_, i));
    if (!text) return refuse(is_batch_ ? in_place(text.error(), i) : text.error());
    add(*text);
  }
  return {};
}

void DocumentBatch::read_lines(std::string_view bytes, StreamPlace& place) {
  while (!bytes.empty()) {
    const size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    ++place.lines;
    if (is_blank(line)) continue;
    auto text = read_line(line, place.documents++);
    if (text) {
      add(*text, place.lines);
    } else {
      slots_.push_back({place.lines, std::move(text).error()});
    }
  }
}

Result<engine::ArrivingText> DocumentBatch::read_line(std::string_view line, uint64_t index) {
  if (line.size() <= request_.most_document_bytes)
    return reader_.document(line, request_.defaults, default_id(true, index));
  return fail(Code::kInvalidArgument,
              fmt::format("the line has more than --max-document {} bytes", request_.most_document_bytes));
}

std::optional<Response> DocumentBatch::read_file(std::string_view bytes) {
  auto file = fingerprint::FileReader::from_bytes(bytes, "the body");
  if (!file) return refuse(Error{Code::kInvalidArgument, file.error().message});
  if (file->header().recipe_id != facts_.recipe_id)
    return refuse(Error{Code::kMismatch, fmt::format("the fingerprints were made with recipe {}, the store has {}",
                                                     file->header().recipe_id, facts_.recipe_id)});
  if (file->num_records() > request_.most_documents)
    return too_large(fmt::format("the file holds {} documents, more than --max-batch {}", file->num_records(),
                                 request_.most_documents));
  while (true) {
    const auto records = file->next();
    if (!records) return refuse(Error{Code::kInvalidArgument, records.error().message});
    if (records->empty()) return {};
    if (auto refusal = add_block(*records)) return refusal;
  }
}

/// The reader's values live until its next block: they are copied.
std::optional<Response> DocumentBatch::add_block(std::span<const fingerprint::Record> records) {
  auto& prints = fingerprints_.emplace_back();
  auto& signatures = signatures_.emplace_back();
  prints.reserve(records.size() * facts_.values.fingerprints);
  signatures.reserve(records.size() * facts_.values.signature);
  auto& ids = ids_.emplace_back();
  ids.reserve(bytes_of_ids(records));
  for (const fingerprint::Record& record : records) {
    engine::ArrivingText text{.within = request_.defaults.within, .tag = request_.defaults.tag};
    text.time = request_.defaults.time;
    text.id = record.id.empty() ? default_id(true, texts_.size()) : appended(ids, record.id);
    if (const Status named = check_id(text.id); !named) return refuse(in_place(named.error(), texts_.size()));
    if (record.fingerprints.size() != facts_.values.fingerprints || record.signature.size() != facts_.values.signature)
      return refuse(
          in_place({Code::kUnsupported, "a document without features needs its text: send it as JSON"}, texts_.size()));
    text.fingerprints = {prints.insert(prints.end(), record.fingerprints.begin(), record.fingerprints.end()),
                         record.fingerprints.size()};
    text.signature = {signatures.insert(signatures.end(), record.signature.begin(), record.signature.end()),
                      record.signature.size()};
    add(text);
  }
  return {};
}

void DocumentBatch::append_answer(std::string& out, const AppendObject& append) const {
  if (answers_in_lines()) return append_lines(out, append);
  if (is_batch_) return append_batch(out, append);
  append(out, 0);
  append_text(out, "recipe", facts_.recipe_id);
  out += "}\n";
}

const Error* DocumentBatch::first_refused() const {
  return !slots_.empty() && slots_.front().error ? &*slots_.front().error : nullptr;
}

void DocumentBatch::append_lines(std::string& out, const AppendObject& append) const {
  size_t i = 0;
  for (const Slot& slot : slots_) {
    if (slot.error) {
      out += "{\"error\":";
      append_error(out, code_name(slot.error->code), slot.error->message);
      append_count(out, "line", slot.line);
    } else {
      append(out, i++);
    }
    out += "}\n";
  }
}

void DocumentBatch::append_batch(std::string& out, const AppendObject& append) const {
  out += '{';
  append_text(out, "recipe", facts_.recipe_id);
  append_key(out, "results");
  out += '[';
  bool is_truncated = false;
  for (size_t i = 0; i < texts_.size(); ++i) {
    if (i > 0) out += ',';
    is_truncated |= append(out, i);
    out += '}';
  }
  out += ']';
  append_bool(out, "truncated", is_truncated);
  out += "}\n";
}

}  // namespace neardup::server
