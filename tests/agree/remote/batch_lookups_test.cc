// Who is near in a batch, by blocks of bits, is who is near by comparing all; each key is looked up once.
#include "neardup/remote/batch_lookups.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "neardup/base/hash.h"

namespace neardup::remote {
namespace {

TEST(BatchFingerprintsAgreeTest, WithComparingAll) {
  std::mt19937_64 random(1);
  for (const uint32_t num_bits : {64U, 128U}) {
    for (const int max_distance : {0, 1, 3, 4, 7, 8, 16}) {
      store::StoreSettings settings{.num_fingerprints = 2, .num_bits = num_bits};
      settings.max_distance = max_distance;
      const size_t each = num_bits / 64, words = 2 * each;
      constexpr uint32_t kDocuments = 300;
      std::vector<std::vector<uint64_t>> all;
      BatchFingerprints batch(settings, kDocuments);
      size_t num_near = 0;
      for (uint32_t i = 0; i < kDocuments; ++i) {
        std::vector<uint64_t> own;
        for (size_t w = 0; w < words; ++w) own.push_back(mix64(random() % 6 + 10 * w + 1));
        for (uint64_t flips = random() % 20; flips > 0; --flips) own[random() % words] ^= uint64_t{1} << random() % 64;
        std::set<uint32_t> expected, found;
        for (uint32_t j = 0; j < i; ++j) {
          for (size_t place = 0; place < words; place += each) {
            int distance = 0;
            for (size_t w = place; w < place + each; ++w) distance += std::popcount(own[w] ^ all[j][w]);
            if (distance <= max_distance) expected.insert(j);
          }
        }
        batch.find(own, [&](uint32_t j) { found.insert(j); });
        ASSERT_EQ(found, expected) << num_bits << ":" << max_distance << ":" << i;
        num_near += found.size();
        batch.add(i, own);
        all.push_back(own);
      }
      EXPECT_GT(num_near, 0u);
    }
  }
}

TEST(BatchLookupsAgreeTest, WithMaps) {
  std::mt19937_64 random(2);
  using Wanted = BatchLookups::Wanted;
  for (const Wanted wanted : {Wanted::kAll, Wanted::kToPut, Wanted::kToRestore}) {
    std::vector<std::string> ids;
    std::vector<std::vector<uint64_t>> bands, passages;
    for (int i = 0; i < 200; ++i) {
      ids.push_back(std::to_string(random() % 100));
      bands.emplace_back(), passages.emplace_back();
      for (uint64_t count = random() % 4; count > 0; --count) bands.back().push_back(random() % 50);
      for (uint64_t count = random() % 3; count > 0; --count) passages.back().push_back(random() % 20);
    }
    std::vector<store::Record> records(ids.size());
    for (size_t i = 0; i < ids.size(); ++i)
      records[i].id = ids[i], records[i].keys = bands[i], records[i].passages = passages[i], records[i].tag = "t";
    const store::DocumentKeys keys(records);
    const BatchLookups lookups(keys, wanted);
    std::map<uint64_t, std::vector<uint32_t>> users;  // of each key, the uses so far
    uint32_t use_number = 0;
    for (size_t i = 0; i < ids.size(); ++i) {
      std::vector<uint64_t> expected = {keys.id(i)};
      if (wanted != Wanted::kToPut || !passages[i].empty()) expected.push_back(keys.text(i));
      if (wanted == Wanted::kAll) expected.insert(expected.end(), keys.bands(i).begin(), keys.bands(i).end());
      if (wanted != Wanted::kToRestore)
        expected.insert(expected.end(), keys.passages(i).begin(), keys.passages(i).end());
      ASSERT_EQ(lookups.of(i).size(), expected.size());
      for (size_t j = 0; j < expected.size(); ++j, ++use_number) {
        const BatchLookups::Use& use = lookups.of(i)[j];
        ASSERT_EQ(lookups.keys()[use.place], expected[j]);
        ASSERT_EQ(use.document, i);
        std::vector<uint32_t>& before = users[expected[j]];
        ASSERT_EQ(use.before, before.empty() ? BatchLookups::kNone : before.back());
        before.push_back(use_number);
      }
    }
    ASSERT_EQ(lookups.keys().size(), users.size());
    for (const auto& [key, uses] : users) ASSERT_EQ(lookups.last_use(*lookups.place_of(key)), uses.back());
    EXPECT_FALSE(lookups.place_of(12345));
  }
}

}  // namespace
}  // namespace neardup::remote
