// The slowest obvious store: a list of all documents, searched from end to end. And documents to try stores with.
#pragma once

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/store/document_store.h"

namespace neardup::store {

/// Owns what a Record views.
struct OwnedRecord {
  std::string id, within, tag, body;
  std::vector<uint64_t> fingerprints, keys, passages;
  Hash128 checksum;
  int64_t time = 0;
  uint32_t most_sharing = 0;

  [[nodiscard]] Record view() const {
    Record record;
    record.id = id;
    record.checksum = checksum;
    record.size_bytes = body.size();
    record.time = time;
    record.within = within;
    record.tag = tag;
    record.fingerprints = fingerprints;
    record.keys = keys;
    record.most_sharing = most_sharing;
    record.passages = passages;
    record.body = body;
    return record;
  }
};

inline std::vector<Record> views_of(const std::vector<OwnedRecord>& documents) {
  std::vector<Record> views;
  for (const OwnedRecord& document : documents) views.push_back(document.view());
  return views;
}

/// A passage is common that so many documents have beside the one that comes.
inline constexpr size_t kCommonInModel = 4;

/// Texts are numbers: similar where they differ by one at most. One contains another that is less than half of it, if
/// they have a passage in common that is not common.
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
  /// The share that `stored` holds of `arriving`; 0: it does not contain it.
  [[nodiscard]] static float held_by(std::string_view stored, std::string_view arriving) {
    const int longer = std::stoi(std::string(stored)), shorter = std::stoi(std::string(arriving));
    return longer > 2 * shorter ? .5F + static_cast<float>(shorter) / 256 : 0;
  }
  [[nodiscard]] Result<std::vector<Container>> containers_of(const Record& arriving, std::span<const Holding> holdings,
                                                             Containing which, const ReadStored& read) const override {
    std::map<uint32_t, size_t> counts;
    for (const Holding& holding : holdings) ++counts[holding.passage];
    std::set<uint64_t> numbers;
    for (const Holding& holding : holdings)
      if (counts[holding.passage] < kCommonInModel) numbers.insert(holding.number);
    std::vector<Container> found;
    int longest = -1;
    for (const uint64_t number : numbers) {
      NEARDUP_ASSIGN(const Record* stored, read(number));
      if (stored == nullptr || stored->fate.kind != Kind::kNew) continue;
      const float share = held_by(stored->body, arriving.body);
      const int length = std::stoi(std::string(stored->body));
      if (share == 0 || (which == Containing::kLongest && length <= longest)) continue;
      if (which == Containing::kLongest) found.clear();
      longest = length;
      found.push_back({number, share});
    }
    return found;
  }
};

/// Texts that differ by one are similar only until two others around, of the same ten or near them, are within 3.
class Learning : public ByNumber {
 public:
  static constexpr int kEnough = 3, kMostRemembered = 5;

  [[nodiscard]] Result<std::optional<Likeness>> compare(const Record& arriving, const Record& stored) const override {
    auto likeness = ByNumber::likeness(arriving.body, stored.body);
    if (likeness) likeness->may_change = likeness->distance == 1;
    return likeness;
  }
  [[nodiscard]] std::unique_ptr<Lesson> lesson_of(const Record& arriving) const override {
    return std::make_unique<Around>(std::string(arriving.body));
  }

 private:
  class Around : public Lesson {
   public:
    explicit Around(std::string arriving) : arriving_(std::move(arriving)) {}
    [[nodiscard]] Status take(const Record& stored) override {
      count_ += std::abs(std::stoi(std::string(stored.body)) - std::stoi(arriving_)) <= 3 ? 1 : 0;
      return {};
    }
    [[nodiscard]] Result<std::optional<Likeness>> compare(const Record& stored) override {
      if (count_ >= kEnough) return std::optional<Likeness>();
      return ByNumber::likeness(arriving_, stored.body);
    }
    [[nodiscard]] std::string body_to_remember(uint64_t kept) const override {
      static_cast<void>(kept);
      return count_ < kMostRemembered ? arriving_ : std::string();
    }

