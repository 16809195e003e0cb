// Rows of a store on HBase, byte by byte, and what they are for: no fingerprint within reach is missed.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "neardup/base/hash.h"
#include "neardup/remote/hbase/layout.h"
#include "neardup/remote/hbase/range_filter.h"
#include "neardup/remote/hbase/table_options.h"

namespace neardup::remote::hbase {
namespace {

store::StoreSettings settings_of(uint32_t num_bits, int max_distance, uint32_t num_fingerprints = 1) {
  store::StoreSettings settings{.num_fingerprints = num_fingerprints, .num_bits = num_bits};
  settings.max_distance = max_distance;
  return settings;
}

std::string hex(std::string_view bytes) {
  std::string out;
  for (const char byte : bytes) out += to_hex(uint64_t{static_cast<uint8_t>(byte)}).substr(14);
  return out;
}

// The sources' layout: 4 bytes of segment, left-aligned, the flag, the fingerprint, most significant byte first.
TEST(HBaseLayout, RowsOfFourSegments) {
  const auto layout = Layout::make(settings_of(64, 3), 4);
  ASSERT_TRUE(layout);
  const uint64_t fingerprint[] = {0x0123456789abcdef};
  std::set<std::string> rows;
  for (size_t table = 0; table < 4; ++table) rows.insert(hex(layout->row_of(fingerprint, 0, table)));
  EXPECT_EQ(rows, (std::set<std::string>{"01230000000123456789abcdef", "45670000010123456789abcdef",
                                         "89ab0000020123456789abcdef", "cdef0000030123456789abcdef"}));
}

TEST(HBaseLayout, TenRowsBeginWithTwoOfFiveBlocks) {
  const auto layout = Layout::make(settings_of(64, 3, 2), 10);
  ASSERT_TRUE(layout);
  ASSERT_EQ(layout->num_tables(), 10u);
  const uint64_t ones[] = {~uint64_t{0}};
  for (size_t table = 0; table < 10; ++table) {
    const int bits = layout->prefix_bits(table);
    EXPECT_TRUE(bits == 25 || bits == 26) << bits;
    EXPECT_EQ(layout->prefix_of(ones, 1, table) >> 8, uint64_t{0xffffffff} << (32 - bits) & 0xffffffff);
    EXPECT_EQ(layout->prefix_of(ones, 1, table) & 0xff, 10 + table);
  }
}

TEST(HBaseLayout, WhoIsWithinReachSharesAPrefix) {
  std::mt19937_64 random(3);
  for (const uint32_t num_bits : {64, 128}) {
    for (const int distance : {0, 1, 3, 7, 16}) {
      for (const uint64_t tables : Layout::tables_to_choose(distance)) {
        const auto layout = Layout::make(settings_of(num_bits, distance), tables);
        ASSERT_TRUE(layout) << layout.error().message;
        for (int tries = 0; tries < 50; ++tries) {
          std::vector<uint64_t> a = {random(), random()}, b = a;
          a.resize(num_bits / 64), b.resize(num_bits / 64);
          for (int i = 0; i < distance; ++i) {
            const uint64_t bit = random() % num_bits;
            b[bit / 64] ^= uint64_t{1} << bit % 64;
          }
          ASSERT_TRUE(layout->meet(a, b));
          bool share = false;
          for (size_t table = 0; table < tables; ++table)
            share |= layout->prefix_of(a, 0, table) == layout->prefix_of(b, 0, table);
          ASSERT_TRUE(share) << num_bits << " bits, " << distance << ", " << tables << " tables";
        }
      }
    }
  }
}

TEST(HBaseLayout, RowsAreReadBack) {
  const auto layout = Layout::make(settings_of(128, 5, 3), 6);
  ASSERT_TRUE(layout);
  const std::vector<uint64_t> fingerprint = {0x1122334455667788, 0x99aabbccddeeff00};
  const std::string row = layout->row_of(fingerprint, 2, 5);
  EXPECT_EQ(hex(row).substr(10), "99aabbccddeeff001122334455667788");
  Prefix prefix = 0;
  std::vector<uint64_t> words(2);
  ASSERT_TRUE(layout->parse_row(row, prefix, words));
  EXPECT_EQ(prefix, layout->prefix_of(fingerprint, 2, 5));
  EXPECT_EQ(words, fingerprint);
  EXPECT_TRUE(row.starts_with(prefix_bytes(prefix)));
  EXPECT_FALSE(layout->parse_row(row + "x", prefix, words));
  EXPECT_FALSE(layout->parse_row(row.substr(1), prefix, words));
  EXPECT_FALSE(layout->parse_row(key_row(7) + "12345678", prefix, words));
}

TEST(HBaseLayout, OtherRows) {
  EXPECT_EQ(hex(key_row(0x0123456789abcdef)), "01234567f00123456789abcdef");
  EXPECT_EQ(hex(record_row(0x1ff)), "80000000f10000000000000001");
  EXPECT_EQ(hex(record_column(0x1ff)), "ff");
  EXPECT_EQ(record_number(0x1ff, record_column(0x1ab)), 0x1abu);
  EXPECT_EQ(hex(log_row(258)), "00000000f20000000000000102");
  EXPECT_EQ(*log_position(log_row(258)), 258u);
  EXPECT_FALSE(log_position(key_row(258)));
  EXPECT_FALSE(log_position("short"));
  EXPECT_GT(end_of_log(), log_row(UINT64_MAX));
  EXPECT_LT(end_of_log(), meta_row());
  EXPECT_NE(file_row(0, 0, 0), meta_row());
  EXPECT_EQ(*parse_number_column(number_column(0xabcdef)), 0xabcdefu);
  EXPECT_FALSE(parse_number_column("1234567"));
}

TEST(HBaseLayout, WithoutFingerprintsThereAreNoTables) {
  for (const uint64_t num_tables : {0, 5}) {
    const auto layout = Layout::make(settings_of(64, 13, 0), num_tables);
    ASSERT_TRUE(layout) << layout.error().message;
    EXPECT_EQ(layout->num_tables(), 0u);
    EXPECT_EQ(layout->words_of_document(), 0u);
  }
}

TEST(HBaseLayout, NumbersOfTablesThatThereAreNotAreNamed) {
  EXPECT_EQ(Layout::tables_to_choose(3), (std::vector<uint64_t>{4, 10, 20}));
  EXPECT_EQ(Layout::tables_to_choose(0), (std::vector<uint64_t>{1}));
  const auto wrong = Layout::make(settings_of(64, 3), 5);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("there are 4, 10, 20"), std::string::npos) << wrong.error().message;
  const auto many = Layout::make(settings_of(64, 3, 20), 10);
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().code, Code::kUnsupported);
}

