// An index that changes against a plain map of what was done to it: random insertions, erasures, flushes, merges and
// reopenings; and readers that look on while it happens.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "neardup/store/updatable_index.h"

namespace neardup::store {
namespace {

using fingerprint::Fingerprint;
using fingerprint::Fingerprint128;

template <class F>
UpdateOptions small_options(int max_distance) {
  UpdateOptions options;
  options.max_distance = max_distance;
  options.plan_for = [max_distance](uint64_t count) {
    const hamming::Block blocks[] = {{10, 1}, {10, 1}};
    if (max_distance == 3 && count > 50) return hamming::flip_plan(fingerprint::kBitsOf<F>, 3, blocks);
    return hamming::permuted_plan(fingerprint::kBitsOf<F>, max_distance + 1, 1);
  };
  options.mem_capacity = 64;
  options.merge = {32, 3};
  return options;
}

template <class F>
class Oracle {
 public:
  void insert(F value, uint64_t document) { entries_[document].insert(value); }
  void erase(uint64_t document) { entries_.erase(document); }
  [[nodiscard]] std::vector<hamming::Match<F>> query(F query, int max_distance) const {
    std::vector<hamming::Match<F>> matches;
    for (const auto& [document, values] : entries_)
      for (const F value : values)
        if (const int d = fingerprint::distance_of<F>(value, query); d <= max_distance)
          matches.push_back({document, value, d});
    std::sort(matches.begin(), matches.end(), [](const hamming::Match<F>& a, const hamming::Match<F>& b) {
      return std::tie(a.distance, a.document, a.fingerprint) < std::tie(b.distance, b.document, b.fingerprint);
    });
    return matches;
  }
  [[nodiscard]] size_t size() const {
    size_t sum = 0;
    for (const auto& [document, values] : entries_) sum += values.size();
    return sum;
  }

 private:
  std::map<uint64_t, std::set<F>> entries_;
};

template <class F>
class Story {
 public:
  Story(int max_distance, hamming::Codec codec, uint64_t seed) : max_distance_(max_distance), random_(seed) {
    options_ = small_options<F>(max_distance);
    options_.codec = codec;
    open();
  }
  void step() {
    const auto dice = random_() % 100;
    if (dice < 60) return insert(1 + random_() % 40);
    if (dice < 75) return erase(1 + random_() % 6);
    if (dice < 93) return check();
    if (dice == 99) return open();
    ASSERT_TRUE(dice < 95 ? index_->flush() : dice < 97 ? index_->settle() : index_->compact());
  }
  void check_all() {
    for (const F value : values_) check(value);
    ASSERT_TRUE(index_->compact());
    EXPECT_LE(index_->view().figures().segments, 1u);
    EXPECT_EQ(index_->view().figures().sealed_entries, oracle_.size());
    EXPECT_EQ(index_->view().figures().erased, 0u);
    for (const F value : values_) check(value);
  }

