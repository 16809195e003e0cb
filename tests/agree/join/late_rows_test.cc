// Late rows by counting hashes against those of the definition.
#include "neardup/join/late_rows.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "tests/agree/join/signatures.h"

namespace neardup::join {
namespace {

bool is_late(const MadeSignatures& made, const Band& band, uint32_t row, uint32_t most_members) {
  uint32_t before = 0;
  for (uint32_t other = 0; other < row; ++other)
    before += std::ranges::all_of(band, [&](uint16_t v) { return made.row(other)[v] == made.row(row)[v]; });
  return before >= most_members;
}

TEST(LateRows, AgreeWithTheDefinition) {
  for (const int range : {2, 5, 60000})
    for (const uint32_t most_members : {0U, 1U, 3U, 40U}) {
      const MadeSignatures made = make_signatures(700, 16, 0.2, range, 7);
      const auto bands = make_bands(16, 4, 4).value();
      const auto late = find_late_rows(signatures_in_memory(made.values, 16), bands, most_members, 1 << 20, {});
      ASSERT_TRUE(late);
      bool none = true;
      for (uint32_t row = 0; row < made.size(); ++row)
        for (size_t band = 0; band < bands.size(); ++band) {
          const bool expected = most_members > 0 && is_late(made, bands[band], row, most_members);
          ASSERT_EQ(late->at(row, band), expected) << row << ", band " << band << ", " << most_members;
          none = none && !expected;
        }
      EXPECT_EQ(late->none(), none);
    }
}

// So many rows that in little memory bands go one by one, and of the buckets some at a time.
TEST(LateRows, AreTheSameInLittleMemory) {
  for (const double fresh : {0.5, 0.02})
    for (const uint32_t most_members : {1U, 3U, 16U, 300U}) {
      const MadeSignatures made = make_signatures(40000, 16, fresh, 60000, 7);
      const auto bands = make_bands(16, 4, 4).value();
      const auto source = signatures_in_memory(made.values, 16);
      const auto late = find_late_rows(source, bands, most_members, 0, {});
      ASSERT_TRUE(late);
      for (size_t band = 0; band < bands.size(); ++band) {
        std::map<std::vector<uint16_t>, uint32_t> members;
        for (uint32_t row = 0; row < made.size(); ++row) {
          std::vector<uint16_t> values;
          for (const uint16_t v : bands[band]) values.push_back(made.row(row)[v]);
          ASSERT_EQ(late->at(row, band), ++members[values] > most_members) << row << ", " << band << most_members;
        }
      }
    }
}

TEST(LateRows, HandOnAFailure) {
  SignatureSource source{.count = 5, .num_values = 4};
  source.read = [](std::span<const uint32_t>, uint16_t*) -> Status { return fail(Code::kIo, "cannot read"); };
  EXPECT_FALSE(find_late_rows(source, std::vector<Band>{{0, 1}}, 1, 1 << 20, {}));
}

}  // namespace
}  // namespace neardup::join
