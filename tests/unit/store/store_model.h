// The slowest obvious store: a list of all documents, searched from end to end. And documents to try stores with.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/store/document_store.h"

namespace neardup::store {

/// Owns what a Record views.
struct OwnedRecord {
  std::string id, within, tag, body;
  std::vector<uint64_t> fingerprints, keys;
  Hash128 checksum;

  [[nodiscard]] Record view() const {
    Record record;
    record.id = id;
    record.checksum = checksum;
    record.size_bytes = body.size();
    record.within = within;
    record.tag = tag;
    record.fingerprints = fingerprints;
    record.keys = keys;
    record.body = body;
    return record;
  }
};

inline std::vector<Record> views_of(const std::vector<OwnedRecord>& documents) {
  std::vector<Record> views;
  for (const OwnedRecord& document : documents) views.push_back(document.view());
  return views;
}

/// Texts are numbers: similar where they differ by one at most.
class ByNumber : public Judge {
 public:
  [[nodiscard]] static std::optional<Likeness> likeness(std::string_view a, std::string_view b) {
    const int difference = std::abs(std::stoi(std::string(a)) - std::stoi(std::string(b)));
    if (difference > 1) return {};
    return Likeness{1 - static_cast<float>(difference) / 8, static_cast<uint32_t>(difference)};
  }
  [[nodiscard]] Result<std::optional<Likeness>> compare(const Record& arriving, const Record& stored) const override {
    return likeness(arriving.body, stored.body);
  }
};

/// A document whose text is `number`; it meets those of the same ten, and those whose fingerprints are near.
inline OwnedRecord document_of(const std::string& id, int number) {
  OwnedRecord document;
  document.id = id;
  document.body = std::to_string(number);
  document.checksum = hash128(document.body);
  document.keys = {mix64(static_cast<uint64_t>(number) / 10 + 1)};
  document.fingerprints = {(uint64_t{1} << number % 7) - 1 + (mix64(static_cast<uint64_t>(number) / 14) << 7)};
  return document;
}

class StoreModel {
 public:
  explicit StoreModel(int max_distance) : max_distance_(max_distance) {}

  Answer check(const OwnedRecord& arriving) const {
    const std::optional<size_t> known = find(arriving.id);
    if (known && documents_[*known].record.checksum == arriving.checksum) {
      const Answer& first = documents_[*known].answer;
      if (first.fate.kind == Kind::kNew || documents_[first.fate.kept].is_live) {
        Answer again = first;
        again.is_repeated = true;
        return again;
      }
    }
    Answer answer;
    answer.fate = fate_of(arriving, known);
    if (answer.fate.kind != Kind::kNew) answer.kept_id = documents_[answer.fate.kept].record.id;
    return answer;
  }
  Answer check_and_insert(const OwnedRecord& arriving) {
    Answer answer = check(arriving);
    if (!answer.is_repeated) insert(arriving, answer);
    return answer;
  }
  void put(const OwnedRecord& document) {
    Answer answer;
    insert(document, answer);
  }
  bool erase(const std::string& id) {
    const auto known = find(id);
    if (known) documents_[*known].is_live = false;
    return known.has_value();
  }
  uint64_t erase_tag(const std::string& tag) {
    uint64_t count = 0;
    for (Document& document : documents_)
      if (document.is_live && document.record.tag == tag) document.is_live = false, ++count;
    return count;
  }
  [[nodiscard]] std::vector<std::string> ids() const {
    std::vector<std::string> ids;
    for (const Document& document : documents_)
      if (document.is_live) ids.push_back(document.record.id);
    return ids;
  }

 private:
  struct Document {
    OwnedRecord record;
    Answer answer;
    bool is_live = true;
  };

  [[nodiscard]] std::optional<size_t> find(const std::string& id) const {
    for (size_t i = 0; i < documents_.size(); ++i)
      if (documents_[i].is_live && documents_[i].record.id == id) return i;
    return {};
  }
  [[nodiscard]] bool meet(const OwnedRecord& a, const OwnedRecord& b) const {
    for (const uint64_t key : a.keys)
      if (std::find(b.keys.begin(), b.keys.end(), key) != b.keys.end()) return true;
    for (size_t i = 0; i < std::min(a.fingerprints.size(), b.fingerprints.size()); ++i)
      if (std::popcount(a.fingerprints[i] ^ b.fingerprints[i]) <= max_distance_) return true;
    return false;
  }
  [[nodiscard]] Fate fate_of(const OwnedRecord& arriving, std::optional<size_t> known) const {
    for (size_t i = 0; i < documents_.size(); ++i) {
      const Document& other = documents_[i];
      if (!other.is_live || i == known || other.record.within != arriving.within ||
          other.record.checksum != arriving.checksum)
        continue;
      const Fate& fate = other.answer.fate;
      if (fate.kind == Kind::kNew) return {.kind = Kind::kExact, .kept = i};
      if (fate.kept != known && documents_[fate.kept].is_live) return fate;
    }
    for (size_t i = 0; i < documents_.size(); ++i) {
      const Document& other = documents_[i];
      if (!other.is_live || i == known || other.answer.fate.kind != Kind::kNew ||
          other.record.within != arriving.within || !meet(arriving, other.record))
        continue;
      if (const auto like = ByNumber::likeness(arriving.body, other.record.body))
        return {Kind::kNear, i, like->similarity, like->distance};
    }
    return {};
  }
  void insert(const OwnedRecord& record, Answer& answer) {
    erase(record.id);
    answer.number = documents_.size();
    documents_.push_back({record, answer});
  }

  int max_distance_;
  std::vector<Document> documents_;
};

}  // namespace neardup::store
