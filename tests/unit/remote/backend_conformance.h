// What every Backend must do, tried with the one that a factory makes: against the slowest obvious one, and by name. A
// program that includes this instantiates BackendConformance once.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "neardup/base/hash.h"
#include "tests/unit/remote/memory_backend.h"

namespace neardup::remote {

/// A kind of Backend to be tried.
struct BackendFactory {
  std::string name;
  uint32_t num_bits = 64;
  uint32_t num_fingerprints = 2;  // of each document
  int max_distance = 3;
  bool tells_bytes = true;  // of memory or disk
  /// Makes an empty store with settings() in the place of the one before, and returns a client of it.
  std::function<std::unique_ptr<Backend>()> make = {};
  /// Returns one more client of that store, as another process would be.
  std::function<std::unique_ptr<Backend>()> another = {};
  /// Removes what is left of it.
  std::function<void()> remove = [] {};

  [[nodiscard]] store::StoreSettings settings() const {
    store::StoreSettings settings{.num_fingerprints = num_fingerprints, .num_bits = num_bits};
    settings.has_passages = num_bits == 64;
    settings.max_distance = max_distance;
    settings.recipe_id = "some";
    settings.recipe_json = R"({"a":"b \u0000 'c'"})";
    return settings;
  }
  [[nodiscard]] size_t words() const { return size_t{num_fingerprints} * (num_bits / 64); }
};
inline void PrintTo(const BackendFactory& factory, std::ostream* out) { *out << factory.name; }

/// Owns what a Change views.
struct OwnedChange {
  struct Document {
    uint64_t number = 0;
    std::string record;
    std::vector<uint64_t> keys, fingerprints;
    [[nodiscard]] StoredDocument view() const { return {number, record, keys, fingerprints}; }
  };
  std::vector<uint64_t> keys = {}, fingerprints = {};  // on which it stands
  std::vector<Document> added = {}, erased = {};
  std::vector<Posting> postings = {};
  std::optional<std::string> shared = {};

  // Views into it that are valid as long as it and this.
  struct View {
    std::vector<StoredDocument> added, erased;
    Change change;
  };
  [[nodiscard]] std::unique_ptr<View> view() const {
    auto view = std::make_unique<View>();
    for (const Document& document : added) view->added.push_back(document.view());
    for (const Document& document : erased) view->erased.push_back(document.view());
    view->change = {.keys = keys,
                    .fingerprints = fingerprints,
                    .added = view->added,
                    .erased = view->erased,
                    .postings = postings,
                    .shared = {}};
    if (shared) view->change.shared = *shared;
    view->change.documents = static_cast<int64_t>(added.size()) - static_cast<int64_t>(erased.size());
    view->change.erased_documents = static_cast<int64_t>(erased.size());
    return view;
  }
};

class BackendConformance : public testing::TestWithParam<BackendFactory> {
 protected:
  using Document = OwnedChange::Document;
  void SetUp() override {
    backend_ = GetParam().make();
    ASSERT_NE(backend_, nullptr);
  }
  void TearDown() override {
    backend_.reset();
    GetParam().remove();
  }
  static std::unique_ptr<Backend> another() { return GetParam().another(); }

