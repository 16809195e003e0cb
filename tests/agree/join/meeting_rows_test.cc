// Rows that meet by sorted words against all pairs.
#include "neardup/join/meeting_rows.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "tests/agree/join/signatures.h"

namespace neardup::join {
namespace {

std::vector<uint32_t> rows_of_pairs(const std::vector<Pair>& pairs) {
  std::set<uint32_t> rows;
  for (const Pair& pair : pairs) {
    rows.insert(static_cast<uint32_t>(pair.a));
    rows.insert(static_cast<uint32_t>(pair.b));
  }
  return {rows.begin(), rows.end()};
}

// Of so few rows none shares half a hash by chance.
TEST(MeetingRows, AreThoseOfAllPairs) {
  const auto bands = make_bands(16, 4, 4).value();
  for (const size_t count : {0, 1, 2, 700, 3000})
    for (const double fresh : {0.9, 0.3, 0.01})
      for (const int range : {2, 9, 60000}) {
        const MadeSignatures made = make_signatures(count, 16, fresh, range, 7 + count);
        const std::vector<uint32_t> expected = rows_of_pairs(all_banded_pairs(made, bands, 0));
        const auto source = signatures_in_memory(made.values, 16);
        for (const uint64_t memory : {uint64_t{0}, uint64_t{100'000}, uint64_t{1} << 30})
          for (const int threads : {1, 3}) {
            const auto rows = find_meeting_rows(source, bands, {threads, memory}, {});
            ASSERT_TRUE(rows);
            EXPECT_EQ(*rows, expected) << count << " rows, " << fresh << ' ' << range << ", " << memory << " bytes";
          }
      }
}

// All rows lie in one part of a band.
TEST(MeetingRows, AreFoundInCrowdedBands) {
  MadeSignatures made = make_signatures(60000, 8, 1, 60000, 3);
  for (uint32_t row = 0; row < made.size(); ++row)
    std::fill_n(made.values.begin() + row * 8L, row % 30000 == 0 ? 0 : 4, uint16_t{5});
  const auto bands = make_bands(8, 2, 4).value();
  for (const uint64_t memory : {uint64_t{0}, uint64_t{1} << 30}) {
    const auto rows = find_meeting_rows(signatures_in_memory(made.values, 8), bands, {2, memory}, {});
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->size(), made.size() - 2) << memory;
  }
}

TEST(MeetingRows, SomeRowsAreThoseOfTheSource) {
  const MadeSignatures made = make_signatures(50, 4, 1, 60000, 3);
  const auto source = signatures_in_memory(made.values, 4);
  const std::vector<uint32_t> chosen = {3, 7, 8, 49};
  const SignatureSource some = some_rows(source, chosen);
  ASSERT_EQ(some.count, 4U);
  std::vector<uint16_t> values(8);
  ASSERT_TRUE(some.read(std::vector<uint32_t>{1, 3}, values.data()));
  EXPECT_TRUE(std::equal(values.begin(), values.begin() + 4, made.row(7)));
  EXPECT_TRUE(std::equal(values.begin() + 4, values.end(), made.row(49)));
}

TEST(MeetingRows, HandOnAFailure) {
  SignatureSource source{.count = 5, .num_values = 4, .values = nullptr, .read = {}};
  source.read = [](std::span<const uint32_t>, uint16_t*) -> Status { return fail(Code::kIo, "cannot read"); };
  EXPECT_FALSE(find_meeting_rows(source, std::vector<Band>{{0, 1}}, {1, 1 << 20}, {}));
}

}  // namespace
}  // namespace neardup::join
