// The slowest obvious Backend: maps in memory, one mutex, and a list of all that ever changed, through which each
// commit looks. It also holds its caller to the contract, fails where a test wants it to, and lets others come between.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/remote/backend.h"

namespace neardup::remote {

/// What a call of a backend is to do where a test wants it to fail.
enum class Fault : uint8_t { kNone, kBefore, kAfter };  // kAfter: it happens all the same

/// What MemoryBackends share that are clients of one server.
struct MemoryServer {
  struct Event {
    std::set<uint64_t> keys;
    std::vector<std::vector<uint64_t>> fingerprints;  // of one document each
    bool is_shared = false;                           // of Found::shared
  };

  explicit MemoryServer(store::StoreSettings of) : settings(std::move(of)) {}

  std::mutex mutex;
  store::StoreSettings settings;
  std::map<uint64_t, std::set<uint64_t>> by_key;
  std::map<uint64_t, std::vector<uint64_t>> fingerprints;  // by number
  std::map<uint64_t, std::string> records;
  std::string shared;
  uint64_t next_number = 0;
  int64_t documents = 0, duplicates = 0, erased = 0;
  std::vector<Event> events;
  uint64_t num_calls = 0;

  bool commits_in_turn = false, documents_vanish = false;
  /// The bits of a key that it keeps: others are the same key to it.
  uint64_t key_mask = UINT64_MAX;
  /// Asked before each call, with the name of the member and how many calls there were before.
  std::function<Fault(std::string_view member, uint64_t call)> fault;
  /// Called before each commit, when nobody holds the mutex.
  std::function<void()> before_commit;
};

/// Threads: as Backend.
class MemoryBackend : public Backend {
 public:
  explicit MemoryBackend(std::shared_ptr<MemoryServer> server) : server_(std::move(server)) {}

  [[nodiscard]] const store::StoreSettings& settings() const override { return server_->settings; }
  [[nodiscard]] std::string file_path(std::string_view name) const override { return "/memory/" + std::string(name); }

  [[nodiscard]] Result<uint64_t> reserve_numbers(uint64_t count) override {
    return call<uint64_t>("reserve_numbers", [&] { return std::exchange(at().next_number, at().next_number + count); });
  }
  [[nodiscard]] Result<Found> look_up(const Question& question) override {
    return call<Found>("look_up", [&] { return found_by(question); });
  }
  [[nodiscard]] Result<std::vector<std::string>> read(std::span<const uint64_t> numbers) override {
    return call<std::vector<std::string>>("read", [&] {
      std::vector<std::string> records;
      for (const uint64_t number : numbers) {
        const auto found = at().records.find(number);
        records.push_back(found == at().records.end() ? std::string() : found->second);
      }
      return records;
    });
  }
  [[nodiscard]] Result<std::vector<uint64_t>> numbers_from(uint64_t first, size_t limit) override {
    return call<std::vector<uint64_t>>("numbers_from", [&] {
      std::vector<uint64_t> numbers;
      for (auto found = at().records.lower_bound(first); found != at().records.end() && numbers.size() < limit; ++found)
        numbers.push_back(found->first);
      return numbers;
    });
  }
  [[nodiscard]] Result<std::vector<bool>> commit(const Seen& seen, std::span<const Change> changes) override {
    if (const auto before = at().before_commit) before();  // which may put another one in its place
    return call<std::vector<bool>>("commit", [&] { return make(dynamic_cast<const MemorySeen&>(seen), changes); });
  }
  [[nodiscard]] bool commits_in_turn() const override { return server_->commits_in_turn; }
  [[nodiscard]] Status compact() override {
    const auto done = call<bool>("compact", [] { return true; });
    return done ? Status() : tl::unexpected<Error>(done.error());
  }
  [[nodiscard]] Result<BackendFigures> figures() override {
    return call<BackendFigures>("figures", [&] {
      return BackendFigures{.documents = static_cast<uint64_t>(at().documents),
                            .duplicates = static_cast<uint64_t>(at().duplicates),
                            .erased = static_cast<uint64_t>(at().erased),
                            .next_number = at().next_number,
                            .documents_vanish = at().documents_vanish,
                            .memory_bytes = 1,
                            .disk_bytes = 0,
                            .facts = {{"kind", "memory"}}};
    });
  }

 private:
  using Event = MemoryServer::Event;
  struct MemorySeen : Seen {
    size_t num_events = 0;
    std::set<uint64_t> keys;  // that were asked for
    std::set<std::vector<uint64_t>> fingerprints;
  };

  [[nodiscard]] MemoryServer& at() const { return *server_; }
  [[nodiscard]] uint64_t kept(uint64_t key) const { return key & at().key_mask; }
  [[nodiscard]] size_t words() const { return at().settings.num_fingerprints * (at().settings.num_bits / 64); }

  template <class T, class Do>
  Result<T> call(std::string_view member, const Do& what) {
    const std::lock_guard lock(at().mutex);
    const Fault fault = at().fault ? at().fault(member, at().num_calls) : Fault::kNone;
    ++at().num_calls;
    if (fault == Fault::kBefore) return fail(Code::kIo, "the connection was lost before the call");
    T result = what();
    if (fault == Fault::kAfter) return fail(Code::kIo, "the connection was lost after the call");
    return result;
  }