 private:
  void open() {
    if (index_) {
      ASSERT_TRUE(index_->flush());
    }
    index_ = nullptr;
    index_ = std::make_unique<UpdatableIndex<F>>(options_, stored_, [this](std::span<const Segment<F>> segments) {
      stored_.assign(segments.begin(), segments.end());
      return Status{};
    });
  }
  F near() {
    F value = random_();
    if constexpr (sizeof(F) > 8) value = value << 64 | random_();
    if (values_.empty() || random_() % 3 == 0) return value;
    value = values_[random_() % values_.size()];
    for (auto flips = random_() % (max_distance_ + 3); flips > 0; --flips) value ^= F{1} << random_() % (8 * sizeof(F));
    return value;
  }
  void insert(size_t count) {
    std::vector<F> values;
    std::vector<uint64_t> documents;
    for (size_t i = 0; i < count; ++i) {
      values.push_back(random_() % 8 == 0 && !values_.empty() ? values_[random_() % values_.size()] : near());
      documents.push_back(random_() % 2 == 0 ? random_() % 300 : UINT64_MAX - random_() % 10);
      oracle_.insert(values.back(), documents.back());
      values_.push_back(values.back());
    }
    ASSERT_TRUE(index_->insert(values, documents));
  }
  void erase(size_t count) {
    std::vector<uint64_t> documents;
    for (size_t i = 0; i < count; ++i) documents.push_back(random_() % 4 == 0 ? UINT64_MAX : random_() % 300);
    for (const uint64_t document : documents) oracle_.erase(document);
    ASSERT_TRUE(index_->erase(documents));
  }
  void check(F query) {
    const int distance = static_cast<int>(random_() % (max_distance_ + 1));
    std::vector<hamming::Match<F>> matches;
    index_->query(query, distance, matches);
    ASSERT_EQ(matches, oracle_.query(query, distance));
  }
  void check() {
    std::vector<F> queries;
    for (int i = 0; i < 20; ++i) queries.push_back(near());
    check(queries.front());
    size_t next = 0;
    index_->view().query_batch(queries, max_distance_, [&](size_t i, std::span<const hamming::Match<F>> matches) {
      for (; next < i; ++next) ASSERT_TRUE(oracle_.query(queries[next], max_distance_).empty());
      ++next;
      ASSERT_EQ(std::vector<hamming::Match<F>>(matches.begin(), matches.end()),
                oracle_.query(queries[i], max_distance_));
    });
    for (; next < queries.size(); ++next) ASSERT_TRUE(oracle_.query(queries[next], max_distance_).empty());
    std::set<std::pair<F, uint64_t>> all;
    index_->view().for_each([&](F value, uint64_t document) { all.emplace(value, document); });
    ASSERT_EQ(all.size(), oracle_.size());
    const View<F> view = index_->view();
    for (const auto& [value, document] : all) ASSERT_TRUE(view.contains(value, document));
    for (int i = 0; i < 40 && !values_.empty(); ++i) {
      const F value = i % 4 == 0 ? near() : values_[random_() % values_.size()];
      const uint64_t document = random_() % 4 == 0 ? UINT64_MAX - random_() % 10 : random_() % 301;
      ASSERT_EQ(view.contains(value, document), all.contains({value, document}));
    }
  }

  int max_distance_;
  std::mt19937_64 random_;
  UpdateOptions options_;
  std::vector<Segment<F>> stored_;
  std::unique_ptr<UpdatableIndex<F>> index_;
  Oracle<F> oracle_;
  std::vector<F> values_;
};

template <class F>
void tell(int max_distance, hamming::Codec codec, uint64_t seed, int steps) {
  Story<F> story(max_distance, codec, seed);
  for (int i = 0; i < steps; ++i) {
    ASSERT_NO_FATAL_FAILURE(story.step()) << "seed " << seed << " step " << i;
  }
  ASSERT_NO_FATAL_FAILURE(story.check_all()) << "seed " << seed;
}

TEST(Updates, AgreeWithAMap) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    tell<Fingerprint>(3, hamming::Codec::kPacked, seed, 400);
    tell<Fingerprint>(3, hamming::Codec::kPlain, seed, 200);
    tell<Fingerprint>(3, hamming::Codec::kDelta, seed, 200);
    tell<Fingerprint>(0, hamming::Codec::kPacked, seed, 100);
    tell<Fingerprint>(7, hamming::Codec::kPacked, seed, 100);
    tell<Fingerprint128>(3, hamming::Codec::kPacked, seed, 100);
    tell<Fingerprint128>(8, hamming::Codec::kPacked, seed, 100);
  }
}

// The writer inserts 0, 1, 2 ... and erases every third right after, so that what a reader may see is known: of some
// number n of steps all that they left, nothing else.
TEST(Updates, ReadersSeeOneStateWhileAllHappensAtOnce) {
  constexpr uint64_t kSteps = 12000;
  UpdateOptions options = small_options<Fingerprint>(3);
  options.mem_capacity = 256;
  UpdatableIndex<Fingerprint> index(options);
  std::atomic<bool> done{false};
  const auto read = [&] {
    uint64_t seen_before = 0;
    while (!done) {
      std::vector<hamming::Match<Fingerprint>> matches;
      index.query(0, 3, matches);
      std::set<uint64_t> documents;
      for (const auto& match : matches) ASSERT_TRUE(documents.insert(match.document).second);
      const uint64_t last = documents.empty() ? 0 : *documents.rbegin();
      ASSERT_GE(last + 3, seen_before);
      seen_before = last;
      for (uint64_t i = 0; i + 1 < last; ++i) ASSERT_EQ(documents.contains(i), i % 3 != 0) << i << " of " << last;
    }
  };
  std::thread one(read), two(read);
  for (uint64_t i = 0; i < kSteps; ++i) {
    ASSERT_TRUE(index.insert(uint64_t{1} << i % 64, i));
    if (i % 3 == 0) {
      ASSERT_TRUE(index.erase(i));
    }
    if (i % 1000 == 999) {
      ASSERT_TRUE(i % 2000 == 999 ? index.settle() : index.compact());
    }
  }
  done = true;
  one.join();
  two.join();
  ASSERT_TRUE(index.compact());
  EXPECT_EQ(index.view().figures().sealed_entries, kSteps - kSteps / 3);
}

