// What every store must do, tried with the one that a factory makes: against the slowest obvious store, and by name.
// A program that includes this instantiates StoreConformance once.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "neardup/store/embedded_store.h"
#include "tests/failing_file_system.h"
#include "tests/own_path.h"
#include "tests/unit/store/store_look.h"
#include "tests/unit/store/store_model.h"

namespace neardup::store {

/// A kind of store to be tried.
struct StoreFactory {
  std::string name;
  uint32_t num_bits = 64;     // of a fingerprint
  bool has_passages = false;  // of documents
  /// Makes an empty store, of kConformanceDistance and one fingerprint a document, in the place of the one before.
  std::function<std::unique_ptr<Store>()> make;
  /// Ends it, and opens it again with what it held.
  std::function<std::unique_ptr<Store>(std::unique_ptr<Store>)> again;
  /// Opens what Store::snapshot() made in a folder.
  std::function<std::unique_ptr<Store>(const std::string& folder)> open_snapshot;
  /// Removes what is left of it.
  std::function<void()> remove;
  /// Does now what it does in the background.
  std::function<void(Store&)> settle;
  /// Seeds of what is done at random: of a slow store each of several factories, which run at once, has some.
  uint64_t first_seed = 0, end_seed = 12;
};
inline void PrintTo(const StoreFactory& factory, std::ostream* out) { *out << factory.name; }
inline constexpr int kConformanceDistance = 3;

class StoreConformance : public testing::TestWithParam<StoreFactory> {
 protected:
  void TearDown() override { GetParam().remove(); }
  static std::unique_ptr<Store> make() { return GetParam().make(); }
  static std::unique_ptr<Store> again(std::unique_ptr<Store> store) { return GetParam().again(std::move(store)); }
  static OwnedRecord with_width(OwnedRecord document) {
    return GetParam().num_bits == 128 ? widened(std::move(document)) : document;
  }
  static OwnedRecord make_document(const std::string& id, int number) { return with_width(document_of(id, number)); }
  static OwnedRecord some(std::mt19937_64& random) {
    OwnedRecord document = with_width(some_document(random));
    if (random() % 2 == 0) document = in_a_crowd(std::move(document), random);
    return GetParam().has_passages ? with_passages(std::move(document)) : document;
  }
  Answer insert(Store& store, const OwnedRecord& document) const {
    const Record view = document.view();
    auto answers = store.check_and_insert({&view, 1}, judge_);
    EXPECT_TRUE(answers) << answers.error().message;
    return answers ? answers->at(0) : Answer();
  }
  static Answer check(const Store& store, const OwnedRecord& document, const Judge& judge) {
    const Record view = document.view();
    const auto answers = store.check({&view, 1}, judge);
    EXPECT_TRUE(answers) << answers.error().message;
    return answers ? answers->at(0) : Answer();
  }
  ByNumber judge_;
};

inline void expect_equal(const Answer& a, const Answer& b, const std::string& where) {
  ASSERT_EQ(static_cast<int>(a.fate.kind), static_cast<int>(b.fate.kind)) << where;
  ASSERT_EQ(a.kept_id, b.kept_id) << where;
  ASSERT_EQ(a.is_repeated, b.is_repeated) << where;
  if (a.fate.kind == Kind::kNear || a.fate.kind == Kind::kContained) {
    ASSERT_EQ(a.fate.similarity, b.fate.similarity) << where;
    ASSERT_EQ(a.fate.distance, b.fate.distance) << where;
  }
}

inline void expect_equal(const StoredNeighbours& a, const StoredNeighbours& b, const std::string& where) {
  ASSERT_EQ(a.truncated, b.truncated) << where;
  ASSERT_EQ(a.found.size(), b.found.size()) << where;
  for (size_t i = 0; i < a.found.size(); ++i) {
    ASSERT_EQ(a.found[i].id, b.found[i].id) << where;
    ASSERT_EQ(a.found[i].is_exact, b.found[i].is_exact) << where;
    ASSERT_EQ(a.found[i].is_container, b.found[i].is_container) << where;
    ASSERT_EQ(a.found[i].likeness.similarity, b.found[i].likeness.similarity) << where;
    ASSERT_EQ(a.found[i].likeness.distance, b.found[i].likeness.distance) << where;
  }
}

// Of all neighbours the first equal one, else the first, is what the document repeats.
inline void expect_first(const Store& store, const OwnedRecord& document, const std::string& where) {
  auto all = store.query(document.view(), ByNumber(), SIZE_MAX);
  const auto repeated = store.find_repeated(document.view(), ByNumber());
  ASSERT_TRUE(all && repeated) << where;
  const auto order = [](const StoredNeighbour& one) { return std::pair(!one.is_exact, one.number); };
  std::erase_if(all->found, [](const StoredNeighbour& one) { return one.is_container; });
  const auto first = std::ranges::min_element(all->found, {}, order);
  ASSERT_EQ(repeated->has_value(), first != all->found.end()) << where;
  if (*repeated) {
    ASSERT_EQ(**repeated, first->number) << where;
  }
}

// Makes a call that is none of check and check_and_insert in both.
inline void call_other(Store& store, StoreModel& model, const OwnedRecord& document, std::mt19937_64& random,
                       const std::string& where) {
  const std::string tag = "t" + std::to_string(random() % 3);
  const uint64_t what = random() % 14;
  if (what == 0) {
    const std::string_view ids[] = {document.id, document.id};
    const auto erased = store.erase(ids);
    ASSERT_TRUE(erased);
    ASSERT_EQ(*erased, model.erase(document.id)) << where;
  } else if (what == 1) {
    const auto erased = store.erase_tag(tag);
    ASSERT_TRUE(erased) << erased.error().message;
    ASSERT_EQ(*erased, model.erase_tag(tag)) << where;
  } else if (what == 2) {
    const Record view = document.view();
    ASSERT_TRUE(store.put({&view, 1}));
    model.put(document);
  } else if (what == 3) {
    const auto before = static_cast<int64_t>(random() % 3);
    const auto erased = store.expire(before);
    ASSERT_TRUE(erased) << erased.error().message;
    ASSERT_EQ(*erased, model.expire(before)) << where;
  } else if (what < 8) {
    const auto begun = store.begin_tag(tag);
    ASSERT_TRUE(begun) << begun.error().message;
    ASSERT_EQ(*begun, model.begin_tag(tag)) << where;
  } else if (what < 10) {
    const auto ended = store.commit_tag(tag);
    ASSERT_TRUE(ended) << ended.error().message;
    ASSERT_EQ(*ended, model.commit_tag(tag)) << where;
  } else if (what < 11) {
    const auto ended = store.cancel_tag(tag);
    ASSERT_TRUE(ended) << ended.error().message;
    ASSERT_EQ(*ended, model.cancel_tag(tag)) << where;
  } else {
    const ByNumber judge;
    const size_t limit = random() % 4;
    const auto neighbours = store.query(document.view(), judge, limit);
    ASSERT_TRUE(neighbours) << neighbours.error().message;
    expect_equal(*neighbours, model.query(document, limit), where);
    expect_first(store, document, where);
    const auto holders = store.find_holders(document.view(), 2);
    ASSERT_TRUE(holders) << holders.error().message;
    ASSERT_EQ(holders->size(), model.num_holders(document, 2)) << where;
  }
}

// Documents that repeat few others at once, and erasures between.
inline std::vector<OwnedRecord> learnt_documents(std::mt19937_64& random, size_t count) {
  std::vector<OwnedRecord> documents;
  for (size_t i = 0; i < count; ++i) {
    documents.push_back(document_of("d" + std::to_string(i), static_cast<int>(random() % 60)));
    if (random() % 6 == 0) documents.back().within = "b";
    if (random() % 3 == 0) documents.back().fingerprints.clear();
  }
  return documents;
}

// Of a form that many share so many are compared, and no more: the verdict says so.
TEST_P(StoreConformance, WhereItLearnsItComparesSoManyAndNoMore) {
  const Learning judge;
  const auto store = make();
  std::vector<OwnedRecord> documents;
  const auto add = [&documents](int number) {
    documents.push_back(with_width(document_of("d" + std::to_string(documents.size()), number)));
    documents.back().keys = {7};
    documents.back().fingerprints.clear();
  };
  for (const int number : {20, 18, 22}) add(number);
  while (documents.size() < kMostComparedLearning) add(1000);
  ASSERT_TRUE(store->put(views_of(documents)));
  OwnedRecord arriving = document_of("x", 21);
  arriving.keys = {7}, arriving.fingerprints.clear();
  Answer answer = check(*store, arriving, judge);
  EXPECT_EQ(answer.fate.kind, Kind::kNew);
  EXPECT_FALSE(answer.fate.is_truncated);
  documents.clear();
  documents.push_back(arriving);
  documents.back().id = "further";
  documents.back().body = "21 ";
  documents.back().checksum = hash128("another one");
  ASSERT_TRUE(store->put(views_of(documents)));
  answer = check(*store, arriving, judge);
  EXPECT_EQ(answer.fate.kind, Kind::kNew);
  EXPECT_TRUE(answer.fate.is_truncated);
}

// What is learnt around a document is the same in batches and one by one, through a restart, and in any kind of store.
TEST_P(StoreConformance, LearnsInBatchesWhatItLearnsOneByOne) {
  const Learning judge;
  std::mt19937_64 random(4);
  std::vector<OwnedRecord> documents = learnt_documents(random, 300);
  for (OwnedRecord& document : documents) document = with_width(std::move(document));
  const std::string folder = own_path() + "-one-by-one";
  std::filesystem::remove_all(folder);
  auto slow = EmbeddedStore::create(
      folder, {.num_fingerprints = 1, .num_bits = GetParam().num_bits, .max_distance = kConformanceDistance});
  ASSERT_TRUE(slow) << slow.error().message;
  auto store = make();
  size_t num_near = 0, num_new = 0;
  for (size_t begin = 0, round = 0; begin < documents.size(); ++round) {
    const size_t end = std::min(documents.size(), begin + 1 + random() % 40);
    const std::vector<OwnedRecord> batch(documents.begin() + static_cast<std::ptrdiff_t>(begin),
                                         documents.begin() + static_cast<std::ptrdiff_t>(end));
    const auto answers = store->check_and_insert(views_of(batch), judge);
    ASSERT_TRUE(answers) << answers.error().message;
    for (size_t i = 0; i < batch.size(); ++i) {
      const Record view = batch[i].view();
      const auto expected = (*slow)->check_and_insert({&view, 1}, judge);
      ASSERT_TRUE(expected) << expected.error().message;
      expect_equal(answers->at(i), expected->at(0), batch[i].id);
      num_near += answers->at(i).fate.kind == Kind::kNear ? 1 : 0;
      num_new += answers->at(i).fate.kind == Kind::kNew ? 1 : 0;
    }
    begin = end;
    if (round % 3 == 2) store = again(std::move(store));
    if (round % 3 != 0) continue;
    const std::string_view gone[] = {batch.front().id};
    ASSERT_TRUE(store->erase(gone));
    ASSERT_TRUE((*slow)->erase(gone));
  }
  EXPECT_GT(num_near, 15U);
  EXPECT_GT(num_new, 30U);
  slow->reset();
  std::filesystem::remove_all(folder);
}

TEST_P(StoreConformance, TellsNewExactNearAndAgain) {
  const auto store = make();
  EXPECT_EQ(insert(*store, make_document("a", 20)).fate.kind, Kind::kNew);
  const Answer exact = insert(*store, make_document("b", 20));
  EXPECT_EQ(exact.fate.kind, Kind::kExact);
  EXPECT_EQ(exact.kept_id, "a");
  const Answer near = insert(*store, make_document("c", 21));
  EXPECT_EQ(near.fate.kind, Kind::kNear);
  EXPECT_EQ(near.kept_id, "a");
  EXPECT_EQ(near.fate.similarity, .875F);
  const Answer again = insert(*store, make_document("c", 21));
  EXPECT_TRUE(again.is_repeated);
  EXPECT_EQ(again.fate, near.fate);
  EXPECT_EQ(insert(*store, make_document("d", 21)).fate.kind, Kind::kNear);  // equal to c, which is near a
  const Answer self = insert(*store, make_document("a", 20));
  EXPECT_TRUE(self.is_repeated);
  EXPECT_EQ(self.fate.kind, Kind::kNew);
}

TEST_P(StoreConformance, AQueryFindsWhatIsKeptWholeMostSimilarFirst) {
  const auto store = make();
  for (const auto& [id, number] : {std::pair("a", 21), {"b", 20}, {"c", 25}})
    ASSERT_TRUE(store->put(views_of({make_document(id, number)})));
  insert(*store, make_document("d", 20));  // an exact copy: what it repeats is found, not it
  const OwnedRecord document = make_document("b", 20);
  auto all = store->query(document.view(), judge_, 9);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->found.size(), 2u);
  EXPECT_EQ(all->found[0].id, "b");
  EXPECT_TRUE(all->found[0].is_exact);
  EXPECT_EQ(all->found[1].id, "a");
  EXPECT_FALSE(all->truncated);
  auto one = store->query(document.view(), judge_, 1);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->found.size(), 1u);
  EXPECT_TRUE(one->truncated);
}

