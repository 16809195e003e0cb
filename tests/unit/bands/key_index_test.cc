// Keys of documents while they move from maps to tables: against a list of all documents.
#include "neardup/bands/key_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "neardup/base/hash.h"

namespace neardup::bands {
namespace {

using Keys = std::vector<uint64_t>;

// All documents and their keys.
class Model {
 public:
  void add(uint64_t number, const Keys& keys) { documents_[number] = keys; }
  // The slowest obvious way: each number as often as it has keys in common, ascending.
  [[nodiscard]] std::vector<uint64_t> find(const Keys& keys, uint64_t from, uint64_t to) const {
    std::vector<uint64_t> numbers;
    for (const auto& [number, has] : documents_)
      for (const uint64_t key : keys)
        for (const uint64_t other : has)
          if (number >= from && number < to && known_bits(other) == known_bits(key)) numbers.push_back(number);
    return numbers;
  }

 private:
  std::map<uint64_t, Keys> documents_;
};

std::vector<uint64_t> found(const KeyView& view, const Keys& keys) {
  std::vector<uint64_t> numbers;
  view.find(keys, numbers);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}
std::vector<uint64_t> found_since(const KeyView& view, const KeyView& before, const Keys& keys) {
  std::vector<uint64_t> numbers;
  view.find_since(before, keys, numbers);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}
// The pages of one key agree with all that is found, wherever they begin.
void expect_pages(const KeyView& view, uint64_t key, std::mt19937_64& random) {
  const std::vector<uint64_t> all = found(view, {key});
  const uint64_t first = random() % (view.end() + 2);
  const size_t limit = random() % 6;
  const auto begin = std::ranges::lower_bound(all, first);
  const auto rest = static_cast<size_t>(all.end() - begin);
  ASSERT_EQ(view.find_from(key, first, limit),
            std::vector<uint64_t>(begin, begin + static_cast<std::ptrdiff_t>(std::min(limit, rest))));
}
bool all_live(uint64_t) { return true; }
std::shared_ptr<const KeySegment> shared(KeySegment segment) {
  return std::make_shared<const KeySegment>(std::move(segment));
}

TEST(KeyIndex, AgreesInEachStateAndBetweenAnyTwo) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 6; ++round) {
    KeyIndex index(30);
    Model model;
    std::vector<KeyView> states{index.view()};
    uint64_t number = random() % 3;
    for (int step = 0; step < 120; ++step) {
      const uint64_t what = random() % 8;
      const KeyView before = index.view();
      const auto segments = before.segments();
      if (what == 0) index.freeze();
      if (what == 1 && index.num_frozen() > 0) index.publish_sealed(shared(index.seal(all_live)));
      if (what == 2 && segments.size() >= 2) {
        const size_t begin = random() % (segments.size() - 1), count = 2 + random() % (segments.size() - 1 - begin);
        index.publish_joined(begin, count, shared(KeyIndex::join(segments.subspan(begin, count), all_live)));
      }
      if (what < 3) continue;
      Keys keys(1 + random() % 5);
      for (uint64_t& key : keys) key = mix64(random() % 25);
      if (index.is_full(keys.size())) index.freeze();
      index.add(number, keys);
      model.add(number, keys);
      number += 1 + random() % 2;
      states.push_back(index.view());
      ASSERT_GT(states.back().end(), states[states.size() - 2].end());
    }
    Keys keys(12);
    for (uint64_t& key : keys) key = mix64(random() % 30);
    for (size_t i = 0; i < states.size(); i += 3) {
      ASSERT_EQ(found(states[i], keys), model.find(keys, 0, states[i].end()));
      for (const uint64_t key : keys) expect_pages(states[i], key, random);
      for (size_t j = i; j < states.size(); j += 4)
        ASSERT_EQ(found_since(states[j], states[i], keys), model.find(keys, states[i].end(), states[j].end()))
            << round << " " << i << " " << j;
    }
  }
}

// Were all looked at for each page, this would take hours.
TEST(KeyIndex, APageOfAMillionCostsWhatItShows) {
  constexpr uint32_t kMembers = 1 << 20;
  KeyIndex index(kMembers);
  const uint64_t key = mix64(7);
  for (uint32_t number = 0; number < kMembers; ++number) index.add(number, {&key, 1});
  index.freeze();
  index.publish_sealed(shared(index.seal(all_live)));
  const KeyView view = index.view();
  for (uint64_t page = 0; page < 100'000; ++page) {
    const uint64_t first = page * 10;
    ASSERT_EQ(view.find_from(key, first, 2), (std::vector<uint64_t>{first, first + 1}));
  }
}

