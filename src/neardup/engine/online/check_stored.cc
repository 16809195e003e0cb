#include "neardup/engine/online/check_stored.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "neardup/base/hash.h"

namespace neardup::engine {
namespace {

using store::Record;

constexpr std::string_view kCheckingId = "\x01neardup index check";  // an id of no document

uint64_t wanted_by(const Record& arriving) {
  uint64_t wanted = 0;
  std::memcpy(&wanted, arriving.body.data(), sizeof wanted);
  return wanted;
}

// Finds nobody similar but the document whose number the body of the one that is asked for holds.
class SameNumber final : public store::Judge {
 public:
  [[nodiscard]] Result<std::optional<store::Likeness>> compare(const Record& arriving,
                                                               const Record& stored) const override {
    return stored.number == wanted_by(arriving) ? std::optional(store::Likeness{}) : std::nullopt;
  }
  // It contains who is asked for where each passage led to it, or so many have one that it need not be recorded.
  [[nodiscard]] Result<std::vector<store::Container>> containers_of(const Record& arriving,
                                                                    std::span<const store::Holding> holdings,
                                                                    store::Containing /*which*/,
                                                                    const ReadStored& /*read*/) const override {
    const uint64_t wanted = wanted_by(arriving);
    std::vector<uint32_t> held(arriving.passages.size());
    for (const store::Holding& holding : holdings)
      held[holding.passage] += holding.number == wanted ? store::kMostRecorded : 1;
    const bool is_found = std::ranges::all_of(held, [](uint32_t count) { return count >= store::kMostRecorded; });
    return is_found ? std::vector{store::Container{wanted, 1}} : std::vector<store::Container>();
  }
};

// What is asked for one document by one of the things that it is found by. Owns what its record views.
struct Probe {
  uint64_t number = 0;
  const char* by = "";
  store::Kind found_as = store::Kind::kNear;
  std::string within;
  std::vector<uint64_t> keys, fingerprints, passages;
  Hash128 checksum;

  [[nodiscard]] Record view() const {
    Record record;
    record.id = kCheckingId;
    record.checksum = checksum;
    record.within = within;
    record.keys = keys;
    record.fingerprints = fingerprints;
    record.passages = passages;
    record.body = {reinterpret_cast<const char*>(&number), sizeof number};
    return record;
  }
};

// A document, and what it repeats.
struct Other {
  uint64_t number = 0, kept = 0;
  bool repeats = false;
  std::string id;
};

class StoredCheck {
 public:
  StoredCheck(const store::Store& store, const Context& context) : store_(store), context_(context) {}

  Result<store::StoreCheck> run() {
    NEARDUP_ASSIGN(const store::Statistics statistics, store_.statistics());
    if (context_.progress != nullptr) context_.progress->begin_stage("check", "documents", 0, statistics.documents);
    for (std::optional<uint64_t> next = 0; next;) {
      NEARDUP_TRY(context_.check_cancel());
      NEARDUP_ASSIGN(next, store_.for_each(*next, kCheckedAtOnce, [this](const Record& record) { take(record); }));
      NEARDUP_TRY(ask());
      if (context_.progress != nullptr) context_.progress->advance(0, documents_);
    }
    if (context_.progress != nullptr) context_.progress->end_stage();
    for (const auto& [kind, count] : kinds_)
      if (count > store::kMostOfAKind)
        faults_.push_back(fmt::format("and {} more that are not found by their {}", count - store::kMostOfAKind, kind));
    return store::StoreCheck{std::move(faults_), documents_};
  }

 private:
  void take(const Record& record);
  void add_probe(const Record& record, const char* by, std::vector<uint64_t> keys, std::vector<uint64_t> fingerprints);
  void add_fingerprints(const Record& record);
  Status ask();
  Status ask_others(const Other& other);
  // Notes that a document is not found, unless it went meanwhile.
  Status note(uint64_t number, const char* by);