TEST_P(StoreConformance, TheFirstThatIsRepeatedIsFoundAmongWhatIsKeptWhole) {
  const auto store = make();
  for (const auto& [id, number] : {std::pair("a", 21), {"b", 20}, {"c", 20}})
    ASSERT_TRUE(store->put(views_of({make_document(id, number)})));
  insert(*store, make_document("d", 21));  // repeated by none, as it is an exact copy itself
  const auto first = [&](int number, std::vector<uint64_t> but) {
    const OwnedRecord document = make_document("a", number);
    const auto found = store->find_repeated(document.view(), judge_, but);
    EXPECT_TRUE(found) << found.error().message;
    return found->value_or(UINT64_MAX);
  };
  EXPECT_EQ(first(20, {}), 1u);
  EXPECT_EQ(first(20, {1}), 2u);
  EXPECT_EQ(first(20, {1, 2}), 0u);  // near
  EXPECT_EQ(first(22, {}), 0u);
  EXPECT_EQ(first(400, {}), UINT64_MAX);
}

TEST_P(StoreConformance, AQueryOfTooManyCandidatesSaysThatItIsCutShort) {
  FailingFileSystem unsynced({});
  const ReplacedFileSystem replaced(unsynced);
  const auto store = make();
  std::vector<OwnedRecord> documents;
  for (size_t i = 0; i <= kMostCompared; ++i) {
    documents.push_back(make_document("d" + std::to_string(i), static_cast<int>(i) + 100));
    documents.back().keys = {1};
    documents.back().fingerprints = {};
  }
  ASSERT_TRUE(store->put(views_of(documents)));
  OwnedRecord asked = make_document("x", 0);
  asked.keys = {1};
  EXPECT_TRUE(store->query(asked.view(), judge_, 9)->truncated);
  asked.body = std::to_string(100 + kMostCompared);  // the last one: compared first where the checksum is equal
  asked.checksum = hash128(asked.body);
  const auto found = store->query(asked.view(), judge_, 9);
  ASSERT_FALSE(found->found.empty());
  EXPECT_EQ(found->found[0].id, "d" + std::to_string(kMostCompared));
  EXPECT_TRUE(found->truncated);
}