   private:
    const std::string arriving_;
    int count_ = 0;
  };
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

/// The same with fingerprints of 128 bits: as far from each other where they were near, the bits that differ in both
/// words, and further where they were not.
inline OwnedRecord widened(OwnedRecord document) {
  constexpr uint64_t kEven = 0x5555555555555555;
  std::vector<uint64_t> words;
  for (const uint64_t value : document.fingerprints) {
    words.push_back(value & kEven);
    words.push_back((value & ~kEven) | (mix64(value >> 7) & kEven));
  }
  document.fingerprints = std::move(words);
  return document;
}

/// The same with passages, some of which many have.
inline OwnedRecord with_passages(OwnedRecord document) {
  const auto number = static_cast<uint64_t>(std::stoi(document.body));
  document.passages = {mix64(number % 3), mix64(number % 13 + 100), mix64(number % 17 + 200)};
  std::ranges::sort(document.passages);
  return document;
}

/// One of few ids and texts, so that they meet.
inline OwnedRecord some_document(std::mt19937_64& random) {
  OwnedRecord document = document_of("d" + std::to_string(random() % 60), static_cast<int>(random() % 80));
  if (random() % 4 == 0) document.within = "b";
  if (random() % 3 == 0) document.tag = "t" + std::to_string(random() % 3);
  if (random() % 4 != 0) document.time = static_cast<int64_t>(random() % 30) - 1;
  if (random() % 9 == 0) document.keys.clear(), document.fingerprints.clear();
  return document;
}

/// The same with a key that many have, of which few stand for all.
inline OwnedRecord in_a_crowd(OwnedRecord document, std::mt19937_64& random) {
  const auto number = static_cast<uint64_t>(std::stoi(document.body));
  if (!document.keys.empty()) document.keys.push_back(mix64(number / 40 + 1000));
  document.most_sharing = 1 + random() % 4;
  if (random() % 8 == 0) document.most_sharing = 0;
  if (random() % 2 == 0) document.fingerprints.clear();
  return document;
}

class StoreModel {
 public:
  explicit StoreModel(int max_distance, uint32_t num_bits = 64)
      : max_distance_(max_distance), words_each_(num_bits / 64) {}