  static Found look(Backend& backend, const std::vector<uint64_t>& keys, const std::vector<uint64_t>& fingerprints = {},
                    uint64_t reserve = 0) {
    auto found = backend.look_up({keys, fingerprints, reserve, true});
    EXPECT_TRUE(found) << found.error().message;
    return found ? std::move(*found) : Found();
  }
  static std::vector<bool> commit(Backend& backend, const Found& found, const std::vector<OwnedChange>& changes) {
    std::vector<std::unique_ptr<OwnedChange::View>> views;
    std::vector<Change> all;
    for (const OwnedChange& change : changes) all.push_back(views.emplace_back(change.view())->change);
    const auto happened = backend.commit(*found.seen, all);
    EXPECT_TRUE(happened) << happened.error().message;
    return happened ? *happened : std::vector<bool>(changes.size(), false);
  }
  /// Adds a document that stands on its keys and fingerprints, whatever is there.
  static uint64_t add(Backend& backend, Document document) {
    const Found found = look(backend, document.keys, document.fingerprints, 1);
    document.number = found.first_reserved;
    OwnedChange change{.keys = document.keys, .fingerprints = document.fingerprints, .added = {document}};
    EXPECT_EQ(commit(backend, found, {change}), std::vector<bool>{true});
    return document.number;
  }
  static void erase(Backend& backend, const Document& document) {
    const Found found = look(backend, document.keys, document.fingerprints);
    OwnedChange change{.keys = document.keys, .fingerprints = document.fingerprints, .erased = {document}};
    EXPECT_EQ(commit(backend, found, {change}), std::vector<bool>{true});
  }
  /// Without those that were erased.
  static std::vector<uint64_t> live(Backend& backend, std::span<const uint64_t> numbers) {
    EXPECT_TRUE(std::ranges::is_sorted(numbers, std::less_equal<>()) || numbers.size() < 2);
    for (size_t i = 1; i < numbers.size(); ++i) EXPECT_LT(numbers[i - 1], numbers[i]);  // ascending, each once
    const auto records = backend.read(numbers);
    EXPECT_TRUE(records) << records.error().message;
    std::vector<uint64_t> there;
    for (size_t i = 0; records && i < numbers.size(); ++i)
      if (!records->at(i).empty()) there.push_back(numbers[i]);
    return there;
  }
  static std::vector<uint64_t> under(Backend& backend, uint64_t key) {
    return live(backend, look(backend, {key}).by_key[0]);
  }
  static std::vector<uint64_t> near(Backend& backend, const std::vector<uint64_t>& fingerprints) {
    return live(backend, look(backend, {}, fingerprints).by_fingerprint[0]);
  }
  /// Fingerprints of which the first differs from those of `value` in `bits` bits, the others in many.
  static std::vector<uint64_t> prints(uint64_t value, int bits = 0, uint64_t other = 0) {
    std::vector<uint64_t> words;
    for (size_t i = 0; i < GetParam().words(); ++i) words.push_back(mix64(value * 1000 + i + 1));
    for (int i = 0; i < bits; ++i) words[0] ^= uint64_t{1} << (7 + 13 * i) % 64;
    for (size_t i = GetParam().num_bits / 64; i < words.size(); ++i) words[i] = mix64(words[i] ^ other);
    return words;
  }

  static int near_bits(int bits = 1) { return std::min(bits, GetParam().max_distance); }

  std::unique_ptr<Backend> backend_;
};

TEST_P(BackendConformance, KnowsItsSettings) {
  EXPECT_EQ(backend_->settings(), GetParam().settings());
  EXPECT_EQ(another()->settings(), GetParam().settings());
}

TEST_P(BackendConformance, NumbersAreUniqueAndAscend) {
  std::vector<std::thread> threads;
  std::vector<std::vector<std::pair<uint64_t, uint64_t>>> reserved(4);
  for (auto& own : reserved)
    threads.emplace_back([&own] {
      const auto backend = another();
      for (uint64_t i = 1; i <= 50; ++i) {
        const auto first =
            i % 2 == 0 ? backend->reserve_numbers(i) : Result<uint64_t>(look(*backend, {i}, {}, i).first_reserved);
        ASSERT_TRUE(first) << first.error().message;
        own.emplace_back(*first, i);
      }
    });
  for (std::thread& thread : threads) thread.join();
  std::vector<std::pair<uint64_t, uint64_t>> all;
  for (const auto& own : reserved) {
    EXPECT_TRUE(std::ranges::is_sorted(own));
    all.insert(all.end(), own.begin(), own.end());
  }
  std::ranges::sort(all);
  for (size_t i = 1; i < all.size(); ++i) EXPECT_LE(all[i - 1].first + all[i - 1].second, all[i].first);
  EXPECT_GE(*backend_->reserve_numbers(1), all.back().first + all.back().second);
}

TEST_P(BackendConformance, TheFirstNumberIsZeroAndNoneIsLeftOut) {
  EXPECT_EQ(add(*backend_, {0, "a", {1}, {}}), 0u);
  EXPECT_EQ(add(*backend_, {0, "b", {1}, {}}), 1u);
  EXPECT_EQ(look(*backend_, {1}).by_key.size(), 1u);  // reserves none
  EXPECT_EQ(add(*another(), {0, "c", {1}, {}}), 2u);
}

TEST_P(BackendConformance, WhatIsAddedIsFoundByAllClients) {
  const uint64_t number = add(*backend_, {0, "first", {0, UINT64_MAX, 7, 7}, prints(1)});
  const auto other = another();
  for (const uint64_t key : {uint64_t{0}, UINT64_MAX, uint64_t{7}})
    EXPECT_EQ(under(*other, key), std::vector<uint64_t>{number});
  EXPECT_EQ(under(*other, 8), std::vector<uint64_t>());
  EXPECT_EQ(near(*other, prints(1)), std::vector<uint64_t>{number});
  EXPECT_EQ(near(*other, prints(1, GetParam().max_distance, 5)), std::vector<uint64_t>{number});
  EXPECT_EQ(near(*other, prints(1, GetParam().max_distance + 1, 5)), std::vector<uint64_t>());
  const std::vector<uint64_t> numbers = {number + 7, number, number};
  EXPECT_EQ(*other->read(numbers), (std::vector<std::string>{"", "first", "first"}));
}

TEST_P(BackendConformance, FingerprintsOfDifferentPlacesAreNotCompared) {
  if (GetParam().num_fingerprints < 2) GTEST_SKIP() << "there is one place";
  const size_t each = GetParam().num_bits / 64;
  std::vector<uint64_t> turned = prints(3);
  add(*backend_, {0, "a", {}, turned});
  std::rotate(turned.begin(), turned.begin() + static_cast<ptrdiff_t>(each), turned.end());
  EXPECT_EQ(near(*backend_, turned), std::vector<uint64_t>());
}

TEST_P(BackendConformance, NothingIsAskedAndNothingIsFound) {
  const auto found = backend_->look_up({});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->by_key.size() + found->by_fingerprint.size(), 0u);
  EXPECT_EQ(found->seen, nullptr);
  EXPECT_EQ(found->shared, "");
  EXPECT_TRUE(backend_->read({})->empty());
  EXPECT_TRUE(backend_->numbers_from(0, 10)->empty());
  EXPECT_TRUE(commit(*backend_, look(*backend_, {1}), {}).empty());
}

