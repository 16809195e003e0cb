#include "neardup/remote/hbase/log_entry.h"

#include <algorithm>

#include "neardup/base/bytes.h"
#include "neardup/base/hash.h"

namespace neardup::remote::hbase {
namespace {

constexpr uint8_t kVersion = 1;
constexpr size_t kDocumentBytes = 48;  // of numbers and lengths, about

tl::unexpected<Error> damaged() {
  return fail(Code::kCorruption, "an entry of the log is damaged: its bytes are not what a store wrote");
}

void append_document(std::string& out, const LogDocument& document) {
  append_varint(out, document.number);
  append_text(out, document.record);
  append_numbers<uint64_t>(out, document.keys);
  append_numbers<uint64_t>(out, document.fingerprints);
}

LogDocument take_document(ByteReader& reader) {
  LogDocument document;
  document.number = reader.varint();
  document.record = reader.text();
  reader.numbers(document.keys);
  reader.numbers(document.fingerprints);
  return document;
}

void append_documents(std::string& out, const std::vector<LogDocument>& documents) {
  append_varint(out, documents.size());
  for (const LogDocument& document : documents) append_document(out, document);
}

void take_documents(ByteReader& reader, std::vector<LogDocument>& documents) {
  for (uint64_t count = reader.varint(); count > 0 && reader.ok(); --count) documents.push_back(take_document(reader));
}

LogDocument owned(const StoredDocument& document, bool with_record) {
  return {document.number,
          with_record ? std::string(document.record) : std::string(),
          {document.keys.begin(), document.keys.end()},
          {document.fingerprints.begin(), document.fingerprints.end()}};
}

}  // namespace

bool LogEntry::can_append(const Change& change) const {
  const auto is_known = [&](uint64_t number) {
    const auto is_it = [&](const auto& document) { return document.number == number; };
    return std::ranges::any_of(added, is_it) || std::ranges::any_of(postings, is_it);
  };
  return std::ranges::none_of(change.erased, [&](const StoredDocument& one) { return is_known(one.number); });
}

void LogEntry::append(const Change& change) {
  ++num_changes;
  for (const StoredDocument& document : change.erased) gone.push_back(owned(document, false));
  for (const StoredDocument& document : change.added) added.push_back(owned(document, true));
  postings.insert(postings.end(), change.postings.begin(), change.postings.end());
  if (change.shared) shared = std::string(*change.shared);
  size_bytes += bytes_of(change);
  documents += static_cast<uint64_t>(change.documents);  // fewer: modulo 2^64
  duplicates += static_cast<uint64_t>(change.duplicates);
  erased += static_cast<uint64_t>(change.erased_documents);
}

size_t bytes_of(const Change& change) {
  size_t bytes = change.postings.size() * sizeof(Posting) + (change.shared ? change.shared->size() : 0);
  for (const auto all : {change.added, change.erased})
    for (const StoredDocument& document : all)
      bytes += kDocumentBytes + document.record.size() + 8 * (document.keys.size() + document.fingerprints.size());
  return bytes;
}

std::string to_bytes(const LogEntry& entry) {
  std::string out;
  out.reserve(entry.size_bytes + 64);
  append_little(out, kVersion);
  for (const uint64_t number :
       {entry.token, entry.stamp, entry.applied, entry.documents, entry.duplicates, entry.erased})
    append_little(out, number);
  append_documents(out, entry.gone);
  append_documents(out, entry.added);
  append_varint(out, entry.postings.size());
  for (const Posting& posting : entry.postings) {
    append_little(out, posting.key);
    append_varint(out, posting.number);
  }
  append_little(out, static_cast<uint8_t>(entry.shared.has_value()));
  if (entry.shared) append_text(out, *entry.shared);
  append_little(out, hash64(out));
  return out;
}

Result<LogEntry> parse_log_entry(std::string_view bytes) {
  constexpr size_t kCheck = sizeof(uint64_t);
  if (bytes.size() < kCheck) return damaged();
  ByteReader reader(bytes.substr(0, bytes.size() - kCheck));
  std::string_view check = bytes.substr(bytes.size() - kCheck);
  if (take_little<uint64_t>(check) != hash64(reader.rest())) return damaged();
  LogEntry entry;
  if (reader.number<uint8_t>() != kVersion)
    return fail(Code::kUnsupported,
                "an entry of the log has a version that this neardup does not know; use a newer one");
  for (uint64_t* const number :
       {&entry.token, &entry.stamp, &entry.applied, &entry.documents, &entry.duplicates, &entry.erased})
    *number = reader.number<uint64_t>();
  take_documents(reader, entry.gone);
  take_documents(reader, entry.added);
  for (uint64_t count = reader.varint(); count > 0 && reader.ok(); --count) {
    const auto key = reader.number<uint64_t>();
    entry.postings.push_back({key, reader.varint()});
  }
  if (reader.number<uint8_t>() != 0) entry.shared = reader.text();
  if (!reader.ok() || !reader.rest().empty()) return damaged();
  entry.size_bytes = bytes.size();
  return entry;
}

void Touched::add(const Change& change) {
  for (const auto documents : {change.added, change.erased}) {
    for (const StoredDocument& document : documents) {
      keys.insert(keys.end(), document.keys.begin(), document.keys.end());
      fingerprints.insert(fingerprints.end(), document.fingerprints.begin(), document.fingerprints.end());
    }
  }
  for (const Posting& posting : change.postings) keys.push_back(posting.key);
  shared |= change.shared.has_value();
}

void Touched::finish() {
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

Touched touched_by(const LogEntry& entry) {
  Touched touched;
  for (const auto* const documents : {&entry.added, &entry.gone}) {
    for (const LogDocument& document : *documents) {
      touched.keys.insert(touched.keys.end(), document.keys.begin(), document.keys.end());
      touched.fingerprints.insert(touched.fingerprints.end(), document.fingerprints.begin(),
                                  document.fingerprints.end());
    }
  }
  for (const Posting& posting : entry.postings) touched.keys.push_back(posting.key);
  touched.shared = entry.shared.has_value();
  touched.finish();
  return touched;
}

bool Touched::is_under(const Change& change, const Layout& layout) const {
  if (shared) return true;
  const auto is_touched = [&](uint64_t key) { return std::ranges::binary_search(keys, key); };
  if (std::ranges::any_of(change.keys, is_touched)) return true;
  const size_t words = layout.words_of_document();
  for (size_t own = 0; words > 0 && own + words <= change.fingerprints.size(); own += words)
    for (size_t theirs = 0; theirs + words <= fingerprints.size(); theirs += words)
      if (layout.meet(change.fingerprints.subspan(own, words), std::span(fingerprints).subspan(theirs, words)))
        return true;
  return false;
}

}  // namespace neardup::remote::hbase