  // Whether two documents are within reach in one place.
  [[nodiscard]] bool meet(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) const {
    const size_t each = at().settings.num_bits / 64;
    for (size_t place = 0; place + each <= std::min(a.size(), b.size()); place += each) {
      int distance = 0;
      for (size_t i = place; i < place + each; ++i) distance += std::popcount(a[i] ^ b[i]);
      if (distance <= at().settings.max_distance) return true;
    }
    return false;
  }
  [[nodiscard]] std::vector<std::vector<uint64_t>> by_document(std::span<const uint64_t> all) const {
    std::vector<std::vector<uint64_t>> each;
    EXPECT_TRUE(all.empty() || (words() > 0 && all.size() % words() == 0)) << all.size();
    for (; words() > 0 && all.size() >= words(); all = all.subspan(words()))
      each.emplace_back(all.begin(), all.begin() + static_cast<ptrdiff_t>(words()));
    return each;
  }

  Found found_by(const Question& question) {
    Found found;
    for (const uint64_t key : question.keys) {
      const auto list = at().by_key.find(kept(key));
      if (list != at().by_key.end())
        for (const uint64_t number : list->second) found.by_key.add(number);
      found.by_key.end_list();
    }
    for (const auto& asked : by_document(question.fingerprints)) {
      for (const auto& [number, fingerprints] : at().fingerprints)
        if (meet(asked, fingerprints)) found.by_fingerprint.add(number);
      found.by_fingerprint.end_list();
    }
    found.shared = at().shared;
    found.first_reserved = std::exchange(at().next_number, at().next_number + question.reserve);
    if (!question.to_commit) return found;
    auto seen = std::make_shared<MemorySeen>();
    seen->num_events = at().events.size();
    seen->keys = {question.keys.begin(), question.keys.end()};
    for (auto& asked : by_document(question.fingerprints)) seen->fingerprints.insert(std::move(asked));
    found.seen = std::move(seen);
    return found;
  }

  [[nodiscard]] Event event_of(const Change& change) const {
    Event event;
    for (const auto documents : {change.added, change.erased}) {
      for (const StoredDocument& document : documents) {
        for (const uint64_t key : document.keys) event.keys.insert(kept(key));
        for (auto& fingerprints : by_document(document.fingerprints)) event.fingerprints.push_back(fingerprints);
      }
    }
    for (const Posting& posting : change.postings) event.keys.insert(kept(posting.key));
    event.is_shared = change.shared.has_value();
    return event;
  }
  [[nodiscard]] bool stands_on(const Change& change, const Event& event) const {
    if (event.is_shared) return true;
    const auto has = [&](uint64_t key) { return event.keys.contains(kept(key)); };
    if (std::ranges::any_of(change.keys, has)) return true;
    const auto own = by_document(change.fingerprints);
    for (const auto& theirs : event.fingerprints)
      if (std::ranges::any_of(own, [&](const auto& fingerprints) { return meet(fingerprints, theirs); })) return true;
    return false;
  }

  // What others did since it was looked up, and what was to happen before in the same call and did not.
  std::vector<bool> make(const MemorySeen& seen, std::span<const Change> changes) {
    std::vector<Event> others(at().events.begin() + static_cast<ptrdiff_t>(seen.num_events), at().events.end());
    std::vector<bool> happened;
    for (const Change& change : changes) {
      expect_asked(seen, change);
      const auto is_against = [&](const Event& event) { return stands_on(change, event); };
      happened.push_back(std::ranges::none_of(others, is_against));
      if (happened.back())
        apply(change);
      else
        others.push_back(event_of(change));
    }
    return happened;
  }

  void expect_asked(const MemorySeen& seen, const Change& change) const {
    for (const uint64_t key : change.keys) EXPECT_TRUE(seen.keys.contains(key)) << "a key that was not looked up";
    for (const auto& fingerprints : by_document(change.fingerprints))
      EXPECT_TRUE(seen.fingerprints.contains(fingerprints)) << "fingerprints that were not looked up";
  }

  void apply(const Change& change) {
    for (const StoredDocument& document : change.erased) {
      EXPECT_EQ(at().records.erase(document.number), 1u) << "nothing to erase: " << document.number;
      at().fingerprints.erase(document.number);
      for (const uint64_t key : document.keys) at().by_key[kept(key)].erase(document.number);
      for (const auto& [key, numbers] : at().by_key)
        EXPECT_FALSE(numbers.contains(document.number)) << "a key is left behind of " << document.number;
    }
    for (const StoredDocument& document : change.added) {
      EXPECT_LT(document.number, at().next_number) << "a number that was not reserved";
      EXPECT_FALSE(document.record.empty());
      EXPECT_TRUE(at().records.emplace(document.number, document.record).second) << "twice: " << document.number;
      if (!document.fingerprints.empty())
        at().fingerprints[document.number] = {document.fingerprints.begin(), document.fingerprints.end()};
      for (const uint64_t key : document.keys) at().by_key[kept(key)].insert(document.number);
    }
    for (const Posting& posting : change.postings) {
      EXPECT_TRUE(at().records.contains(posting.number)) << "a posting of nothing: " << posting.number;
      at().by_key[kept(posting.key)].insert(posting.number);
    }
    if (change.shared) at().shared = *change.shared;
    at().documents += change.documents;
    at().duplicates += change.duplicates;
    at().erased += change.erased_documents;
    at().events.push_back(event_of(change));
  }

  std::shared_ptr<MemoryServer> server_;
};

}  // namespace neardup::remote
