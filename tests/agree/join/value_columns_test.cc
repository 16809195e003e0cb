// Signatures in columns on disk against the same in memory: hashes of bands, and all that is found by them.
#include "neardup/join/disk/value_columns.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>
#include <vector>

#include "neardup/join/block_hashes.h"
#include "neardup/join/late_rows.h"
#include "neardup/join/meeting_rows.h"
#include "tests/agree/join/signatures.h"
#include "tests/own_path.h"

namespace neardup::join {
namespace {

// Rows that are copied when they are asked for, as those of files are.
SignatureSource rows_elsewhere(const MadeSignatures& made) {
  SignatureSource source = signatures_in_memory(made.values, made.num_values);
  source.values = nullptr;
  return source;
}

class ValueColumnsTest : public testing::Test {
 protected:
  [[nodiscard]] ValueColumns columns_of(const SignatureSource& source) const {
    return ValueColumns::write(source, path_, {}).value();
  }
  const std::string path_ = own_path("columns");
};

TEST_F(ValueColumnsTest, HashesAreThoseOfRows) {
  for (const size_t count : {0, 1, 4095, 4096, 4097, 9000}) {
    const MadeSignatures made = make_signatures(count, 7, 0.7, 60000, count);
    const SignatureSource rows = rows_elsewhere(made);
    const ValueColumns columns = columns_of(rows);
    for (const SignatureSource& source : {signatures_in_memory(made.values, 7), rows, columns.in(rows)})
      for (const Band& band : {Band{0}, Band{6, 2}, Band{0, 1, 2, 3, 4, 5, 6}}) {
        BlockHashes hashes(source);
        uint32_t row = 0;
        for (uint32_t block = 0; block < BlockHashes::num_blocks(source); ++block) {
          ASSERT_TRUE(hashes.load(block));
          EXPECT_EQ(hashes.first_row(), row);
          const auto of_band = hashes.of(band);
          ASSERT_TRUE(of_band);
          for (const uint64_t hash : *of_band) ASSERT_EQ(hash, band_hash(made.row(row++), band));
        }
        EXPECT_EQ(row, count);
      }
  }
}

TEST_F(ValueColumnsTest, FindTheSameRowsAndPairs) {
  const auto bands = make_bands(16, 4, 4).value();
  for (const double fresh : {0.9, 0.02}) {
    const MadeSignatures made = make_signatures(20'000, 16, fresh, 60000, 7);
    const SignatureSource in_memory = signatures_in_memory(made.values, 16), rows = rows_elsewhere(made);
    const ValueColumns columns = columns_of(rows);
    const SignatureSource source = columns.in(rows);
    for (const uint64_t memory : {uint64_t{0}, uint64_t{1} << 30}) {
      EXPECT_EQ(find_meeting_rows(source, bands, {2, memory}, {}).value(),
                find_meeting_rows(in_memory, bands, {2, memory}, {}).value());
      const LateRows late = find_late_rows(source, bands, 3, memory, {}).value();
      const LateRows expected = find_late_rows(in_memory, bands, 3, memory, {}).value();
      for (uint32_t row = 0; row < made.size(); ++row)
        for (size_t band = 0; band < bands.size(); ++band) ASSERT_EQ(late.at(row, band), expected.at(row, band)) << row;
    }
    for (const RowChoice& choice : {RowChoice{}, RowChoice{.part = 1, .num_parts = 3, .leaders = {}}})
      for (const Band& band : bands) {
        std::vector<uint64_t> words, expected;
        ASSERT_TRUE(find_bucket_words(source, band, choice, {}, words));
        ASSERT_TRUE(find_bucket_words(in_memory, band, choice, {}, expected));
        EXPECT_EQ(words, expected);
      }
  }
}

TEST_F(ValueColumnsTest, TheFileGoesWithTheObject) {
  const MadeSignatures made = make_signatures(10, 4, 1, 9, 1);
  {
    const ValueColumns columns = columns_of(rows_elsewhere(made));
    EXPECT_EQ(std::filesystem::file_size(path_), 10U * 4 * sizeof(uint16_t));
  }
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(ValueColumnsTest, HandOnFailures) {
  const MadeSignatures made = make_signatures(10, 4, 1, 9, 1);
  SignatureSource source = rows_elsewhere(made);
  const ValueColumns columns = columns_of(source);
  std::filesystem::resize_file(path_, 30);
  EXPECT_FALSE(find_meeting_rows(columns.in(source), std::vector<Band>{{0, 3}}, {1, 1 << 20}, {}));
  source.read = [](std::span<const uint32_t>, uint16_t*) -> Status { return fail(Code::kIo, "cannot read"); };
  EXPECT_FALSE(ValueColumns::write(source, path_ + "2", {}));
  EXPECT_FALSE(std::filesystem::exists(path_ + "2")) << "a failure leaves nothing behind";
}

}  // namespace
}  // namespace neardup::join
