#include "neardup/bench/arriving.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "neardup/fingerprint/value.h"

namespace neardup::bench {
namespace {

size_t equal_values(const engine::ArrivingText& a, const engine::ArrivingText& b) {
  size_t count = 0;
  for (size_t i = 0; i < a.signature.size(); ++i) count += a.signature[i] == b.signature[i] ? 1 : 0;
  return count;
}

TEST(ArrivingDocuments, AreTheSameHoweverTheyAreCut) {
  for (const ArrivingContent& content : {ArrivingContent{.text_bytes = 200}, ArrivingContent{.num_fingerprints = 2},
                                         ArrivingContent{.num_signature_values = 16}}) {
    const ArrivingDocuments all(content, 7, 0, 100), some(content, 7, 60, 20);
    for (size_t i = 0; i < 20; ++i) {
      const engine::ArrivingText &a = all.all()[60 + i], &b = some.all()[i];
      EXPECT_EQ(a.id, b.id);
      EXPECT_EQ(a.text, b.text);
      EXPECT_TRUE(std::equal(a.fingerprints.begin(), a.fingerprints.end(), b.fingerprints.begin()));
      EXPECT_TRUE(std::equal(a.signature.begin(), a.signature.end(), b.signature.begin()));
    }
  }
}

TEST(ArrivingDocuments, HoldTheContentThatWasAskedFor) {
  const ArrivingDocuments values({.num_fingerprints = 3}, 1, 0, 5), texts({.text_bytes = 500}, 1, 0, 5);
  EXPECT_EQ(values.all()[4].fingerprints.size(), 3u);
  EXPECT_TRUE(values.all()[4].text.empty());
  EXPECT_TRUE(texts.all()[4].fingerprints.empty() && texts.all()[4].signature.empty());
  EXPECT_GE(texts.all()[4].text.size(), 500u);
  EXPECT_EQ(values.ids()[4], values.all()[4].id);
}

TEST(ArrivingDocuments, EveryTwentiethSignatureIsNearAnEarlierOne) {
  constexpr size_t kValues = 128;
  const ArrivingDocuments documents({.num_signature_values = kValues}, 1, 0, 200);
  for (size_t i = 19; i < 200; i += 20) {
    size_t most = 0;
    for (size_t j = 0; j < i; ++j) most = std::max(most, equal_values(documents.all()[i], documents.all()[j]));
    EXPECT_GT(most, kValues * 8 / 10) << i;
  }
  EXPECT_LT(equal_values(documents.all()[1], documents.all()[0]), kValues / 10);
}

TEST(ArrivingDocuments, HaveOtherIdsFromAnotherBase) {
  const ArrivingDocuments plain({.num_fingerprints = 1}, 1, 0, 1000);
  const ArrivingDocuments moved({.num_fingerprints = 1, .id_base = 1'700'000'000'000'000}, 1, 0, 1000);
  EXPECT_EQ(plain.ids()[999], "https://example.org/0000000999");
  EXPECT_EQ(moved.ids()[0], "https://example.org/1700000000000000");
  EXPECT_EQ(moved.ids()[999], "https://example.org/1700000000000999");
  EXPECT_TRUE(std::ranges::equal(moved.all()[999].fingerprints, plain.all()[999].fingerprints));
}

}  // namespace
}  // namespace neardup::bench
