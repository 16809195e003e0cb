// Words, HMM and IDF -> the bytes of a compiled dictionary.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "neardup/base/hash.h"
#include "neardup/text/utf8.h"
#include "neardup/token/jieba_blocks.h"
#include "neardup/token/jieba_file.h"

namespace neardup::token {
namespace {

constexpr double kNoWord = -std::numeric_limits<double>::infinity();

/// Calls visit(c) for each character. Requires: valid UTF-8.
template <class Visit>
void for_each_character(std::string_view text, const Visit& visit) {
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    const text::Decoded c = text::decode_valid(at, end);
    visit(c.code_point);
    at += c.size_bytes;
  }
}

/// Words that a block can hold; others cannot be found in a text, as in jieba.
bool can_be_found(std::string_view word) {
  bool all = true;
  for_each_character(word, [&all](char32_t c) { all = all && is_block_character(c); });
  return all;
}

/// Numbers the weights that occur: [0] is no word, then those of plain words, then those the HMM may not form.
class WeightTable {
 public:
  WeightTable(const WordCounts& words)
      : words_(words), log_total_(std::log(static_cast<double>(std::max<uint64_t>(words.total, 1)))) {
    for (const auto& [word, frequency] : words.frequencies) {
      if (can_be_found(word) && is_key(word, frequency)) index_.try_emplace({is_forced(word), frequency}, 0);
    }
    for (auto& [key, index] : index_) {
      if (!key.first) ++first_forced_;
      index = static_cast<uint32_t>(weights_.size());
      weights_.push_back(key.second == 0 ? kNoWord : weight(key.second));
    }
  }

  /// Words without a frequency are in no route; only those the HMM may not form are kept.
  [[nodiscard]] bool is_key(std::string_view word, uint64_t frequency) const {
    return frequency != 0 || is_forced(word);
  }
  [[nodiscard]] uint32_t index_of(std::string_view word, uint64_t frequency) const {
    return index_.at({is_forced(word), frequency});
  }
  [[nodiscard]] double weight(uint64_t frequency) const {
    return std::log(static_cast<double>(frequency)) - log_total_;
  }
  [[nodiscard]] const std::vector<double>& weights() const { return weights_; }
  [[nodiscard]] uint32_t first_forced() const { return first_forced_; }

 private:
  [[nodiscard]] bool is_forced(std::string_view word) const { return words_.forced_splits.contains(word); }

  const WordCounts& words_;
  double log_total_;
  std::map<std::pair<bool, uint64_t>, uint32_t> index_;
  std::vector<double> weights_ = {kNoWord};
  uint32_t first_forced_ = 1;
};

/// Gives codes to characters, the most frequent first: what is hot lies together in every table.
class Codes {
 public:
  explicit Codes(const JiebaModel& model) : codes_(kNumCodePoints, 0) {
    std::map<char32_t, uint64_t> heat;
    for (const auto& [c, emission] : model.hmm.emission) heat[c] += 1;
    for (const auto& [word, frequency] : model.words.frequencies) {
      if (can_be_found(word)) for_each_character(word, [&heat, f = frequency](char32_t c) { heat[c] += f + 1; });
    }
    for (const auto& [c, times] : heat) {
      if (c != 0 && c < kNumCodePoints) characters_.push_back(c);
    }
    std::stable_sort(characters_.begin(), characters_.end(), [&](char32_t a, char32_t b) { return heat[a] > heat[b]; });
    for (size_t i = 0; i < std::min<size_t>(characters_.size(), kMaxCodes); ++i) {
      codes_[characters_[i]] = static_cast<uint16_t>(i + 1);
    }
  }

  [[nodiscard]] const std::vector<char32_t>& characters() const { return characters_; }  // of code i + 1
  [[nodiscard]] const std::vector<uint16_t>& by_character() const { return codes_; }

  [[nodiscard]] std::vector<uint16_t> of(std::string_view word) const {
    std::vector<uint16_t> labels;
    for_each_character(word, [&](char32_t c) { labels.push_back(codes_[c]); });
    return labels;
  }