TEST_P(BackendConformance, RecordsAreAnyBytesOfAnyLength) {
  std::mt19937_64 random(1);
  std::vector<std::string> records = {std::string(1, '\0'), "\r\n$-1\r\n", std::string("a\0b", 3)};
  for (const size_t size : {size_t{100}, size_t{70'000}, size_t{1'000'000}}) {
    std::string& bytes = records.emplace_back(size, ' ');
    for (char& byte : bytes) byte = static_cast<char>(random());
  }
  std::vector<uint64_t> numbers;
  for (const std::string& record : records) numbers.push_back(add(*backend_, {0, record, {hash64(record)}, {}}));
  EXPECT_EQ(*another()->read(numbers), records);
}

TEST_P(BackendConformance, NumbersAreListedByPages) {
  std::vector<uint64_t> numbers;
  std::vector<Document> documents;
  for (uint64_t i = 0; i < 40; ++i) {
    static_cast<void>(backend_->reserve_numbers(i % 3 * 300));
    documents.push_back({0, "r" + std::to_string(i), {i}, prints(i)});
    documents.back().number = add(*backend_, documents.back());
  }
  for (size_t i = 0; i < documents.size(); ++i) {
    if (i % 5 == 0)
      erase(*backend_, documents[i]);
    else
      numbers.push_back(documents[i].number);
  }
  std::vector<uint64_t> listed;
  for (uint64_t first = 0;;) {
    const auto page = backend_->numbers_from(first, 7);
    ASSERT_TRUE(page) << page.error().message;
    if (page->empty()) break;
    EXPECT_LE(page->size(), 7u);
    listed.insert(listed.end(), page->begin(), page->end());
    first = page->back() + 1;
  }
  EXPECT_EQ(listed, numbers);
}

TEST_P(BackendConformance, WhatIsErasedIsGone) {
  Document document{0, "gone", {1, 2}, prints(1)}, other{0, "stays", {2, 3}, prints(1, near_bits())};
  document.number = add(*backend_, document);
  other.number = add(*backend_, other);
  erase(*another(), document);
  EXPECT_EQ(under(*backend_, 1), std::vector<uint64_t>());
  EXPECT_EQ(under(*backend_, 2), std::vector<uint64_t>{other.number});
  EXPECT_EQ(near(*backend_, prints(1)), std::vector<uint64_t>{other.number});
  const std::vector<uint64_t> numbers = {document.number};
  EXPECT_EQ(backend_->read(numbers)->at(0), "");
}

TEST_P(BackendConformance, ADocumentIsFoundUnderAKeyThatItGetsLater) {
  const uint64_t number = add(*backend_, {0, "a", {1}, {}});
  const OwnedChange change{.keys = {9}, .postings = {{9, number}, {10, number}}};
  EXPECT_EQ(commit(*backend_, look(*backend_, {9}), {change}), std::vector<bool>{true});
  EXPECT_EQ(under(*another(), 9), std::vector<uint64_t>{number});
  EXPECT_EQ(under(*another(), 10), std::vector<uint64_t>{number});
}

// In each of these others change what was looked at: nothing of the change happens.
TEST_P(BackendConformance, AChangeWhoseListsOthersTouchedDoesNotHappen) {
  const auto other = another();
  Document there{0, "there", {5, 50}, prints(5)};
  there.number = add(*backend_, there);
  const std::vector<std::function<void()>> touches = {
      [&] {
        add(*other, {0, "x", {5}, {}});
      },
      [&] {
        add(*other, {0, "x", {}, prints(7, GetParam().max_distance, 1)});
      },
      [&] {
        const OwnedChange posting{.keys = {}, .postings = {{5, there.number}, {6, there.number}}};
        EXPECT_EQ(commit(*other, look(*other, {1}), {posting}), std::vector<bool>{true});
      },
      [&] { EXPECT_EQ(commit(*other, look(*other, {1}), {{.shared = "new"}}), std::vector<bool>{true}); },
      [&] {
        there.keys.push_back(6);
        erase(*other, there);
      }};
  for (size_t i = 0; i < touches.size(); ++i) {
    const Found found = look(*backend_, {5, 6, 90, 91}, prints(7), 1);
    Document added{found.first_reserved, "added", {90}, prints(90)};
    OwnedChange change{.keys = {5, 6, 90}, .fingerprints = prints(7), .added = {added}, .postings = {{91, 0}}};
    change.shared = "mine";
    touches[i]();
    EXPECT_EQ(commit(*backend_, found, {change}), std::vector<bool>{false}) << i;
    EXPECT_EQ(under(*other, 90), std::vector<uint64_t>()) << i;
    EXPECT_EQ(under(*other, 91), std::vector<uint64_t>()) << i;
    EXPECT_EQ(near(*other, prints(90)), std::vector<uint64_t>()) << i;
    EXPECT_NE(look(*other, {1}).shared, "mine") << i;
    const std::vector<uint64_t> numbers = {added.number};
    EXPECT_EQ(other->read(numbers)->at(0), "") << i;
  }
}

// Two documents near each other, of which each looked when the other one was not there yet.
TEST_P(BackendConformance, OfTwoThatAreNearAndCameAtOnceOneHappens) {
  const auto other = another();
  for (uint64_t i = 0; i < 200; ++i) {
    const auto bits = static_cast<int>(i) % (GetParam().max_distance + 1);
    Document a{0, "a", {}, prints(i)}, b{0, "b", {}, prints(i, bits, 1)};
    const Found by_a = look(*backend_, {}, a.fingerprints, 1), by_b = look(*other, {}, b.fingerprints, 1);
    a.number = by_a.first_reserved, b.number = by_b.first_reserved;
    const auto first = commit(*backend_, by_a, {{.fingerprints = a.fingerprints, .added = {a}}});
    const auto second = commit(*other, by_b, {{.fingerprints = b.fingerprints, .added = {b}}});
    ASSERT_EQ(first[0] + second[0], 1) << i;
  }
}

// Nothing else is looked up, and of two that looked at the same one happens.
TEST_P(BackendConformance, WhatIsSharedChangesByItself) {
  const auto other = another();
  const Found found = look(*backend_, {}), too_late = look(*other, {});
  EXPECT_EQ(commit(*backend_, found, {{.shared = std::string("a\0b", 3)}}), std::vector<bool>{true});
  EXPECT_EQ(commit(*other, too_late, {{.shared = "c"}}), std::vector<bool>{false});
  EXPECT_EQ(look(*other, {}).shared, std::string("a\0b", 3));
  EXPECT_EQ(backend_->look_up({})->shared, std::string("a\0b", 3));
  EXPECT_EQ(commit(*other, look(*other, {}), {{.shared = ""}}), std::vector<bool>{true});
  EXPECT_EQ(look(*backend_, {1}).shared, "");
}

TEST_P(BackendConformance, ChangesOfOneCallStandOnEachOther) {
  Document there{0, "there", {20}, prints(20)};
  there.number = add(*backend_, there);
  const Found found = look(*backend_, {1, 2, 20}, prints(20), 3);
  const uint64_t number = found.first_reserved;
  const Document a{number, "a", {1, 20}, prints(20, near_bits())}, b{number + 1, "b", {1, 2}, prints(20, near_bits(2))},
      c{number + 2, "c", {2, 20}, {}};
  const std::vector<OwnedChange> changes = {
      {.keys = {1, 20}, .fingerprints = prints(20), .added = {a}, .erased = {there}},
      {.keys = {1, 2, 20}, .fingerprints = prints(20), .added = {b}},
      {.keys = {2, 20}, .added = {c}, .shared = "s"}};
  EXPECT_EQ(commit(*backend_, found, changes), (std::vector<bool>{true, true, true}));
  EXPECT_EQ(under(*backend_, 20), (std::vector<uint64_t>{a.number, c.number}));
  EXPECT_EQ(near(*backend_, prints(20)), (std::vector<uint64_t>{a.number, b.number}));
  EXPECT_EQ(look(*backend_, {1}).shared, "s");
}

// What was decided when a change before it was to happen is to be decided again where that one did not.
TEST_P(BackendConformance, WhatStandsOnAChangeThatDidNotHappenDoesNotHappen) {
  Document there{0, "there", {20}, prints(20)};
  there.number = add(*backend_, there);
  for (const bool is_added : {true, false}) {
    const Found found = look(*backend_, {1, 2, 3, 20}, prints(40), 3);
    const uint64_t number = found.first_reserved;
    Document a{number, "a", {1, 2}, prints(40)}, b{number + 1, "b", {2, 3}, {}}, c{number + 2, "c", {3}, {}};
    OwnedChange first{.keys = {1, 20}, .added = {a}}, second{.keys = {2}, .added = {b}};
    if (!is_added) first.added = {}, first.erased = {there}, second.keys = {20};
    const OwnedChange third{.keys = {3}, .added = {c}}, near_first{.fingerprints = prints(40)};
    add(*another(), {0, "x", {1}, {}});
    auto happened = commit(*backend_, found, {first, second, third, near_first});
    if (!is_added) happened.resize(3);  // the last one does not stand on it
    EXPECT_EQ(happened, std::vector<bool>(happened.size(), false)) << is_added;
  }
}

TEST_P(BackendConformance, OtherListsAreNotInTheWayForLong) {
  const auto other = another();
  for (uint64_t i = 0; i < 20; ++i) {
    bool happened = false;
    for (int tries = 0; tries < 5 && !happened; ++tries) {
      const Found found = look(*backend_, {1000 + i}, prints(1000 + i), 1);
      if (tries < 3) add(*other, {0, "x", {2000 + i}, prints(2000 + i)});
      happened = commit(*backend_, found,
                        {{.keys = {1000 + i},
                          .fingerprints = prints(1000 + i),
                          .added = {{found.first_reserved, "a", {1000 + i}, prints(1000 + i)}}}})[0];
    }
    EXPECT_TRUE(happened) << i;
  }
}

TEST_P(BackendConformance, OfManyThatStandOnOneKeyExactlyOneHappens) {
  constexpr uint64_t kKeys = 60;
  std::vector<std::atomic<int>> num_happened(kKeys);
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; ++t)
    threads.emplace_back([&num_happened, t] {
      const auto backend = another();
      for (uint64_t i = 0; i < kKeys; ++i) {
        const uint64_t key = (i + t % 2) % kKeys;
        for (int tries = 0;; ++tries) {
          ASSERT_LT(tries, 1000);
          const Found found = look(*backend, {key, key + 1000}, prints(key), 1);
          if (!found.by_key[0].empty()) {
            EXPECT_EQ(found.by_key[0].size(), 1u);
            EXPECT_EQ(found.by_fingerprint[0].size(), 1u);
            break;
          }
          EXPECT_TRUE(found.by_fingerprint[0].empty());
          const Document document{found.first_reserved, "r", {key, key + 1000}, prints(key)};
          if (commit(*backend, found, {{.keys = {key}, .added = {document}}})[0]) ++num_happened[key];
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& count : num_happened) EXPECT_EQ(count, 1);
  EXPECT_EQ(backend_->numbers_from(0, 1000)->size(), kKeys);
}

TEST_P(BackendConformance, FiguresAreThoseThatCommitsCounted) {
  const Found found = look(*backend_, {1}, {}, 3);
  OwnedChange change{.added = {{found.first_reserved, "a", {}, {}}}};
  auto view = change.view();
  view->change.documents = 5, view->change.duplicates = 3, view->change.erased_documents = 2;
  ASSERT_TRUE(backend_->commit(*found.seen, {&view->change, 1}));
  view->change = {};
  view->change.documents = -1, view->change.duplicates = -2, view->change.erased_documents = 1;
  ASSERT_TRUE(backend_->commit(*found.seen, {&view->change, 1}));
  const auto figures = another()->figures();
  ASSERT_TRUE(figures) << figures.error().message;
  EXPECT_EQ(figures->documents, 4u);
  EXPECT_EQ(figures->duplicates, 1u);
  EXPECT_EQ(figures->erased, 3u);
  EXPECT_GE(figures->next_number, 3u);
  EXPECT_EQ(figures->memory_bytes + figures->disk_bytes > 0, GetParam().tells_bytes);
  EXPECT_FALSE(figures->facts.empty());
}

TEST_P(BackendConformance, CompactingChangesNothingThatIsFound) {
  std::vector<Document> documents;
  for (uint64_t i = 0; i < 30; ++i) {
    documents.push_back({0, "r" + std::to_string(i), {i % 7, 100 + i}, prints(i % 9)});
    documents.back().number = add(*backend_, documents.back());
  }
  for (size_t i = 0; i < documents.size(); i += 2) erase(*backend_, documents[i]);
  const Status done = backend_->compact();
  ASSERT_TRUE(done) << done.error().message;
  backend_ = another();  // opened anew
  for (uint64_t key = 0; key < 7; ++key) {
    std::vector<uint64_t> expected;
    for (size_t i = 1; i < documents.size(); i += 2)
      if (documents[i].keys[0] == key) expected.push_back(documents[i].number);
    EXPECT_EQ(under(*backend_, key), expected);
  }
  EXPECT_EQ(near(*backend_, prints(1)), (std::vector<uint64_t>{documents[1].number, documents[19].number}));
}

/// Random documents of few keys and fingerprints, so that they meet.
class RandomChanges {
 public:
  RandomChanges(const BackendFactory& factory, uint64_t seed) : factory_(factory), random_(seed) {}

  [[nodiscard]] std::vector<uint64_t> fingerprints() {
    std::vector<uint64_t> words;
    for (size_t i = 0; i < factory_.words(); ++i) words.push_back(mix64(random_() % 4 + i * 100));
    for (uint64_t flips = random_() % 9; flips > 0; --flips)
      words[random_() % words.size()] ^= uint64_t{1} << random_() % 64;
    return words;
  }
  [[nodiscard]] std::vector<uint64_t> keys() {
    std::vector<uint64_t> keys;
    for (uint64_t i = random_() % 6; i > 0; --i) keys.push_back(mix64(random_() % 40));
    return keys;
  }
  /// One that adds a document, erases another one or both, or gives one a key.
  [[nodiscard]] OwnedChange change(uint64_t number) {
    OwnedChange change;
    const uint64_t what = random_() % 8;
    if (what != 0 || there_.empty()) {
      change.added.push_back({number, "r" + std::to_string(number) + std::string(random_() % 300, 'x'), keys(), {}});
      if (random_() % 4 != 0 && factory_.words() > 0) change.added[0].fingerprints = fingerprints();
    }
    if (what < 3 && !there_.empty()) {
      const size_t place = random_() % there_.size();
      change.erased.push_back(there_[place]);
      there_.erase(there_.begin() + static_cast<ptrdiff_t>(place));
    } else if (what == 3 && !there_.empty()) {
      OwnedChange::Document& of = there_[random_() % there_.size()];
      of.keys.push_back(mix64(random_() % 40));
      change.postings.push_back({of.keys.back(), of.number});
    }
    if (!change.added.empty()) there_.push_back(change.added[0]);
    return change;
  }
  [[nodiscard]] uint64_t below(uint64_t bound) { return random_() % bound; }

 private:
  const BackendFactory& factory_;
  std::mt19937_64 random_;
  std::vector<OwnedChange::Document> there_;
};

TEST_P(BackendConformance, FindsWhatTheSlowestOneFinds) {
  const auto server = std::make_shared<MemoryServer>(GetParam().settings());
  MemoryBackend model(server);
  RandomChanges random(GetParam(), 7);
  for (int step = 0; step < 120; ++step) {
    std::vector<uint64_t> keys, fingerprints;
    for (uint64_t key = 0; key < 40; ++key) keys.push_back(mix64(key));
    for (int i = 0; i < 4 && GetParam().words() > 0; ++i) {
      const std::vector<uint64_t> one = random.fingerprints();
      fingerprints.insert(fingerprints.end(), one.begin(), one.end());
    }
    const uint64_t count = random.below(6);
    const Found found = look(*backend_, keys, fingerprints, count), expected = look(model, keys, fingerprints, count);
    if (count > 0) {
      ASSERT_EQ(found.first_reserved, expected.first_reserved);
    }
    ASSERT_EQ(found.by_key.size(), keys.size());
    ASSERT_EQ(found.by_fingerprint.size(), expected.by_fingerprint.size());
    for (size_t i = 0; i < keys.size(); ++i)
      ASSERT_EQ(live(*backend_, found.by_key[i]), live(model, expected.by_key[i])) << step << ":" << i;
    for (size_t i = 0; i < found.by_fingerprint.size(); ++i)
      ASSERT_EQ(live(*backend_, found.by_fingerprint[i]), live(model, expected.by_fingerprint[i])) << step << ":" << i;
    std::vector<OwnedChange> changes;
    for (uint64_t i = 0; i < count; ++i) {
      changes.push_back(random.change(found.first_reserved + i));
      changes.back().keys = {keys[random.below(40)], keys[random.below(40)]};
      if (GetParam().words() > 0 && random.below(2) == 0)
        changes.back().fingerprints.assign(fingerprints.begin(),
                                           fingerprints.begin() + static_cast<ptrdiff_t>(GetParam().words()));
    }
    ASSERT_EQ(commit(*backend_, found, changes), commit(model, expected, changes)) << step;
    if (step % 20 == 19) backend_ = another();
    if (step % 50 == 49) {
      ASSERT_TRUE(backend_->compact());
    }
    const uint64_t first = random.below(100);
    ASSERT_EQ(*backend_->numbers_from(first, 9), *model.numbers_from(first, 9));
  }
}

TEST_P(BackendConformance, ManyAreLookedUpAndAddedInOneCall) {
  constexpr uint64_t kCount = 2000;
  std::vector<uint64_t> keys, fingerprints;
  for (uint64_t i = 0; i < kCount; ++i) {
    keys.push_back(mix64(i + 1000));
    const std::vector<uint64_t> own = prints(i + 10);
    fingerprints.insert(fingerprints.end(), own.begin(), own.end());
  }
  const Found found = look(*backend_, keys, fingerprints, kCount);
  std::vector<OwnedChange> changes;
  for (uint64_t i = 0; i < kCount; ++i)
    changes.push_back(
        {.keys = {keys[i]},
         .fingerprints = prints(i + 10),
         .added = {{found.first_reserved + i, "r" + std::to_string(i), {keys[i], i % 3}, prints(i + 10)}}});
  EXPECT_EQ(commit(*backend_, found, changes), std::vector<bool>(kCount, true));
  const Found again = look(*another(), keys, fingerprints);
  std::vector<uint64_t> numbers;
  for (uint64_t i = 0; i < kCount; ++i) {
    ASSERT_EQ(again.by_key[i].size(), 1u);
    ASSERT_EQ(again.by_key[i][0], found.first_reserved + i);
    ASSERT_EQ(again.by_fingerprint[i].size(), 1u);
    ASSERT_EQ(again.by_fingerprint[i][0], found.first_reserved + i);
    numbers.push_back(found.first_reserved + i);
  }
  const auto records = backend_->read(numbers);
  ASSERT_TRUE(records);
  for (uint64_t i = 0; i < kCount; ++i) ASSERT_EQ(records->at(i), "r" + std::to_string(i));
  EXPECT_EQ(under(*backend_, 1).size(), kCount / 3 + 1);
}

}  // namespace neardup::remote
