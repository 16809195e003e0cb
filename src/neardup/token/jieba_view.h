// A compiled dictionary as the segmenter sees it: plain arrays that lie in a file (docs/formats/jieba.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "neardup/base/result.h"
#include "neardup/token/double_array.h"
#include "neardup/token/jieba.h"
#include "neardup/token/jieba_model.h"

namespace neardup::token {

/// Log probabilities of a character in each state.
using Emission = std::array<double, kNumStates>;

inline constexpr size_t kNumCodePoints = 0x10000;

struct JiebaView {
  /// Code of each character of the basic plane, the most frequent one first; 0 = in no word and not in the HMM.
  std::span<const uint16_t> codes;
  uint32_t num_codes = 0;  // codes are 1..num_codes
  /// Words by codes. The value of an entry is an index of `weights`: 0 is no word, from first_forced on the HMM may not
  /// form the word.
  std::span<const TrieEntry> entries;
  std::span<const double> weights;  // ln(frequency) - ln(total); minus infinity where it is no word
  uint32_t first_forced = 0;
  double unknown_weight = 0;           // of a character that begins no word: ln(1) - ln(total)
  std::span<const Emission> emission;  // by code
  Emission start{};
  std::array<Emission, kNumStates> transition{};  // [from][to]

  std::span<const uint32_t> idf_ends;  // of each IDF word in idf_words; these ascend
  std::span<const double> idf_values;
  std::string_view idf_words;
  double median_idf = 0;

  std::string_view id;  // 32 hexadecimal digits
};

/// Everything that makes a dictionary.
struct JiebaModel {
  WordCounts words;
  HmmModel hmm;
  std::vector<IdfWord> idf;
  std::string id;
};

/// Returns the bytes of the compiled file. Errors: kUnsupported where a table is too large for it.
[[nodiscard]] Result<std::string> compile_jieba(const JiebaModel& model);

/// Returns the arrays in `bytes`, which must outlive them and begin at a multiple of 8. Errors: kCorruption.
[[nodiscard]] Result<JiebaView> view_jieba(std::string_view bytes, const std::string& where, DictionaryCheck check);

}  // namespace neardup::token
