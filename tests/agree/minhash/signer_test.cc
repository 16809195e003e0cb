// Every kernel on every instruction set of this machine gives the signature of the definition in signer.h.
#include "neardup/minhash/signer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "neardup/base/hash.h"
#include "tests/agree/each_target.h"

namespace neardup::minhash {
namespace {

using Signature = std::vector<fingerprint::SignatureValue>;

/// The definition, word for word.
class Definition {
 public:
  Definition(uint64_t num_values, uint64_t seed) : num_values_(num_values), seed_(seed) {}

  Signature sign(const std::vector<uint64_t>& elements) const {
    Signature signature;
    for (uint64_t bin = 0; bin < num_values_; ++bin) {
      signature.push_back(elements.empty() ? uint16_t{0} : static_cast<uint16_t>(mix64(key_of(bin, elements)) >> 48));
    }
    return signature;
  }

 private:
  uint64_t hash(uint64_t x, uint64_t j) const {
    const uint64_t z = (x ^ mix64(seed_ + (j + 1) * 0x9e3779b97f4a7c15ULL)) * 0xbf58476d1ce4e5b9ULL;
    return (z ^ z / (uint64_t{1} << 32)) * 0x94d049bb133111ebULL;
  }

  uint64_t key_of(uint64_t bin, const std::vector<uint64_t>& elements) const {
    for (uint64_t round = 0; round < 16; ++round) {
      uint64_t least = ~uint64_t{0};
      for (const uint64_t x : elements) {
        const uint64_t y = hash(x, round);
        if ((y >> 32) * num_values_ >> 32 == bin) least = std::min(least, (y >> 4) + (round << 60));
      }
      if (least != ~uint64_t{0}) return least;
    }
    uint64_t least = ~uint64_t{0};
    for (const uint64_t x : elements) least = std::min(least, hash(x, 16 + bin));
    return least;
  }

  uint64_t num_values_, seed_;
};

void expect_agreement(const std::vector<uint64_t>& elements, int num_values, uint64_t seed) {
  Signer signer({.num_values = num_values, .seed = seed});
  Signature found(static_cast<size_t>(num_values), 1);
  signer.sign(elements, found);
  ASSERT_EQ(found, Definition(static_cast<uint64_t>(num_values), seed).sign(elements))
      << elements.size() << " elements, " << num_values << " values";
}

TEST(SignerAgreement, EverySizeUpToTwoChunks) {
  on_each_target([] {
    std::mt19937_64 random(1);
    std::vector<uint64_t> elements;
    for (int size = 0; size <= 260; ++size) {
      expect_agreement(elements, 128, 0);
      elements.push_back(random());
    }
  });
}

TEST(SignerAgreement, EveryNumberOfValues) {
  on_each_target([] {
    std::mt19937_64 random(2);
    for (int num_values = 16; num_values <= 1024; num_values += num_values < 144 ? 16 : 176) {
      for (const size_t size : {1, 7, 40, 300, 1500}) {
        std::vector<uint64_t> elements(size);
        std::generate(elements.begin(), elements.end(), std::ref(random));
        expect_agreement(elements, num_values, random());
      }
    }
  });
}

TEST(SignerAgreement, ElementsThatAreNotRandom) {
  on_each_target([] {
    for (const uint64_t step : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 60, ~uint64_t{0}}) {
      std::vector<uint64_t> elements;
      for (uint64_t i = 0; i < 150; ++i) elements.push_back(i * step);
      expect_agreement(elements, 64, 5);
    }
  });
}

}  // namespace
}  // namespace neardup::minhash
