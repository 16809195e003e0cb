// The sets that joins are made of, against sorted vectors and maps; bands against their definition; what an external
// join leaves on disk, whole and damaged.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "neardup/base/disk/file.h"
#include "neardup/join/band_buckets.h"
#include "neardup/join/band_words.h"
#include "neardup/join/bands.h"
#include "neardup/join/collapsed.h"
#include "neardup/join/disk/blocks.h"
#include "neardup/join/disk/finished_steps.h"
#include "neardup/join/distinct.h"
#include "neardup/join/plan.h"
#include "neardup/join/positions.h"
#include "tests/own_path.h"

namespace neardup::join {
namespace {

using Values = std::vector<fingerprint::Fingerprint>;

// Sizes around every border, few and many different values, near 0 and near the end.
std::vector<Values> telling_sets() {
  std::mt19937_64 random(1);
  std::vector<Values> sets = {{}, {0}, {~uint64_t{0}}, {7, 7, 7}, {0, ~uint64_t{0}, 0}};
  for (const size_t size : {size_t{3}, size_t{16}, size_t{17}, size_t{1000}, size_t{5000}}) {
    for (const uint64_t different : {uint64_t{2}, uint64_t{100}, ~uint64_t{0}}) {
      Values set(size);
      for (uint64_t& value : set) value = (random() % different) * 0x9e3779b97f4a7c15;
      sets.push_back(set);
    }
  }
  return sets;
}

TEST(CollapsedSet, HoldsEachValueWhereItStandsFirst) {
  for (const Values& set : telling_sets()) {
    for (const int threads : {1, 3}) {
      const auto collapsed = Collapsed::build(set, threads, {});
      ASSERT_TRUE(collapsed);
      std::map<uint64_t, uint32_t> numbers;
      Values values;
      std::vector<uint32_t> positions;
      for (uint32_t i = 0; i < set.size(); ++i) {
        if (numbers.try_emplace(set[i], values.size()).second) values.push_back(set[i]), positions.push_back(i);
      }
      EXPECT_EQ(collapsed->values, values);
      EXPECT_EQ(collapsed->positions, positions);
      ASSERT_EQ(collapsed->numbers.size(), set.size());
      for (size_t i = 0; i < set.size(); ++i) EXPECT_EQ(collapsed->numbers[i], numbers[set[i]]);
    }
  }
}

TEST(DistinctSet, IsASortedSetWithItsLowerBounds) {
  std::mt19937_64 random(2);
  for (const Values& set : telling_sets()) {
    const std::set<uint64_t> expected(set.begin(), set.end());
    std::map<uint64_t, int> counts;
    for (const uint64_t value : set) ++counts[value];
    Values repeated;
    for (const auto& [value, count] : counts)
      if (count > 1) repeated.push_back(value);
    for (const int bits : {0, 1, 8, 16, -1}) {
      const auto distinct = bits < 0 ? Distinct::build_fine(set, 2, {}) : Distinct::build(set, bits, 2, {});
      ASSERT_TRUE(distinct);
      ASSERT_TRUE(std::ranges::equal(distinct->keys(), expected)) << bits;
      EXPECT_EQ(distinct->repeated(), repeated) << bits;
      Values asked = {0, 1, ~uint64_t{0}};
      for (int i = 0; i < 50; ++i) asked.push_back(random());
      asked.insert(asked.end(), set.begin(), set.begin() + static_cast<ptrdiff_t>(std::min<size_t>(set.size(), 50)));
      for (const uint64_t key : asked) {
        const size_t at = distinct->lower_bound(key);
        EXPECT_EQ(at, static_cast<size_t>(std::distance(expected.begin(), expected.lower_bound(key)))) << key;
        EXPECT_EQ(distinct->holds(at, key), expected.contains(key));
        EXPECT_LE(distinct->bucket_begin(key), at);
      }
    }
  }
}

TEST(PositionsOfValues, AreThoseOfAMultimap) {
  for (const Values& set : telling_sets()) {
    Values asked(set.begin(), set.begin() + static_cast<ptrdiff_t>(set.size() / 2));
    const auto positions = ValuePositions::find(asked, set, 2, {});
    ASSERT_TRUE(positions);
    const auto keys = positions->values().keys();
    EXPECT_TRUE(std::ranges::equal(keys, std::set<uint64_t>(asked.begin(), asked.end())));
    for (size_t index = 0; index < keys.size(); ++index) {
      std::vector<uint32_t> found, expected;
      positions->for_each(index, [&](uint32_t position) { found.push_back(position); });
      for (uint32_t i = 0; i < set.size(); ++i)
        if (set[i] == keys[index]) expected.push_back(i);
      std::ranges::sort(found);
      EXPECT_EQ(found, expected);
      if (index > 200) break;  // of thousands that are all alike
    }
  }
}

TEST(MakeBands, EachHasItsRowsAndNoTwoAreEqual) {
  for (const int num_values : {16, 48, 128, 512}) {
    for (const int rows : {1, 2, 3, 4, 5, 16}) {
      const int most = most_bands(num_values, rows), apart = num_values / rows;
      for (const int count : {1, apart, std::min(most, apart + 1), std::min(most, 300), most}) {
        if (count > 2000) continue;
        const auto bands = make_bands(num_values, count, rows);
        ASSERT_TRUE(bands) << num_values << " " << rows << " " << count;
        ASSERT_EQ(bands->size(), static_cast<size_t>(count));
        std::set<std::set<uint16_t>> different;
        std::vector<int> uses(static_cast<size_t>(num_values));
        for (size_t i = 0; i < bands->size(); ++i) {
          const std::set<uint16_t> values((*bands)[i].begin(), (*bands)[i].end());
          EXPECT_EQ(values.size(), static_cast<size_t>(rows)) << "no value twice";
          EXPECT_LT(*values.rbegin(), num_values);
          EXPECT_TRUE(rows == 1 || different.insert(values).second) << i;
          if (i >= static_cast<size_t>(apart)) continue;
          for (const uint16_t value : values) EXPECT_EQ(uses[value]++, 0) << "the first ones share none";
        }
      }
      EXPECT_FALSE(make_bands(num_values, most + 1, rows));
    }
  }
}

TEST(MeetingProbability, IsThatOfBandsOneByOne) {
  for (const int bands : {1, 2, 16, 64}) {
    for (const int rows : {1, 3, 4}) {
      double before = -1;
      for (double jaccard = 0; jaccard <= 1; jaccard += 0.05) {
        double none = 1;
        for (int band = 0; band < bands; ++band) {
          double all = 1;
          for (int row = 0; row < rows; ++row) all *= jaccard;
          none *= 1 - all;
        }
        EXPECT_NEAR(meeting_probability(jaccard, bands, rows), 1 - none, 1e-12);
        EXPECT_GE(meeting_probability(jaccard, bands, rows), before);
        before = meeting_probability(jaccard, bands, rows);
      }
      EXPECT_EQ(meeting_probability(0, bands, rows), 0);
      EXPECT_EQ(meeting_probability(1, bands, rows), 1);
    }
  }
}

TEST(EqualValuesBound, IsTheLargestThatLosesNoMore) {
  for (const int num_values : {16, 64, 128}) {
    for (const double jaccard : {0.1, 0.4, 0.7, 0.95}) {
      // P(Binomial < c), by adding up the shares of each count.
      std::vector<double> share(static_cast<size_t>(num_values) + 1);
      for (int i = 0; i <= num_values; ++i)
        share[static_cast<size_t>(i)] =
            std::exp(std::lgamma(num_values + 1) - std::lgamma(i + 1) - std::lgamma(num_values - i + 1) +
                     i * std::log(jaccard) + (num_values - i) * std::log(1 - jaccard));
      for (const double loss : {1e-6, 1e-3, 0.05}) {
        int bound = 0;
        for (double sum = share[0]; sum <= loss && bound < num_values; sum += share[static_cast<size_t>(bound)])
          ++bound;
        EXPECT_EQ(equal_values_bound(num_values, jaccard, loss), bound) << num_values << " " << jaccard << " " << loss;
      }
    }
  }
}

// Signatures of few values, so that many agree.
std::vector<uint16_t> made_up_rows(std::mt19937_64& random, size_t count, size_t num_values) {
  std::vector<uint16_t> rows(count * num_values);
  for (uint16_t& value : rows) value = static_cast<uint16_t>(random() % 3);
  return rows;
}

TEST(BucketWords, AreTheRowsThatShareABand) {
  std::mt19937_64 random(3);
  for (const size_t count : {size_t{0}, size_t{1}, size_t{2}, size_t{300}}) {
    const std::vector<uint16_t> rows = made_up_rows(random, count, 16);
    const SignatureSource source = signatures_in_memory(rows, 16);
    for (const Band& band : *make_bands(16, 8, 4)) {
      std::map<std::vector<uint16_t>, std::set<uint32_t>> expected;
      for (uint32_t row = 0; row < count; ++row) {
        std::vector<uint16_t> values;
        for (const uint16_t value : band) values.push_back(rows[row * 16 + value]);
        expected[values].insert(row);
      }
      std::set<std::set<uint32_t>> buckets, found;
      for (const auto& [values, members] : expected)
        if (members.size() > 1) buckets.insert(members);
      for (uint32_t part = 0; part < 3; ++part) {
        std::vector<uint64_t> words;
        ASSERT_TRUE(find_bucket_words(source, band, {.part = part, .num_parts = 3}, {}, words));
        EXPECT_TRUE(std::ranges::is_sorted(words));
        ASSERT_TRUE(for_each_run(words, [&](std::span<const uint64_t> run) -> Status {
          std::set<uint32_t> members;
          for (const uint64_t word : run) members.insert(row_of_word(word));
          EXPECT_TRUE(found.insert(members).second);
          return {};
        }));
      }
      EXPECT_EQ(found, buckets) << "each in one part";
    }
  }
}

TEST(BucketsOfBands, KnowRowsAndRowsKnowThem) {
  std::mt19937_64 random(4);
  const std::vector<uint16_t> rows = made_up_rows(random, 200, 16);
  const std::vector<Band> bands = *make_bands(16, 6, 4);
  auto buckets = BandBuckets::build(rows, 16, bands, 2, {});
  ASSERT_TRUE(buckets);
  size_t memberships = 0;
  for (uint32_t bucket = 0; bucket < buckets->size(); ++bucket) {
    const auto members = buckets->members(bucket);
    EXPECT_GE(members.size(), 2U);
    EXPECT_TRUE(std::ranges::is_sorted(members));
    for (const uint32_t row : members) {
      const auto of_row = buckets->buckets_of(row);
      EXPECT_EQ(std::ranges::count(of_row, bucket), 1);
      ++memberships;
    }
  }
  size_t of_rows = 0;
  for (uint32_t row = 0; row < 200; ++row) of_rows += buckets->buckets_of(row).size();
  EXPECT_EQ(of_rows, memberships);
}

TEST(ScanCost, IsOfPairsAndOfHalfOfThemWithinASet) {
  EXPECT_GT(scan_cost(1000, 1000, false), 1.5 * scan_cost(1000, 1000, true));
  EXPECT_NEAR(scan_cost(2e6, 1e6, false) / scan_cost(1e6, 1e6, false), 2, 0.1);
  EXPECT_GE(scan_cost(0, 0, true), 0);
}

struct StoredRecord {
  uint64_t number;
  uint64_t other;
  bool operator==(const StoredRecord&) const = default;
};

class DiskBlocks : public ::testing::Test {
 protected:
  ~DiskBlocks() override { std::filesystem::remove_all(path_); }
  std::vector<StoredRecord> write(size_t count) {
    std::string bytes;
    const auto append = [&bytes](std::string_view more) -> Status {
      bytes += more;
      return {};
    };
    BlockWriter<StoredRecord> writer;
    std::vector<StoredRecord> records;
    for (size_t i = 0; i < count; ++i) {
      records.push_back({i, i * i});
      EXPECT_TRUE(writer.add(records.back(), append));
    }
    EXPECT_TRUE(writer.flush(append));
    EXPECT_EQ(writer.count(), count);
    EXPECT_TRUE(write_file_atomically(path_, bytes));
    return records;
  }
  Result<std::vector<StoredRecord>> read(size_t count, size_t from = 0) const {
    NEARDUP_ASSIGN(auto reader, BlockReader<StoredRecord>::open(path_, count));
    reader.seek(from);
    std::vector<StoredRecord> records;
    while (true) {
      NEARDUP_ASSIGN(const auto block, reader.next());
      if (block.empty()) return records;
      records.insert(records.end(), block.begin(), block.end());
    }
  }
  const std::string path_ = own_path();
};

TEST_F(DiskBlocks, GiveBackWhatWasWrittenFromAnyBlockOn) {
  for (const size_t count :
       {size_t{0}, size_t{1}, kBlockRecords - 1, kBlockRecords, kBlockRecords + 1, 3 * kBlockRecords}) {
    const std::vector<StoredRecord> records = write(count);
    EXPECT_EQ(*read(count), records) << count;
    for (size_t from = kBlockRecords; from <= count; from += kBlockRecords)
      EXPECT_EQ(*read(count, from),
                std::vector<StoredRecord>(records.begin() + static_cast<ptrdiff_t>(from), records.end()));
  }
}

TEST_F(DiskBlocks, DamageAndCutsAreNoticed) {
  write(700);
  const std::string whole = *read_file(path_);
  for (size_t at = 0; at < whole.size(); at += 997) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    ASSERT_TRUE(write_file_atomically(path_, damaged));
    const auto records = read(700);
    ASSERT_FALSE(records) << at;
    EXPECT_EQ(records.error().code, Code::kCorruption);
    EXPECT_NE(records.error().message.find(path_), std::string::npos);
    ASSERT_TRUE(write_file_atomically(path_, whole.substr(0, at)));
    EXPECT_FALSE(read(700)) << at;
  }
  std::filesystem::remove(path_);
  EXPECT_EQ(read(700).error().code, Code::kNotFound);
}

TEST_F(DiskBlocks, ANumberOfStepsIsThereWholeOrNotAtAll) {
  EXPECT_FALSE(read_numbers(path_));
  for (const std::vector<uint64_t>& numbers : {std::vector<uint64_t>{}, {0}, {1, 2, ~uint64_t{0}}}) {
    ASSERT_TRUE(write_numbers(path_, numbers));
    EXPECT_EQ(read_numbers(path_), numbers);
  }
  const std::string whole = *read_file(path_);
  for (size_t size = 0; size < whole.size(); ++size) {
    ASSERT_TRUE(write_file_atomically(path_, whole.substr(0, size)));
    EXPECT_FALSE(read_numbers(path_)) << "cut at " << size;
  }
}

TEST_F(DiskBlocks, AFolderIsOfOneJoin) {
  ASSERT_TRUE(claim_folder(path_, "join", "distance 3\nfile a\n"));
  EXPECT_TRUE(claim_folder(path_, "join", "distance 3\nfile a\n")) << "again";
  const Status other = claim_folder(path_, "join", "distance 4\nfile a\n");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, Code::kMismatch);
}

}  // namespace
}  // namespace neardup::join