TEST(Updates, ManyWritersAtOnceTakeTurns) {
  UpdatableIndex<Fingerprint> index(small_options<Fingerprint>(3));
  const auto write = [&](uint64_t from) {
    for (uint64_t i = from; i < from + 2000; ++i) ASSERT_TRUE(index.insert(i << 20, i));
  };
  std::thread one(write, 0), two(write, 2000), three([&] { ASSERT_TRUE(index.settle()); });
  one.join();
  two.join();
  three.join();
  ASSERT_TRUE(index.compact());
  EXPECT_EQ(index.view().figures().sealed_entries, 4000u);
}

TEST(Updates, AFailedCommitIsToldAndNothingIsTakenForStored) {
  bool broken = false;
  UpdatableIndex<Fingerprint> index(small_options<Fingerprint>(3), {}, [&](auto) -> Status {
    if (broken) return fail(Code::kDiskFull, "no space");
    return {};
  });
  ASSERT_TRUE(index.insert(1, 1));
  ASSERT_TRUE(index.flush());
  broken = true;
  ASSERT_TRUE(index.insert(2, 2));
  const Status status = index.flush();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::kDiskFull);
  EXPECT_FALSE(index.insert(3, 3));
  std::vector<hamming::Match<Fingerprint>> matches;
  index.query(1, 0, matches);
  EXPECT_EQ(matches.size(), 1u);
  EXPECT_EQ(index.view().segments().size(), 1u);
}

// As a store does that reads its logs again.
TEST(Updates, AFullDiskFailsNothingWhereItIsKeptInMemory) {
  std::atomic<bool> full = true;
  UpdateOptions options = small_options<Fingerprint>(3);
  UpdatableIndex<Fingerprint> index(options, {}, [&](auto) -> Status {
    if (full) return fail(Code::kDiskFull, "no space");
    return {};
  });
  const uint64_t count = uint64_t{options.mem_capacity} * (options.max_frozen + 4);
  index.keep_in_memory(true);
  for (uint64_t i = 0; i < count; ++i) ASSERT_TRUE(index.insert(i << 20, i)) << i;
  index.keep_in_memory(false);
  const auto finds_all = [&] {
    std::vector<hamming::Match<Fingerprint>> matches;
    for (uint64_t i = 0; i < count; ++i) index.query(i << 20, 0, matches);
    return matches.size() == count;
  };
  EXPECT_TRUE(finds_all());
  EXPECT_EQ(index.flush().error().code, Code::kDiskFull);
  EXPECT_EQ(index.insert(1, count).error().code, Code::kDiskFull);
  full = false;
  index.resume();
  ASSERT_TRUE(index.settle());
  EXPECT_EQ(index.view().figures().sealed_entries, count);
  EXPECT_TRUE(finds_all());
}

TEST(Updates, TheNumberOfSegmentsStaysBounded) {
  UpdateOptions options = small_options<Fingerprint>(3);
  UpdatableIndex<Fingerprint> index(options);
  std::mt19937_64 random(5);
  for (uint64_t i = 0; i < 20000; ++i) ASSERT_TRUE(index.insert(random(), i));
  ASSERT_TRUE(index.settle());
  // 20,000 / 32 is between 3^5 and 3^6: at most two of each of seven tiers.
  EXPECT_LE(index.view().figures().segments, 14u);
  EXPECT_EQ(index.view().figures().sealed_entries, 20000u);
}

}  // namespace
}  // namespace neardup::store