  const store::Store& store_;
  const Context& context_;
  const SameNumber judge_;
  std::deque<Probe> probes_;
  std::vector<Other> others_;
  std::map<std::string_view, uint64_t> kinds_;
  std::vector<std::string> faults_;
  uint64_t documents_ = 0;
};

void StoredCheck::add_probe(const Record& record, const char* by, std::vector<uint64_t> keys,
                            std::vector<uint64_t> fingerprints) {
  Probe& probe = probes_.emplace_back();
  probe.number = record.number;
  probe.by = by;
  probe.within = record.within;
  probe.keys = std::move(keys);
  probe.fingerprints = std::move(fingerprints);
  probe.checksum = record.checksum;
  probe.checksum.low = ~probe.checksum.low;  // of no text
}

// Of several fingerprints one is asked for, the others are as far from those of the document as they can be.
void StoredCheck::add_fingerprints(const Record& record) {
  const size_t words = store_.settings().num_bits / 64;
  const auto bits = static_cast<uint64_t>(store_.settings().num_bits);
  for (size_t begin = 0; begin < record.fingerprints.size(); begin += words) {
    std::vector<uint64_t> far(record.fingerprints.begin(), record.fingerprints.end());
    for (uint64_t& word : far) word = ~word;
    for (const int changed : {0, store_.settings().max_distance}) {
      std::vector<uint64_t> asked = far;
      std::copy_n(record.fingerprints.begin() + static_cast<std::ptrdiff_t>(begin), words,
                  asked.begin() + static_cast<std::ptrdiff_t>(begin));
      for (int i = 0; i < changed; ++i) {
        const uint64_t bit = mix64(record.number * 131 + begin * 17 + static_cast<uint64_t>(i)) % bits;
        asked[begin + bit / 64] ^= uint64_t{1} << bit % 64;
      }
      add_probe(record, "fingerprints", {}, std::move(asked));
    }
  }
}

void StoredCheck::take(const Record& record) {
  ++documents_;
  const bool is_new = record.fate.kind == store::Kind::kNew;
  others_.push_back({record.number, record.fate.kept, !is_new, std::string(record.id)});
  if (!record.passages.empty()) {
    add_probe(record, "passages", {}, {});
    probes_.back().passages.assign(record.passages.begin(), record.passages.end());
    probes_.back().found_as = store::Kind::kContained;
  }
  if (!is_new) return;
  add_probe(record, "text", {}, {});
  probes_.back().found_as = store::Kind::kExact;
  probes_.back().checksum = record.checksum;
  for (const uint64_t key : record.keys) add_probe(record, "keys", {key}, {});
  add_fingerprints(record);
}

Status StoredCheck::note(uint64_t number, const char* by) {
  NEARDUP_ASSIGN(const bool is_there, store_.find_number(number, [](const Record&) {}));
  if (!is_there) return {};
  if (++kinds_[by] <= store::kMostOfAKind)
    faults_.push_back(fmt::format("document {} is not found by its {}", number, by));
  return {};
}

Status StoredCheck::ask_others(const Other& other) {
  uint64_t found = other.number + 1;
  NEARDUP_TRY(store_.find(other.id, [&found](const Record& record) { found = record.number; }));
  if (found != other.number) NEARDUP_TRY(note(other.number, "id"));
  if (!other.repeats) return {};
  std::string kept;
  NEARDUP_ASSIGN(const bool is_there,
                 store_.find_number(other.kept, [&kept](const Record& record) { kept = record.id; }));
  if (!is_there) return {};
  NEARDUP_ASSIGN(const auto members, store_.duplicates_of(kept, other.number, 1));
  const bool is_found = !members.empty() && members.front().number == other.number;
  return is_found ? Status() : note(other.number, "kept document");
}

Status StoredCheck::ask() {
  std::vector<Record> views;
  views.reserve(probes_.size());
  for (const Probe& probe : probes_) views.push_back(probe.view());
  NEARDUP_ASSIGN(const auto answers, store_.check(views, judge_));
  for (size_t i = 0; i < probes_.size(); ++i) {
    if (answers[i].fate.kind != probes_[i].found_as) NEARDUP_TRY(note(probes_[i].number, probes_[i].by));
  }
  for (const Other& other : others_) NEARDUP_TRY(ask_others(other));
  probes_.clear();
  others_.clear();
  return {};
}

}  // namespace

Result<store::StoreCheck> check_stored(const store::Store& store, const Context& context) {
  return StoredCheck(store, context).run();
}

}  // namespace neardup::engine