// As protobuf's own text says of these bytes: Filter{name, serialized_filter{row_range_list{...}}}.
TEST(HBaseRangeFilter, IsTheBytesThatTheServerParses) {
  const Prefix prefixes[] = {0x0102030405, 0xfffefdfcfb};
  const std::string name = "org.apache.hadoop.hbase.filter.MultiRowRangeFilter";
  EXPECT_EQ(hex(range_filter(prefixes)), "0a" + hex(std::string(1, static_cast<char>(name.size())) + name) + "1228" +
                                             "0a12"
                                             "0a050102030405"
                                             "1001"
                                             "1a050102030406"
                                             "2000" +
                                             "0a12"
                                             "0a05fffefdfcfb"
                                             "1001"
                                             "1a05fffefdfcfc"
                                             "2000");
}

TEST(HBaseTableOptions, AreReadFromTheUri) {
  const auto read = [](const std::string& options) {
    return read_table_options(*parse_remote_uri("hbase://localhost:9090/t" + options));
  };
  EXPECT_EQ(to_text(*read("")), "compression=none&ttl=0&splits=4");
  const auto all = read("?tables=4&compression=gz&ttl=60&splits=16&scans=prefix");
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ(to_text(*all), "tables=4&compression=gz&ttl=60&splits=16");
  EXPECT_TRUE(all->by_prefix);
  EXPECT_EQ(to_text(*parse_table_options(to_text(*all))), to_text(*all));
  for (const std::string wrong :
       {"?tables=x", "?tables=0", "?compression=rar", "?ttl=-1", "?splits=257", "?scans=some", "?colour=red"}) {
    const auto failed = read(wrong);
    ASSERT_FALSE(failed) << wrong;
    EXPECT_EQ(failed.error().code, Code::kInvalidArgument) << wrong;
    EXPECT_TRUE(failed.error().message.starts_with("hbase://localhost:9090/t" + wrong + ": "))
        << failed.error().message;
  }
  EXPECT_EQ(to_text(*parse_table_options(to_text(*read("")))), to_text(*read("")));
  const auto with_user = read_table_options(*parse_remote_uri("hbase://me:word@localhost:9090/t"));
  ASSERT_FALSE(with_user);
  EXPECT_EQ(with_user.error().code, Code::kUnsupported);
  EXPECT_TRUE(with_user.error().message.starts_with("hbase://me@localhost:9090/t: ")) << with_user.error().message;
  for (const std::string_view damaged : {"tables", "tables=4&x=1", "", "&&"})
    EXPECT_FALSE(parse_table_options(damaged)) << damaged;
  EXPECT_TRUE(check_table_options(*parse_remote_uri("hbase://localhost/t?scans=prefix&tables=4"), *all));
  const auto other = check_table_options(*parse_remote_uri("hbase://localhost/t?tables=10"), *all);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, Code::kMismatch);
  EXPECT_TRUE(other.error().message.starts_with("hbase://localhost:9090/t?tables=10: ")) << other.error().message;
}

}  // namespace
}  // namespace neardup::remote::hbase