  Answer check(const OwnedRecord& arriving) const {
    const std::optional<size_t> known = find(arriving.id, arriving.tag);
    if (known && documents_[*known].record.checksum == arriving.checksum) {
      const Answer& first = documents_[*known].answer;
      if (first.fate.kind == Kind::kNew || sees(arriving.tag, first.fate.kept)) {
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
  StoredNeighbours query(const OwnedRecord& document, size_t limit) const {
    StoredNeighbours neighbours;
    const std::set<size_t> containers = containers_of(document, {}), candidates = candidates_of(document);
    for (size_t i = 0; i < documents_.size(); ++i) {
      const Document& other = documents_[i];
      if (!sees(document.tag, i) || other.answer.fate.kind != Kind::kNew || other.record.within != document.within)
        continue;
      if (other.record.checksum == document.checksum)
        neighbours.found.push_back({other.record.id, i, {}, true});
      else if (const auto like = ByNumber::likeness(document.body, other.record.body); like && candidates.contains(i))
        neighbours.found.push_back({other.record.id, i, *like, false});
      else if (containers.contains(i))
        neighbours.found.push_back(
            {other.record.id, i, {ByNumber::held_by(other.record.body, document.body)}, false, true});
    }
    std::stable_sort(neighbours.found.begin(), neighbours.found.end(),
                     [](const StoredNeighbour& a, const StoredNeighbour& b) {
                       return a.likeness.similarity > b.likeness.similarity;
                     });
    neighbours.truncated = neighbours.found.size() > limit;
    if (neighbours.truncated) neighbours.found.resize(limit);
    return neighbours;
  }
  // New documents that have passages of it, of each passage the first `most`.
  size_t num_holders(const OwnedRecord& document, size_t most) const {
    std::set<size_t> found;
    for (const uint64_t passage : document.passages) {
      size_t count = 0;
      for (const size_t i : holders_of(passage, document, {}))
        if (documents_[i].answer.fate.kind == Kind::kNew && count++ < most) found.insert(i);
    }
    return found.size();
  }
  void put(const OwnedRecord& document) {
    Answer answer;
    insert(document, answer);
  }
  uint64_t erase(const std::string& id) {
    return erase_if([&](const Document& document) { return document.record.id == id; });
  }
  uint64_t erase_tag(const std::string& tag) {
    return erase_if([&](const Document& document) { return document.record.tag == tag; });
  }
  uint64_t expire(int64_t before) {
    return erase_if([&](const Document& document) {
      return document.scope.empty() && document.record.time != 0 && document.record.time < before;
    });
  }

  bool begin_tag(const std::string& tag) { return open_.insert(tag).second; }
  bool commit_tag(const std::string& tag) {
    if (open_.erase(tag) == 0) return false;
    for (Document& document : documents_) {
      if (document.scope != tag) continue;
      if (document.is_live)
        erase_if([&](const Document& o) { return o.scope.empty() && o.record.id == document.record.id; });
    }
    for (Document& document : documents_)
      if (document.scope == tag) document.scope.clear();
    return true;
  }
  bool cancel_tag(const std::string& tag) {
    if (open_.erase(tag) == 0) return false;
    erase_if([&](const Document& document) { return document.scope == tag; });
    return true;
  }

  /// Of all that are not erased, or those in no open tag.
  [[nodiscard]] std::vector<std::string> ids(bool in_open_tags_too = true) const {
    std::vector<std::string> ids;
    for (const Document& document : documents_)
      if (document.is_live && (in_open_tags_too || document.scope.empty())) ids.push_back(document.record.id);
    return ids;
  }
  [[nodiscard]] uint64_t num_duplicates() const {
    return static_cast<uint64_t>(std::count_if(documents_.begin(), documents_.end(), [](const Document& document) {
      return document.is_live && document.answer.fate.kind != Kind::kNew;
    }));
  }
  [[nodiscard]] std::vector<std::string> duplicates_of(const std::string& id) const {
    std::vector<std::string> ids;
    const auto kept = find(id, "");
    for (size_t i = 0; kept && i < documents_.size(); ++i)
      if (sees("", i) && documents_[i].answer.fate.kind != Kind::kNew && documents_[i].answer.fate.kept == *kept)
        ids.push_back(documents_[i].record.id);
    return ids;
  }
  [[nodiscard]] std::map<std::string, std::pair<uint64_t, bool>> tags() const {
    std::map<std::string, std::pair<uint64_t, bool>> tags;
    for (const std::string& tag : open_) tags[tag].second = true;
    for (const Document& document : documents_)
      if (document.is_live && !document.record.tag.empty()) ++tags[document.record.tag].first;
    return tags;
  }

 private:
  struct Document {
    OwnedRecord record;
    Answer answer;
    std::string scope;          // the open tag that it is in; empty: none
    bool has_passages = false;  // it is new, or contained and not for an equal one
    bool is_live = true;
  };

  // Whether a document that comes with `tag` sees document i.
  [[nodiscard]] bool sees(const std::string& tag, size_t i) const {
    const Document& document = documents_[i];
    if (!document.is_live) return false;
    const std::string& scope = open_.contains(tag) ? tag : "";
    if (document.scope == scope) return true;
    if (!document.scope.empty()) return false;
    return std::none_of(documents_.begin(), documents_.end(), [&](const Document& other) {
      return other.is_live && other.scope == scope && other.record.id == document.record.id;
    });
  }
  [[nodiscard]] std::optional<size_t> find(const std::string& id, const std::string& tag) const {
    for (size_t i = 0; i < documents_.size(); ++i)
      if (sees(tag, i) && documents_[i].record.id == id) return i;
    return {};
  }
  template <class ShouldErase>
  uint64_t erase_if(const ShouldErase& should_erase) {
    uint64_t count = 0;
    for (Document& document : documents_)
      if (document.is_live && should_erase(document)) document.is_live = false, ++count;
    return count;
  }
  // Documents kept whole that are found by `key`, and that one that comes sees, in order.
  [[nodiscard]] std::vector<size_t> sharing(uint64_t key, const OwnedRecord& arriving) const {
    std::vector<size_t> found;
    for (size_t i = 0; i < documents_.size(); ++i) {
      const Document& other = documents_[i];
      const bool has_it = std::ranges::find(other.record.keys, key) != other.record.keys.end();
      if (has_it && other.answer.fate.kind == Kind::kNew && other.record.within == arriving.within &&
          sees(arriving.tag, i))
        found.push_back(i);
    }
    return found;
  }
  // Who may be near `a`.
  [[nodiscard]] std::set<size_t> candidates_of(const OwnedRecord& a) const {
    std::set<size_t> candidates;
    for (const uint64_t key : a.keys) {
      const std::vector<size_t> all = sharing(key, a);
      const size_t most = a.most_sharing == 0 ? all.size() : std::min<size_t>(a.most_sharing, all.size());
      candidates.insert(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(most));
    }
    for (size_t i = 0; i < documents_.size(); ++i)
      if (are_within_reach(a, documents_[i].record)) candidates.insert(i);
    return candidates;
  }
  [[nodiscard]] bool are_within_reach(const OwnedRecord& a, const OwnedRecord& b) const {
    for (size_t i = 0; i < std::min(a.fingerprints.size(), b.fingerprints.size()); i += words_each_)
      if (distance_at(i, a, b) <= max_distance_) return true;
    return false;
  }
  [[nodiscard]] int distance_at(size_t word, const OwnedRecord& a, const OwnedRecord& b) const {
    int distance = 0;
    for (size_t i = word; i < word + words_each_; ++i) distance += std::popcount(a.fingerprints[i] ^ b.fingerprints[i]);
    return distance;
  }
  [[nodiscard]] Fate fate_of(const OwnedRecord& arriving, std::optional<size_t> known) const {
    for (size_t i = 0; i < documents_.size(); ++i) {
      const Document& other = documents_[i];
      if (!sees(arriving.tag, i) || i == known || other.record.within != arriving.within ||
          other.record.checksum != arriving.checksum)
        continue;
      const Fate& fate = other.answer.fate;
      if (fate.kind == Kind::kNew) return {.kind = Kind::kExact, .kept = i};
      if (fate.kept != known && sees(arriving.tag, fate.kept)) return fate;
    }
    for (const size_t i : candidates_of(arriving)) {
      const Document& other = documents_[i];
      if (!sees(arriving.tag, i) || i == known || other.answer.fate.kind != Kind::kNew ||
          other.record.within != arriving.within)
        continue;
      if (const auto like = ByNumber::likeness(arriving.body, other.record.body))
        return {Kind::kNear, i, like->similarity, like->distance};
    }
    Fate fate;
    int longest = -1;
    for (const size_t i : containers_of(arriving, known)) {
      const std::string& body = documents_[i].record.body;
      if (std::stoi(body) <= longest) continue;
      longest = std::stoi(body);
      fate = {Kind::kContained, i, ByNumber::held_by(body, arriving.body)};
    }
    return fate;
  }
  // Who contains it, of all that it sees but `known`.
  [[nodiscard]] std::set<size_t> containers_of(const OwnedRecord& arriving, std::optional<size_t> known) const {
    std::set<size_t> found;
    for (const uint64_t passage : arriving.passages) {
      const std::vector<size_t> holders = holders_of(passage, arriving, known);
      if (holders.size() >= kCommonInModel) continue;
      for (const size_t i : holders)
        if (documents_[i].answer.fate.kind == Kind::kNew &&
            ByNumber::held_by(documents_[i].record.body, arriving.body) != 0)
          found.insert(i);
    }
    return found;
  }
  // Of what it sees but `known`, in order.
  [[nodiscard]] std::vector<size_t> holders_of(uint64_t passage, const OwnedRecord& arriving,
                                               std::optional<size_t> known) const {
    std::vector<size_t> holders;
    for (size_t i = 0; i < documents_.size(); ++i) {
      const Document& other = documents_[i];
      const auto& theirs = other.record.passages;
      if (sees(arriving.tag, i) && i != known && other.has_passages && other.record.within == arriving.within &&
          other.record.checksum != arriving.checksum && std::ranges::find(theirs, passage) != theirs.end())
        holders.push_back(i);
    }
    return holders;
  }
  // One with its text, of which it has its fate.
  [[nodiscard]] bool follows_equal(const OwnedRecord& arriving, std::optional<size_t> known) const {
    for (size_t i = 0; i < documents_.size(); ++i)
      if (sees(arriving.tag, i) && i != known && documents_[i].record.within == arriving.within &&
          documents_[i].record.checksum == arriving.checksum && documents_[i].answer.fate.kind != Kind::kNew &&
          documents_[i].answer.fate.kept != known && sees(arriving.tag, documents_[i].answer.fate.kept))
        return true;
    return false;
  }
  void insert(const OwnedRecord& record, Answer& answer) {
    const std::string scope = open_.contains(record.tag) ? record.tag : "";
    const bool has_passages = answer.fate.kind == Kind::kNew || (answer.fate.kind == Kind::kContained &&
                                                                 !follows_equal(record, find(record.id, record.tag)));
    OwnedRecord found = record;
    if (record.most_sharing != 0)
      std::erase_if(found.keys, [&](uint64_t key) { return sharing(key, record).size() >= record.most_sharing; });
    erase_if([&](const Document& document) { return document.scope == scope && document.record.id == record.id; });
    answer.number = documents_.size();
    documents_.push_back({std::move(found), answer, scope, has_passages});
  }

  int max_distance_;
  size_t words_each_;  // of 64 bits, of a fingerprint
  std::vector<Document> documents_;
  std::set<std::string> open_;
};

}  // namespace neardup::store