TEST(KeyIndex, LeavesOutWhatIsNotLive) {
  KeyIndex index(100);
  for (uint64_t number = 0; number < 20; ++number) {
    const Keys keys{mix64(1), mix64(2 + number)};
    index.add(number, keys);
    if (number % 10 == 9) index.freeze();
  }
  const auto is_even = [](uint64_t number) { return number % 2 == 0; };
  const auto is_not_ten = [](uint64_t number) { return number != 10; };
  index.publish_sealed(shared(index.seal(is_even)));
  index.publish_sealed(shared(index.seal(all_live)));
  EXPECT_EQ(found(index.view(), {mix64(1)}).size(), 15u);
  index.publish_joined(0, 2, shared(KeyIndex::join(index.view().segments(), is_not_ten)));
  EXPECT_EQ(found(index.view(), {mix64(1)}),
            (std::vector<uint64_t>{0, 2, 4, 6, 8, 11, 12, 13, 14, 15, 16, 17, 18, 19}));
  EXPECT_EQ(index.view().segments()[0]->count, 20u);
}

TEST(KeyIndex, ASegmentWithoutAnyLiveDocumentFindsNothing) {
  KeyIndex index(100);
  index.add(0, Keys{mix64(1)});
  index.freeze();
  index.publish_sealed(shared(index.seal([](uint64_t) { return false; })));
  EXPECT_TRUE(found(index.view(), {mix64(1)}).empty());
}

TEST(KeyIndex, GoesOnFromSegmentsOfAnEarlierOne) {
  KeyIndex first(10);
  first.add(3, Keys{mix64(7), mix64(8)});
  first.freeze();
  first.publish_sealed(shared(first.seal(all_live)));
  const KeyView view = first.view();
  const auto segments = view.segments();
  EXPECT_EQ(segments[0]->first + segments[0]->count, 4u);
  KeyIndex second(10, {segments.begin(), segments.end()});
  EXPECT_EQ(second.view().end(), 4u);
  second.add(4, Keys{mix64(8)});
  EXPECT_EQ(found(second.view(), {mix64(8)}), (std::vector<uint64_t>{3, 4}));
  EXPECT_GT(second.view().size_bytes(), 0u);
}

TEST(KeyIndex, AnEmptyMapIsNotFrozen) {
  KeyIndex index(10);
  index.freeze();
  EXPECT_EQ(index.num_frozen(), 0u);
  index.add(0, Keys{1});
  EXPECT_TRUE(index.is_full(10));
  EXPECT_FALSE(index.is_full(9));
  index.freeze();
  index.freeze();
  EXPECT_EQ(index.num_frozen(), 1u);
}

TEST(KeyIndex, ReadersGoOnWhileAllMoves) {
  constexpr uint64_t kCount = 4000, kKeys = 20;
  KeyIndex index(100);
  std::atomic<uint64_t> wrong{0};
  std::atomic<bool> is_done{false};
  const auto look = [&] {
    KeyView before = index.view();
    while (!is_done) {
      const KeyView view = index.view();
      const uint64_t key = view.end() % kKeys, first = before.end();
      if (found(view, {mix64(key)}).size() != (view.end() + kKeys - 1 - key) / kKeys) ++wrong;
      if (found_since(view, before, {mix64(key)}).size() !=
          (view.end() + kKeys - 1 - key) / kKeys - (first + kKeys - 1 - key) / kKeys)
        ++wrong;
      before = view;
    }
  };
  std::thread reader(look), other(look), mover([&] {
    while (!is_done) {
      if (index.num_frozen() > 0) index.publish_sealed(shared(index.seal(all_live)));
      const KeyView view = index.view();
      const auto segments = view.segments();
      if (segments.size() > 4) index.publish_joined(1, 3, shared(KeyIndex::join(segments.subspan(1, 3), all_live)));
    }
  });
  for (uint64_t number = 0; number < kCount; ++number) {
    const Keys keys{mix64(number % kKeys)};
    if (index.is_full(1)) index.freeze();
    index.add(number, keys);
  }
  is_done = true;
  reader.join();
  other.join();
  mover.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(found(index.view(), {mix64(0)}).size(), kCount / kKeys);
}

}  // namespace
}  // namespace neardup::bands