TEST_P(StoreConformance, AgreesWithTheModelThroughEverything) {
  FailingFileSystem unsynced({});
  const ReplacedFileSystem replaced(unsynced);
  for (uint64_t seed = GetParam().first_seed; seed < GetParam().end_seed; ++seed) {
    std::mt19937_64 random(seed);
    StoreModel model(kConformanceDistance, GetParam().num_bits);
    auto store = make();
    size_t num_contained = 0;
    for (int step = 0; step < 300; ++step) {
      const std::string where = std::to_string(seed) + ":" + std::to_string(step);
      const uint64_t what = random() % 40;
      if (what == 0) store = again(std::move(store));
      if (what == 1) GetParam().settle(*store);
      if (what < 4) {
        ASSERT_EQ(seen_in(*store), seen_in(model)) << where;
      }
      if (what < 14) {
        ASSERT_NO_FATAL_FAILURE(call_other(*store, model, some(random), random, where));
      }
      std::vector<OwnedRecord> batch;
      for (uint64_t i = 0; i <= random() % 4; ++i) batch.push_back(some(random));
      const auto checked = store->check(views_of({batch[0]}), judge_);
      ASSERT_TRUE(checked);
      ASSERT_NO_FATAL_FAILURE(expect_equal(checked->at(0), model.check(batch[0]), where));
      const auto answers = store->check_and_insert(views_of(batch), judge_);
      ASSERT_TRUE(answers) << answers.error().message;
      for (size_t i = 0; i < batch.size(); ++i)
        ASSERT_NO_FATAL_FAILURE(expect_equal(answers->at(i), model.check_and_insert(batch[i]), where));
      for (const Answer& answer : *answers) num_contained += answer.fate.kind == Kind::kContained;
    }
    if (GetParam().has_passages) {
      EXPECT_GT(num_contained, 20u) << seed;
    }
    ASSERT_EQ(seen_in(*store), seen_in(model)) << seed;
    const auto statistics = store->statistics();
    ASSERT_TRUE(statistics);
    ASSERT_EQ(statistics->documents, model.ids().size()) << seed;
    ASSERT_EQ(statistics->duplicates, model.num_duplicates()) << seed;
  }
}