 private:
  std::vector<char32_t> characters_;
  std::vector<uint16_t> codes_;
};

std::vector<TrieKey> trie_keys(const WordCounts& words, const WeightTable& weights, const Codes& codes) {
  std::vector<TrieKey> keys;
  for (const auto& [word, frequency] : words.frequencies) {
    if (!can_be_found(word) || !weights.is_key(word, frequency)) continue;
    keys.push_back({codes.of(word), weights.index_of(word, frequency), frequency + 1});
  }
  std::sort(keys.begin(), keys.end(), [](const TrieKey& a, const TrieKey& b) { return a.labels < b.labels; });
  return keys;
}

template <class T>
void append(std::string& out, std::span<const T> values) {
  out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  out.resize((out.size() + 7) / 8 * 8);
}

double median_of(const std::vector<IdfWord>& words) {
  if (words.empty()) return 0;
  std::vector<double> values;
  values.reserve(words.size());
  for (const IdfWord& word : words) values.push_back(word.idf);
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void append_idf(std::string& out, const std::vector<IdfWord>& words) {
  std::vector<uint32_t> ends;
  std::vector<double> values;
  std::string pool;
  for (const IdfWord& word : words) {
    pool += word.word;
    ends.push_back(static_cast<uint32_t>(pool.size()));
    values.push_back(word.idf);
  }
  append<uint32_t>(out, ends);
  append<double>(out, values);
  append<char>(out, pool);
}

std::vector<Emission> emissions(const HmmModel& hmm, const Codes& codes) {
  Emission never;
  never.fill(kNever);
  std::vector<Emission> table = {never};
  for (const char32_t c : codes.characters()) {
    const auto found = hmm.emission.find(c);
    table.push_back(found == hmm.emission.end() ? never : found->second);
  }
  return table;
}

uint64_t pool_bytes(const std::vector<IdfWord>& words) {
  uint64_t sum = 0;
  for (const IdfWord& word : words) sum += word.word.size();
  return sum;
}

}  // namespace

Result<std::string> compile_jieba(const JiebaModel& model) {
  const Codes codes(model);
  if (codes.characters().size() > kMaxCodes) {
    return fail(Code::kUnsupported, fmt::format("a dictionary has {} different characters, at most {} are possible",
                                                codes.characters().size(), kMaxCodes));
  }
  const WeightTable weights(model.words);
  const auto num_codes = static_cast<uint32_t>(codes.characters().size());
  NEARDUP_ASSIGN(const std::vector<TrieEntry> entries, build_trie(trie_keys(model.words, weights, codes), num_codes));
  const uint64_t idf_bytes = pool_bytes(model.idf);
  if (weights.weights().size() > TrieEntry::kMaxValue || idf_bytes > std::numeric_limits<uint32_t>::max()) {
    return fail(Code::kUnsupported, "a dictionary has too many different frequencies, or its IDF words are too long");
  }
  JiebaHeader header{.version = kJiebaVersion,
                     .num_codes = num_codes,
                     .num_entries = static_cast<uint32_t>(entries.size()),
                     .num_weights = static_cast<uint32_t>(weights.weights().size()),
                     .first_forced = weights.first_forced(),
                     .num_idf = static_cast<uint32_t>(model.idf.size()),
                     .idf_words_bytes = idf_bytes,
                     .unknown_weight = weights.weight(1),
                     .median_idf = median_of(model.idf),
                     .start = model.hmm.start,
                     .transition = model.hmm.transition};
  std::copy(kJiebaMagic.begin(), kJiebaMagic.end(), header.magic.begin());
  std::copy_n(model.id.begin(), std::min(model.id.size(), kJiebaIdBytes), header.id.begin());
  std::string out(reinterpret_cast<const char*>(&header), sizeof(header));
  append<uint16_t>(out, codes.by_character());
  append<TrieEntry>(out, entries);
  append<double>(out, weights.weights());
  append<Emission>(out, emissions(model.hmm, codes));
  append_idf(out, model.idf);
  const Hash128 checksum = hash128(out);
  append<uint64_t>(out, std::array{checksum.high, checksum.low});
  return out;
}

}  // namespace neardup::token
