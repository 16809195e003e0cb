// How a compiled dictionary lies in its file (docs/formats/jieba.md).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "neardup/token/jieba_view.h"

namespace neardup::token {

static_assert(std::endian::native == std::endian::little, "compiled dictionaries are little endian");

inline constexpr std::string_view kJiebaMagic = "NDUPJBA\n";
inline constexpr uint32_t kJiebaVersion = 1;
inline constexpr size_t kJiebaIdBytes = 32;
/// Codes and values are limited by the bits of a TrieEntry, characters to the basic plane.
inline constexpr uint32_t kMaxCodes = 0xFFF0;
inline constexpr uint32_t kMaxWordCharacters = 1024;

struct JiebaHeader {
  std::array<char, 8> magic{};
  uint32_t version = 0;
  uint32_t num_codes = 0;
  uint32_t num_entries = 0;
  uint32_t num_weights = 0;
  uint32_t first_forced = 0;
  uint32_t num_idf = 0;
  uint64_t idf_words_bytes = 0;
  double unknown_weight = 0;
  double median_idf = 0;
  Emission start{};
  std::array<Emission, kNumStates> transition{};
  std::array<char, kJiebaIdBytes> id{};
};
static_assert(sizeof(JiebaHeader) == 56 + 8 * 20 + 32);

}  // namespace neardup::token
