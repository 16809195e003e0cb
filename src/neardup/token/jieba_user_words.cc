// User dictionaries: jieba's load_userdict, add_word and suggest_freq over plain maps. Slow, and only for user words.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "neardup/base/utf8.h"
#include "neardup/text/utf8.h"
#include "neardup/token/jieba_blocks.h"
#include "neardup/token/jieba_lines.h"
#include "neardup/token/jieba_model.h"

namespace neardup::token {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_tag(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string_view::npos;
}

struct UserLine {
  std::string_view word;
  std::string_view frequency;  // may be missing
};

/// ^(.+?)( [0-9]+)?( [a-z]+)?$
UserLine split_line(std::string_view line) {
  const auto last_field = [&line] {
    const size_t space = line.rfind(' ');
    return space == std::string_view::npos || space == 0 ? std::string_view() : line.substr(space + 1);
  };
  if (is_tag(last_field())) line.remove_suffix(last_field().size() + 1);
  const std::string_view frequency = is_number(last_field()) ? last_field() : std::string_view();
  if (!frequency.empty()) line.remove_suffix(frequency.size() + 1);
  return {line, frequency};
}

/// jieba's FREQ as it is while user words are added: prefixes of words are in it with frequency 0.
class GrowingCounts {
 public:
  explicit GrowingCounts(WordCounts& counts) : counts_(counts) {}

  /// add_word(): a frequency given.
  void add(std::string_view word, uint64_t frequency) {
    counts_.frequencies[word] = frequency;
    if (has_prefixes_) add_prefixes(word);
    longest_ = std::max(longest_, word.size());
    if (frequency == 0) counts_.forced_splits.insert(word);
  }

  /// suggest_freq(word, tune=False).
  uint64_t suggest(std::string_view word) {
    make_prefixes();
    const auto total = static_cast<double>(counts_.total);
    double share = 1;
    cut(word, [&](std::string_view piece) { share *= static_cast<double>(lookup(piece)) / total; });
    const double floor = share * total;
    // Without any word before it the total is 0, and so is what a share of it says.
    const uint64_t least = floor < static_cast<double>(kMaxTotal) ? static_cast<uint64_t>(floor) + 1 : 1;
    return std::max(least, lookup(word));
  }

 private:
  void make_prefixes() {
    if (has_prefixes_) return;
    has_prefixes_ = true;
    for (const auto& [word, frequency] : counts_.frequencies) {
      add_prefixes(word);
      longest_ = std::max(longest_, word.size());
    }
  }

  void add_prefixes(std::string_view word) {
    for (size_t size = 1; size < word.size(); ++size) {
      if (!continues_character(word[size])) prefixes_.insert(word.substr(0, size));
    }
  }

  /// FREQ.get(piece, 1)
  [[nodiscard]] uint64_t lookup(std::string_view piece) const {
    const auto found = counts_.frequencies.find(piece);
    if (found != counts_.frequencies.end()) return found->second;
    return prefixes_.contains(piece) ? 0 : 1;
  }

  [[nodiscard]] uint64_t frequency(std::string_view word) const {
    const auto found = counts_.frequencies.find(word);
    return found == counts_.frequencies.end() ? 0 : found->second;
  }

  /// cut(word, HMM=False), piece by piece. A word is cut in blocks; what is between them is single characters.
  template <class Piece>
  void cut(std::string_view word, const Piece& piece) const {
    size_t block = 0;
    for (size_t at = 0; at < word.size();) {
      const text::Decoded c = text::decode(word.data() + at, word.data() + word.size());
      if (!is_block_character(c.code_point)) {
        cut_block(word.substr(block, at - block), piece);
        piece(word.substr(at, c.size_bytes));
        block = at + c.size_bytes;
      }
      at += c.size_bytes;
    }
    cut_block(word.substr(block), piece);
  }

  /// The best route through a block; ASCII letters and digits that stay single are put together.
  template <class Piece>
  void cut_block(std::string_view block, const Piece& piece) const {
    const std::vector<size_t> ends = best_ends(block);
    size_t ascii = 0;  // where single ASCII characters begin
    for (size_t at = 0; at < block.size(); at = ends[at]) {
      if (ends[at] == at + 1 && is_ascii_alnum(static_cast<uint8_t>(block[at]))) continue;
      if (ascii < at) piece(block.substr(ascii, at - ascii));
      piece(block.substr(at, ends[at] - at));
      ascii = ends[at];
    }
    if (ascii < block.size()) piece(block.substr(ascii));
  }

  [[nodiscard]] std::vector<size_t> best_ends(std::string_view block) const {
    const double log_total = std::log(static_cast<double>(std::max<uint64_t>(counts_.total, 1)));
    std::vector<double> weights(block.size() + 1, 0);
    std::vector<size_t> ends(block.size(), 0);
    for (size_t at = block.size(); at-- > 0;) {
      if (continues_character(block[at])) continue;
      weights[at] = -std::numeric_limits<double>::infinity();
      for (size_t size = 1; size <= std::min(longest_, block.size() - at); ++size) {
        const uint64_t count = frequency(block.substr(at, size));
        if (count != 0) consider(at, size, std::log(static_cast<double>(count)) - log_total, weights, ends);
      }
      if (ends[at] == 0) consider(at, character_size(block, at), std::log(1.0) - log_total, weights, ends);
    }
    return ends;
  }

  static void consider(size_t at, size_t size, double weight, std::vector<double>& weights, std::vector<size_t>& ends) {
    if (weight + weights[at + size] < weights[at]) return;
    weights[at] = weight + weights[at + size];
    ends[at] = at + size;
  }

  static size_t character_size(std::string_view block, size_t at) {
    size_t size = 1;
    while (at + size < block.size() && continues_character(block[at + size])) ++size;
    return size;
  }

  WordCounts& counts_;
  bool has_prefixes_ = false;
  std::unordered_set<std::string_view> prefixes_;
  size_t longest_ = 0;  // word, in bytes
};

}  // namespace

Status parse_user_words(std::string_view text, const std::string& where, WordCounts& out) {
  GrowingCounts counts(out);
  for (LineReader lines(text, where); lines.next();) {
    if (lines.line().empty()) continue;
    const UserLine line = split_line(lines.line());
    NEARDUP_TRY(lines.check_word(line.word));
    uint64_t frequency = 0;
    if (line.frequency.empty()) {
      frequency = counts.suggest(line.word);
    } else {
      NEARDUP_ASSIGN(frequency, lines.frequency(line.frequency));
    }
    counts.add(line.word, frequency);
    NEARDUP_TRY(lines.add_to_total(out.total, frequency));
  }
  return {};
}

}  // namespace neardup::token
