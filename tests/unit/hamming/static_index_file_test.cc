// A static index written and opened again answers as before, of every codec, mapped or loaded; a damaged one is
// refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>

#include "neardup/base/disk/file.h"
#include "neardup/hamming/index_file.h"
#include "neardup/hamming/static_index.h"
#include "tests/fuzz/index_file_fuzz.h"
#include "tests/own_path.h"

namespace neardup::hamming {
namespace {

using fingerprint::Fingerprint;
using fingerprint::Fingerprint128;

class StaticIndexFile : public testing::TestWithParam<Codec> {
 protected:
  void SetUp() override {
    folder_ = own_path();
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  template <class F>
  static std::vector<F> clustered(size_t count, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<F> values;
    while (values.size() < count) {
      F value = random();
      if constexpr (sizeof(F) > 8) value = value << 64 | random();
      values.push_back(value);
      for (int i = 0; i < 3 && values.size() < count; ++i)
        values.push_back(value ^= F{1} << random() % (8 * sizeof(F)));
      if (values.size() < count) values.push_back(value);
    }
    return values;
  }

  template <class F>
  void expect_the_same_answers(size_t count, const Plan& plan) {
    const std::vector<F> values = clustered<F>(count, count);
    std::vector<uint64_t> documents;
    for (size_t i = 0; i < count; ++i) documents.push_back(i * 1000003);
    BuildOptions options;
    options.codec = GetParam();
    const auto built = StaticIndex<F>::build(values, documents, plan, options);
    ASSERT_TRUE(built) << built.error().message;
    const std::string path = folder_ + "/index";
    ASSERT_TRUE(built->write(path, "a note"));
    for (const Access access : {Access::kMap, Access::kLoad}) {
      const auto opened = StaticIndex<F>::open(path, access, true);
      ASSERT_TRUE(opened) << opened.error().message;
      EXPECT_EQ(opened->note(), "a note");
      EXPECT_EQ(opened->plan(), plan);
      EXPECT_EQ(opened->size(), built->size());
      EXPECT_EQ(opened->num_distinct(), built->num_distinct());
      EXPECT_EQ(opened->bytes(), built->bytes());
      for (size_t i = 0; i < values.size(); i += 7) {
        std::vector<Match<F>> a, b;
        built->query(values[i] ^ 1, plan.max_distance, a);
        opened->query(values[i] ^ 1, plan.max_distance, b);
        ASSERT_FALSE(a.empty());
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        ASSERT_EQ(a, b);
      }
    }
  }

  std::string folder_;
};

TEST_P(StaticIndexFile, AnswersAsBefore) {
  const Block blocks[] = {{12, 1}, {12, 1}};
  for (const size_t count : {0U, 1U, 10U, 3000U}) {
    expect_the_same_answers<Fingerprint>(count, flip_plan(64, 3, blocks));
    expect_the_same_answers<Fingerprint>(count, permuted_plan(64, 4, 1));
    expect_the_same_answers<Fingerprint>(count, scan_plan(64, 10));
    expect_the_same_answers<Fingerprint128>(count, flip_plan(128, 3, blocks));
  }
}

TEST_P(StaticIndexFile, EveryChangedByteAndEveryTruncationIsRefused) {
  const Block blocks[] = {{8, 1}, {8, 1}};
  BuildOptions options;
  options.codec = GetParam();
  const auto values = clustered<Fingerprint>(300, 1);
  const auto built = StaticIndex<Fingerprint>::build(values, {}, flip_plan(64, 3, blocks), options);
  ASSERT_TRUE(built);
  const std::string path = folder_ + "/index";
  ASSERT_TRUE(built->write(path, ""));
  const std::string bytes = *read_file(path);
  for (size_t at = 0; at < bytes.size(); at += at < 1000 ? 1 : 13) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ (1 << at % 8));
    EXPECT_FALSE(IndexFile::from_bytes(changed, "x", true)) << at;
    EXPECT_FALSE(IndexFile::from_bytes(bytes.substr(0, at), "x", true)) << at;
    // Without the checksums: an error, or an index that can be asked without harm.
    const auto unchecked = IndexFile::from_bytes(changed, "x", false);
    if (!unchecked) continue;
    const auto index = StaticIndex<Fingerprint>::open(*unchecked);
    std::vector<Match<Fingerprint>> matches;
    if (index) index->query(values[at % values.size()], 3, matches);
  }
}

// A merge makes room for as many documents as an index says.
TEST_P(StaticIndexFile, ANumberOfDocumentsThatItDoesNotHoldIsRefused) {
  constexpr size_t kAtNumDocuments = 32;
  BuildOptions options;
  options.codec = GetParam();
  auto values = clustered<Fingerprint>(300, 2);
  values.insert(values.end(), 10, values.front());
  const auto built = StaticIndex<Fingerprint>::build(values, {}, permuted_plan(64, 4, 1), options);
  ASSERT_TRUE(built && built->write(folder_ + "/index", ""));
  const std::string bytes = *read_file(folder_ + "/index");
  ASSERT_EQ(read_fixed_header(bytes).num_documents, built->size());
  for (const uint64_t says : {built->size(), built->size() + 1, built->size() - 1, uint64_t{1} << 62, UINT64_MAX}) {
    std::string number;
    append_little(number, says);
    std::string changed = bytes;
    changed.replace(kAtNumDocuments, sizeof says, number);
    changed = with_fitting_index_checksums(changed);
    const auto file = IndexFile::from_bytes(changed, "x", true);
    ASSERT_TRUE(file) << file.error().message;
    const auto opened = StaticIndex<Fingerprint>::open(*file);
    ASSERT_EQ(opened.has_value(), says == built->size()) << says;
    if (!opened) {
      EXPECT_EQ(opened.error().code, Code::kCorruption);
    }
  }
}

// A fault of a table or of the records: the file, what is wrong, and one cure.
TEST_P(StaticIndexFile, AFaultInsideSaysOnceThatTheFileIsDamagedAndWhatToDo) {
  BuildOptions options;
  options.codec = GetParam();
  const auto values = clustered<Fingerprint>(300, 3);
  const auto built = StaticIndex<Fingerprint>::build(values, {}, permuted_plan(64, 4, 1), options);
  ASSERT_TRUE(built && built->write(folder_ + "/index", ""));
  const std::string bytes = *read_file(folder_ + "/index");
  const FixedHeader header = read_fixed_header(bytes);
  const size_t first_entry = kFixedHeaderBytes + size_t{header.num_tables} * (8 + size_t{header.num_bits});
  std::set<std::string> faults;
  for (size_t entry = 0; entry < header.num_sections; ++entry) {
    std::string renamed = bytes;
    renamed[first_entry + entry * kSectionEntryBytes + 4] = '?';
    ByteReader place(std::string_view(bytes).substr(first_entry + entry * kSectionEntryBytes + 4 + kMaxSectionName));
    const auto offset = place.number<uint64_t>(), size = place.number<uint64_t>();
    std::string changed = bytes;
    std::fill_n(changed.begin() + static_cast<std::ptrdiff_t>(offset), size, '\xee');
    for (const std::string& damaged : {with_fitting_index_checksums(renamed), with_fitting_index_checksums(changed)}) {
      const auto file = IndexFile::from_bytes(damaged, "x", true);
      ASSERT_TRUE(file) << file.error().message;
      const auto opened = StaticIndex<Fingerprint>::open(*file);
      if (opened) continue;
      const std::string &message = opened.error().message, head = "index file 'x' is damaged: ";
      const std::string cure = "; restore it from a copy, or make the index again";
      ASSERT_TRUE(message.starts_with(head) && message.ends_with(cure)) << message;
      faults.insert(message.substr(head.size(), message.size() - head.size() - cure.size()));
    }
  }
  for (const std::string& fault : faults) {
    for (const char* word : {"damaged", "again", "anew", ";"}) EXPECT_EQ(fault.find(word), std::string::npos) << fault;
  }
  EXPECT_GE(faults.size(), 6U);
}

TEST_P(StaticIndexFile, AnotherWidthIsAMismatch) {
  BuildOptions options;
  options.codec = GetParam();
  const auto built =
      StaticIndex<Fingerprint>::build(clustered<Fingerprint>(10, 1), {}, permuted_plan(64, 4, 1), options);
  ASSERT_TRUE(built && built->write(folder_ + "/index", ""));
  const auto opened = StaticIndex<Fingerprint128>::open(folder_ + "/index", Access::kMap, false);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::kMismatch);
}

INSTANTIATE_TEST_SUITE_P(Codecs, StaticIndexFile, testing::Values(Codec::kPacked, Codec::kPlain, Codec::kDelta));

}  // namespace
}  // namespace neardup::hamming