TEST_P(StoreConformance, ASnapshotIsAStoreOfItsOwnWhileWritingGoesOn) {
  FailingFileSystem unsynced({});
  const ReplacedFileSystem replaced(unsynced);
  const std::string folder = own_path("snapshot");
  std::filesystem::remove_all(folder);
  const auto store = make();
  StoreModel model(kConformanceDistance, GetParam().num_bits);
  std::mt19937_64 random(5);
  const auto fill = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const OwnedRecord document = some(random);
      insert(*store, document);
      model.check_and_insert(document);
      if (i % 9 == 0) {
        EXPECT_EQ(*store->begin_tag("t1"), model.begin_tag("t1"));
      }
      if (i % 20 == 19) {
        EXPECT_EQ(*store->commit_tag("t1"), model.commit_tag("t1"));
      }
    }
  };
  fill(50);
  std::thread writer([&] {
    for (int i = 0; i < 100; ++i) insert(*store, make_document("later" + std::to_string(i), 1000 + 20 * i));
  });
  const Status made = store->snapshot(folder);
  writer.join();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(store->snapshot(folder).error().code, Code::kInvalidArgument);
  const std::string before = seen_in(model);
  fill(50);
  GetParam().settle(*store);
  auto copy = GetParam().open_snapshot(folder);
  ASSERT_NE(copy, nullptr);
  std::vector<std::string> later;
  ASSERT_TRUE(copy->for_each(0, 1000, [&](const Record& record) {
    if (record.id.starts_with("later")) later.emplace_back(record.id);
  }));
  for (size_t i = 0; i < later.size(); ++i) EXPECT_EQ(later[i], "later" + std::to_string(i));  // without a hole
  for (const std::string& id : later) {
    const std::string_view ids[] = {id};
    EXPECT_EQ(*copy->erase(ids), 1u);
  }
  EXPECT_EQ(seen_in(*copy), before);
  copy.reset();  // its thread may write files until then
  std::filesystem::remove_all(folder);
}

TEST_P(StoreConformance, OfManyAtOnceExactlyOneIsNew) {
  const auto store = make();
  constexpr int kThreads = 4, kTexts = 40;
  std::vector<int> num_new(kTexts, 0);
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kTexts; ++i) {
        const int text = (i + t * 7) % kTexts;
        const Answer answer =
            insert(*store, make_document("d" + std::to_string(t) + "-" + std::to_string(text), text * 20));
        const std::lock_guard lock(mutex);
        if (answer.fate.kind == Kind::kNew) ++num_new[static_cast<size_t>(text)];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_new, std::vector<int>(kTexts, 1));
  EXPECT_EQ(store->statistics()->documents, uint64_t{kThreads} * kTexts);
}

}  // namespace neardup::store
