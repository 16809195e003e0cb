// What the files of a jieba folder say, before it is compiled.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::token {

/// Weights of the hidden Markov model are logarithms; this one stands for "never" (jieba's MIN_FLOAT).
inline constexpr double kNever = -3.14e100;

/// The states of a character in a word, in the order of jieba's "BMES".
enum class HmmState : uint8_t { kBegin, kMiddle, kEnd, kSingle };
inline constexpr size_t kNumStates = 4;

/// Probabilities of jieba's finalseg.
struct HmmModel {
  std::array<double, kNumStates> start{};
  std::array<std::array<double, kNumStates>, kNumStates> transition{};  // [from][to]
  std::map<char32_t, std::array<double, kNumStates>> emission;          // of each character, kNever where it has none
};

/// Word frequencies, as jieba's FREQ and total. Views live as long as the texts that were parsed.
struct WordCounts {
  std::unordered_map<std::string_view, uint64_t> frequencies;
  std::unordered_set<std::string_view> forced_splits;  // user words of frequency 0: the HMM may not form them
  uint64_t total = 0;                                  // of all lines, words that come twice counted twice
};

/// A frequency and a total may not be larger: both are exact as doubles.
inline constexpr uint64_t kMaxTotal = uint64_t{1} << 53;
/// Longer words are refused.
inline constexpr size_t kMaxWordBytes = 1024;

struct IdfWord {
  std::string_view word;
  double idf = 0;
};

/// Adds the lines of a dictionary: word, frequency, and anything after a space. `where` names the file in messages.
/// Blank lines and a byte order mark at the start are passed over. A word that comes twice has its last frequency.
/// Errors: kInvalidArgument with the line.
[[nodiscard]] Status parse_words(std::string_view text, const std::string& where, WordCounts& out);

/// Adds a user dictionary: on each line a word (it may hold spaces), perhaps a frequency, perhaps a tag of lower-case
/// letters. Without a frequency the word gets the least one that keeps it in one piece (jieba's suggest_freq).
/// Errors: kInvalidArgument with the line.
[[nodiscard]] Status parse_user_words(std::string_view text, const std::string& where, WordCounts& out);

/// The texts of prob_start.py, prob_trans.py and prob_emit.py, and the folder that they come from, for messages.
struct HmmTexts {
  std::string_view start, transition, emission;
  std::string_view folder = {};
};
/// Errors: kInvalidArgument naming the file.
[[nodiscard]] Result<HmmModel> parse_hmm(const HmmTexts& texts);

/// Returns the words of an IDF file (word, space, number on each line), each once, in ascending order of bytes.
/// Errors: kInvalidArgument with the line.
[[nodiscard]] Result<std::vector<IdfWord>> parse_idf_words(std::string_view text, const std::string& where);

}  // namespace neardup::token
